// Two owners of one organization, and a tenant of one of them.
import { premises, type Stage } from './scenario.ts'

export const NUMBER = '+237677123456'
export const marie = {
  fullName: 'Secrette Marie',
  phoneNumber: NUMBER,
  idType: 'NATIONAL_ID',
  idNumber: 'CNI-CANARY-1',
  niu: 'NIU-CANARY-2',
  address: 'Rue du Canari 3',
}
/** Words that stand in what Ana knows of Marie. */
export const CANARIES = ['Secrette', 'CANARY', 'Canari']
/** Eve's house with the units `b1` and `b2`. */
export async function eves(s: Stage): Promise<void> {
  await s.make('eve', 'POST /properties', { name: 'Case', addressLine: 'Rue 9', city: 'Douala' }, 'case')
  await s.make('eve', 'POST /properties/{case}/units', { label: 'B1', rentAmount: 40_000 }, 'b1')
  await s.make('eve', 'POST /properties/{case}/units', { label: 'B2', rentAmount: 40_000 }, 'b2')
  await s.make('eve', 'POST /properties/{case}/publish')
}
/** Ana's tenant Marie with a lease in force, and Eve who lets next door. */
export const neighbours = async (s: Stage): Promise<void> => {
  await premises()(s)
  await eves(s)
  await s.make('ana', 'POST /tenants', marie, 'marie')
  await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantId: '{marie}', startDate: '2026-03-01' }, 'anas')
  await s.make('ana', 'POST /bookings/{anas}/submit')
  await s.make('ana', 'POST /bookings/{anas}/activate')
}
