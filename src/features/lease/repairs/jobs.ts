import type { RepairRow } from '../../../../db/schema/repairs.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { inform } from '../../people/messages/news.ts'
import { senderOf } from '../../people/notifications/senders.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { tellTenant } from '../../people/tenants/service.ts'
import { findUser } from '../../people/users/store.ts'
import { findBooking } from '../leases/store.ts'
import type { Side } from './rules.ts'
import { findEntry, findRepair, namesOf } from './store.ts'
import { TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>
type What = keyof (typeof TEXTS)['fr']

/** Tells the other side of a repair what happened: the tenant by the portal's address, the landlord by the console's. */
export function repairHandlers(deps: Work): Handlers {
  const { db } = deps

  async function tell(jobId: string, row: RepairRow, by: Side, what: What, plannedOn: string | null): Promise<void> {
    const { orgId, id, title, urgency } = row
    const names = namesOf(db, row)
    const lease = row.bookingId === null ? undefined : findBooking(db, orgId, row.bookingId)
    if (!names || !lease) return
    const toTenant = by === 'LANDLORD'
    // The tenant of a lease that is over has nothing to do with it any more.
    if (toTenant && lease.status !== 'ACTIVE') return
    const { unitLabel, propertyName } = names
    const home = deps.config.publicUrl
    const facts = { title, unitLabel, propertyName, urgent: urgency === 'URGENT', plannedOn, home }
    const say = (locale: 'fr' | 'en', url: string | undefined): string => TEXTS[locale][what]({ ...facts, url })
    const [purpose, page] = [`repair_${what.toLowerCase()}`, `requests/${id}`]
    if (toTenant)
      return tellTenant(deps, lease, { id: jobId, purpose, say: (locale, portal) => say(locale, portal(page)) })
    const owner = findUser(db, orgId, row.ownerUserId)
    if (!owner?.phoneNumber) return
    const locale = owner.locale ?? findOrganization(db, orgId)?.locale ?? 'fr'
    await inform(deps, {
      id: jobId,
      orgId,
      to: owner.phoneNumber,
      channel: 'WHATSAPP',
      purpose,
      locale,
      text: say(locale, `${home}/console/${page}`),
      sender: senderOf(db, orgId, row.ownerUserId),
    })
  }

  const happened: Handlers[string] = async ({ id, orgId, payload }) => {
    const entry = findEntry(db, orgId ?? '', String(payload?.entry))
    const row = entry && findRepair(db, entry.orgId, entry.repairId)
    if (row && entry.kind !== 'PHOTO' && entry.kind !== 'SEEN')
      await tell(id, row, entry.side, entry.kind, entry.plannedOn)
  }
  return {
    'repair.reported': async ({ id, orgId, source, payload }) => {
      const row = findRepair(db, orgId ?? '', source)
      if (!row) return
      const byTenant = payload?.side === 'TENANT'
      await tell(id, row, byTenant ? 'TENANT' : 'LANDLORD', byTenant ? 'REPORTED' : 'NOTED', null)
    },
    'repair.moved': happened,
    'repair.message': happened,
  }
}
