import { signedBy } from '../../../core/quoted.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { inform } from '../../people/notices/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { senderOf } from '../../people/senders/service.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findUser } from '../../people/users/store.ts'
import { type BookingRow, findBooking } from '../bookings/store.ts'
import { findSignature, signedCopyOf, validSignatures } from '../contracts/store.ts'
import { TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>
type Texts = (typeof TEXTS)['fr' | 'en']

/** Notifies each party of a lease when it is their turn to sign, in their language and by their channel. */
export function signingHandlers(deps: Work): Handlers {
  const { db } = deps

  /** `who`: the tenant, or a user on the landlord's side. Nothing where there is no number. */
  async function tell(
    jobId: string,
    lease: BookingRow,
    who: string,
    purpose: string,
    text: (t: Texts) => string,
  ): Promise<void> {
    const { orgId } = lease
    const tenant = who === 'TENANT' ? findTenant(db, orgId, lease.tenantId) : undefined
    const person = tenant ?? findUser(db, orgId, who)
    if (!person?.phoneNumber) return
    const to = person.phoneNumber
    const locale = person.locale ?? findOrganization(db, orgId)?.locale ?? 'fr'
    const message = { id: jobId, orgId, to, channel: tenant?.channel ?? 'WHATSAPP', purpose, locale } as const
    const sender = senderOf(db, orgId, lease.ownerUserId)
    await inform(deps, { ...message, text: signedBy(text(TEXTS[locale]), sender) })
  }
  const { publicUrl } = deps.config
  const signatureOf = (orgId: string | null, id: string) => {
    const signature = findSignature(db, orgId ?? '', id)
    const lease = signature && findBooking(db, signature.orgId, signature.bookingId)
    return signature && lease?.status === 'PENDING' ? { signature, lease } : undefined
  }

  return {
    'lease.proposed': async ({ id, orgId, source }) => {
      const lease = findBooking(db, orgId ?? '', source)
      if (lease?.status !== 'PENDING' || validSignatures(db, lease.orgId, lease.id).length > 0) return
      await tell(id, lease, 'TENANT', 'lease_proposed', (t) => t.proposed(lease, publicUrl))
    },
    'lease.signed': async ({ id, orgId, source }) => {
      const found = signatureOf(orgId, source)
      if (found?.signature.status !== 'VALID') return
      const { lease, signature } = found
      const other = signature.party === 'TENANT' ? lease.ownerUserId : 'TENANT'
      await tell(id, lease, other, 'lease_signed', (t) => t.signed[signature.party](lease, publicUrl))
    },
    'lease.unsigned': async ({ id, orgId, source }) => {
      const found = signatureOf(orgId, source)
      if (!found) return
      const { lease, signature } = found
      const who = signature.party === 'TENANT' ? 'TENANT' : signature.userId
      if (who !== null) await tell(id, lease, who, 'lease_unsigned', (t) => t.unsigned(lease, publicUrl))
    },
    'lease.agreed': async ({ id, orgId, source }) => {
      const [bookingId = '', who = ''] = source.split(':')
      const lease = findBooking(db, orgId ?? '', bookingId)
      if (lease?.status !== 'ACTIVE') return
      const onPaper = signedCopyOf(db, lease.orgId, lease.id) !== undefined
      await tell(id, lease, who, 'lease_agreed', (t) => (onPaper ? t.onPaper : t.agreed)(lease))
    },
  }
}
