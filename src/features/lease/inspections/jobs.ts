import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { inform } from '../../people/messages/news.ts'
import { senderOf } from '../../people/notifications/senders.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { tellTenant } from '../../people/tenants/service.ts'
import { findUser } from '../../people/users/store.ts'
import { findBooking } from '../leases/store.ts'
import { findInspection } from './store.ts'
import { TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>
type What = keyof (typeof TEXTS)['fr']

/** Tells the parties of an inspection whose turn it is. */
export function inspectionHandlers(deps: Work): Handlers {
  const { db } = deps
  const tell =
    (what: What, to: (party: unknown) => 'LANDLORD' | 'TENANT'): Handlers[string] =>
    async ({ id: jobId, orgId, payload }) => {
      const row = findInspection(db, orgId ?? '', String(payload?.id))
      const lease = row && findBooking(db, row.orgId, row.bookingId)
      // What happened meanwhile has a job of its own.
      const now = { proposed: 'PROPOSED', turn: 'PROPOSED', signed: 'SIGNED', revised: 'DRAFT' } as const
      if (!lease || row.status !== now[what]) return
      const { unitLabel, propertyName } = lease
      const home = deps.config.publicUrl
      const say = (locale: 'fr' | 'en', url: string | undefined): string =>
        TEXTS[locale][what]({ unitLabel, propertyName, exit: row.kind === 'EXIT', url, home })
      const [purpose, page] = [`inspection_${what}`, `inspections/${row.id}`]
      if (to(payload?.party) === 'TENANT')
        return tellTenant(deps, lease, { id: jobId, purpose, say: (locale, portal) => say(locale, portal(page)) })
      const owner = findUser(db, row.orgId, row.ownerUserId)
      if (!owner?.phoneNumber) return
      const locale = owner.locale ?? findOrganization(db, row.orgId)?.locale ?? 'fr'
      const text = say(locale, `${home}/console/${page}`)
      const message = { id: jobId, orgId: row.orgId, to: owner.phoneNumber, purpose, locale, text }
      await inform(deps, { ...message, channel: 'WHATSAPP', sender: senderOf(db, row.orgId, row.ownerUserId) })
    }
  return {
    'inspection.proposed': tell('proposed', () => 'TENANT'),
    'inspection.turn': tell('turn', (party) => (party === 'TENANT' ? 'LANDLORD' : 'TENANT')),
    'inspection.signed': tell('signed', () => 'TENANT'),
    'inspection.revised': tell('revised', () => 'TENANT'),
  }
}
