// Who signs beside the tenant is found as the tenant is: a lease by its co-tenant or guarantor, a company by who signs
// for it; never by another owner of the organization, and not once they are off the lease.
import { premises, type Stage, scenario } from '../../../support/scenario.ts'

const at = (q: string): string => `GET /search?q=${encodeURIComponent(q)}`
const nothing: readonly unknown[] = []
const guarantor = { role: 'GUARANTOR', fullName: 'Étienne Mbézélé', phoneNumber: '+237699000001' }
const other = { role: 'CO_TENANT', fullName: 'Léa Ngo', phoneNumber: '+237699000002' }

async function signed(s: Stage): Promise<void> {
  await premises()(s)
  const company = { kind: 'COMPANY', fullName: 'Sahel Négoce SARL', representativeName: 'Oumarou Béllo' }
  await s.make('ana', 'POST /tenants', { ...company, representativeRole: 'gérant' }, 'firm')
  await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantId: '{firm}', startDate: '2026-03-01' }, 'lease')
  await s.make('ana', 'PUT /bookings/{lease}/parties', { parties: [guarantor, other] })
}

scenario('a lease is found by its co-tenant and its guarantor', { given: signed }, [
  ['ana', at('mbezele'), undefined, 200, [{ kind: 'BOOKING', id: '{lease}' }]],
  ['mia', at('etienne mbe'), undefined, 200, [{ kind: 'BOOKING', id: '{lease}' }]],
  ['ana', at('lea ngo'), undefined, 200, [{ kind: 'BOOKING', id: '{lease}' }]],
  // An owner of the same organization is a stranger, as is anybody of another one.
  ['eve', at('mbezele'), undefined, 200, nothing],
  ['eve', at('lea'), undefined, 200, nothing],
  ['zoe', at('mbezele'), undefined, 200, nothing],
  ['tom', at('mbezele'), undefined, 403],
])

const changed = async (s: Stage): Promise<void> => {
  await signed(s)
  const one = { ...guarantor, fullName: 'Estelle Atangana' }
  await s.make('ana', 'PUT /bookings/{lease}/parties', { parties: [one] })
}
scenario('who is off the lease, or has another name now, is not found', { given: changed }, [
  ['ana', at('lea'), undefined, 200, nothing],
  ['mia', at('mbezele'), undefined, 200, nothing],
  ['ana', at('atangana'), undefined, 200, [{ id: '{lease}' }]],
])

scenario('a company is found by who signs for it', { given: signed }, [
  ['ana', at('oumarou bello'), undefined, 200, [{ kind: 'TENANT', id: '{firm}', title: 'Sahel Négoce SARL' }]],
  ['eve', at('oumarou'), undefined, 200, nothing],
  ['zoe', at('oumarou'), undefined, 200, nothing],
  ['ana', 'PATCH /tenants/{firm}', { representativeName: 'Aline Fouda' }, 200, {}, { audit: 'tenant.update' }],
  ['ana', at('oumarou'), undefined, 200, nothing],
  ['ana', at('fouda'), undefined, 200, [{ id: '{firm}' }]],
])
