import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { inform } from '../../people/messages/news.ts'
import { senderOf } from '../../people/notifications/senders.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findUser } from '../../people/users/store.ts'
import { partyLink } from '../contracts/service.ts'
import { findParty, findSignature, leaseParties, signedCopyOf, validSignatures } from '../contracts/store.ts'
import { findBooking } from '../leases/store.ts'
import { TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>
type Texts = (typeof TEXTS)['fr' | 'en']

/** Notifies each party of a lease when it is their turn to sign, in their language and by their channel. */
export function signingHandlers(deps: Work): Handlers {
  const { db } = deps

  /** `who`: the tenant, a user on the landlord's side, or a co-tenant or guarantor. Nothing where there is no number. */
  async function tell(
    jobId: string,
    lease: BookingRow,
    who: string,
    purpose: string,
    text: (t: Texts, url: string) => string,
  ): Promise<void> {
    const { orgId } = lease
    const tenant = who === 'TENANT' ? findTenant(db, orgId, lease.tenantId) : undefined
    const party = findParty(db, orgId, who)
    if (party?.removedAt) return
    const person = tenant ?? (party ? { ...party, locale: lease.locale } : findUser(db, orgId, who))
    if (!person?.phoneNumber) return
    const to = person.phoneNumber
    const locale = person.locale ?? findOrganization(db, orgId)?.locale ?? 'fr'
    const url = party ? partyLink(deps, party.id) : deps.config.publicUrl
    const message = { id: jobId, orgId, to, channel: tenant?.channel ?? 'WHATSAPP', purpose, locale } as const
    const sender = senderOf(db, orgId, lease.ownerUserId)
    await inform(deps, { ...message, text: text(TEXTS[locale], url), sender })
  }
  const signatureOf = (orgId: string | null, id: string) => {
    const signature = findSignature(db, orgId ?? '', id)
    const lease = signature && findBooking(db, signature.orgId, signature.bookingId)
    return signature && lease?.status === 'PENDING' ? { signature, lease } : undefined
  }

  return {
    'lease.proposed': async ({ id, orgId, source }) => {
      const lease = findBooking(db, orgId ?? '', source)
      if (lease?.status !== 'PENDING' || validSignatures(db, lease.orgId, lease.id).length > 0) return
      await tell(id, lease, 'TENANT', 'lease_proposed', (t, url) => t.proposed(lease, url))
    },
    'lease.party': async ({ id, orgId, source }) => {
      const party = findParty(db, orgId ?? '', source)
      const lease = party && findBooking(db, party.orgId, party.bookingId)
      if (!party || lease?.status !== 'PENDING') return
      await tell(id, lease, party.id, 'lease_proposed', (t, url) => t.invited[party.role](lease, url))
    },
    'lease.signed': async ({ id, orgId, source }) => {
      const signed = signatureOf(orgId, source)
      if (signed?.signature.status !== 'VALID') return
      const { lease, signature } = signed
      const { orgId: org, ownerUserId, propertyId } = lease
      const side = signature.party === 'LANDLORD' ? 'TENANT' : 'LANDLORD'
      // It is their turn only if they have not signed yet.
      if (validSignatures(db, org, lease.id).some(({ party }) => party === side)) return
      if (side === 'TENANT') await tell(id, lease, side, 'lease_signed', (t, url) => t.signed.LANDLORD(lease, url))
      else
        await tellLandlords(deps, {
          ...{ id, orgId: org, ownerUserId, propertyId, kind: 'LEASE_SIGNED', by: signature.userId },
          say: (locale) => TEXTS[locale].signed[signature.party](lease, deps.config.publicUrl),
        })
    },
    'lease.unsigned': async ({ id, orgId, source }) => {
      const signed = signatureOf(orgId, source)
      if (!signed) return
      const { lease, signature } = signed
      const who = signature.party === 'TENANT' ? 'TENANT' : (signature.signerId ?? signature.userId)
      if (who !== null) await tell(id, lease, who, 'lease_unsigned', (t, url) => t.unsigned(lease, url))
    },
    'lease.agreed': async ({ id, orgId, source }) => {
      const [bookingId = '', who = ''] = source.split(':')
      const lease = findBooking(db, orgId ?? '', bookingId)
      if (lease?.status !== 'ACTIVE') return
      const onPaper = signedCopyOf(db, lease.orgId, lease.id) !== undefined
      const all = leaseParties(db, lease.orgId, lease.id).length > 0
      await tell(id, lease, who, 'lease_agreed', (t) => (onPaper ? t.onPaper : all ? t.agreedByAll : t.agreed)(lease))
    },
  }
}
