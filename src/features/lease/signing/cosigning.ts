import { hash } from 'node:crypto'
import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { type Ctx, systemCtx } from '../../../context.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type CommitThenFail, commitThenFail, invalid, refused } from '../../../errors.ts'
import { DOWNLOAD_SECONDS } from '../../papers/documents/rules.ts'
import { type DocumentRow, findDocument, standingDocuments } from '../../papers/documents/store.ts'
import { type PhoneChallenge, redeemCode, requestCode } from '../../people/codes/service.ts'
import { checkLinkCodes, spendLinkCode } from '../../people/messages/budgets.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findUser } from '../../people/users/store.ts'
import type { LeasePartiesPut } from '../contracts/model.ts'
import { replaceParties } from '../contracts/parties.ts'
import { inviteParties, partyOfToken, refreshLease } from '../contracts/service.ts'
import {
  leaseParties,
  type Parties,
  type PartyRow,
  partyOfLink,
  type SignatureRow,
  validSignatures,
} from '../contracts/store.ts'
import { bookingOf } from '../leases/service.ts'
import { findBooking } from '../leases/store.ts'
import { addAndAgree, evidenceOf } from './service.ts'

/** The co-tenants and guarantors of a lease, with the signatures that count. */
export function partiesOn(db: Db, orgId: string, bookingId: string): Parties {
  const rows = leaseParties(db, orgId, bookingId)
  const signatures = validSignatures(db, orgId, bookingId).filter(({ signerId }) => signerId !== null)
  const state = [...rows, ...signatures].map(({ id, version }) => `${id}:${version}`).join()
  const version = Number.parseInt(hash('sha256', `${bookingId} ${state}`, 'hex').slice(0, 12), 16)
  return { id: bookingId, rows, signatures, version }
}

type NewParty = LeasePartiesPut['parties'][number]
/** Nobody signs twice: each signs by a number of their own. @throws validation_failed */
function checkNumbers(ctx: Ctx, lease: BookingRow, parties: readonly NewParty[]): void {
  const landlord = findUser(ctx.tx, lease.orgId, lease.ownerUserId)?.phoneNumber
  const tenant = findTenant(ctx.tx, lease.orgId, lease.tenantId)?.phoneNumber
  const account = lease.tenantUserId === null ? undefined : findUser(ctx.tx, lease.orgId, lease.tenantUserId)
  const taken = new Set([landlord, tenant, account?.phoneNumber])
  for (const [i, { phoneNumber }] of parties.entries()) {
    if (taken.has(phoneNumber))
      throw invalid(
        `/parties/${i}/phoneNumber`,
        'Each party signs with a number of their own. This number belongs to another party of the lease.',
        'Chaque partie signe par son propre numéro : celui-ci est celui d’une autre partie du bail.',
      )
    taken.add(phoneNumber)
  }
}

/**
 * Puts these co-tenants and guarantors on a DRAFT or PENDING lease in place of those before; the text of a lease that is
 * out for signing is made anew. @throws not_found, invalid_state, validation_failed
 */
export function putParties(ctx: Ctx, bookingId: string, { parties }: LeasePartiesPut): Parties {
  const lease = bookingOf(ctx, bookingId)
  if (lease.status !== 'DRAFT' && lease.status !== 'PENDING') throw refused(lease.status, [])
  const before = leaseParties(ctx.tx, lease.orgId, lease.id)
  for (const [i, { id }] of parties.entries())
    if (id && (!before.some((row) => row.id === id) || parties.findIndex((other) => other.id === id) < i))
      throw invalid(
        `/parties/${i}/id`,
        'No party of this lease has this id, or the id is given twice.',
        'Aucune partie de ce bail n’a cet identifiant, ou il est donné deux fois.',
      )
  checkNumbers(ctx, lease, parties)
  const complete = parties.map(({ id, ...party }) => ({
    ...party,
    id: id ?? undefined,
    idType: party.idType ?? null,
    idNumber: party.idNumber ?? null,
    address: party.address ?? null,
  }))
  replaceParties(ctx, lease, complete)
  if (lease.status === 'PENDING') {
    refreshLease(ctx, lease)
    inviteParties(ctx, lease)
  }
  return partiesOn(ctx.tx, lease.orgId, lease.id)
}

/** What a link is good for now. `signed`: its person signed the text that is out or in force. */
export type Invited =
  | { readonly state: 'unknown' | 'closed' }
  | { readonly state: 'open' | 'signed'; readonly party: PartyRow; readonly lease: BookingRow }

/** Days for which the link shows the lease to a person who has signed it. */
const SHOWN_DAYS = 60

/** The party of a link, and whether there is something to sign. */
export function openInvitation(deps: Pick<Deps, 'masterKey' | 'clock' | 'store'>, db: Db, token: string): Invited {
  const id = partyOfToken(deps, token)
  if (id === undefined) return { state: 'unknown' }
  const party = partyOfLink(db).get({ id })
  const lease = party && findBooking(db, party.orgId, party.bookingId)
  if (!party || !lease || (lease.status !== 'PENDING' && lease.status !== 'ACTIVE')) return { state: 'closed' }
  deps.store.checkRead(lease.orgId)
  const signed = validSignatures(db, lease.orgId, lease.id).find(({ signerId }) => signerId === party.id)
  if (signed && lease.status === 'ACTIVE' && Date.parse(signed.signedAt) + SHOWN_DAYS * DAY_MS <= deps.clock.wall())
    return { state: 'closed' }
  if (signed) return { state: 'signed', party, lease }
  return lease.status === 'PENDING' ? { state: 'open', party, lease } : { state: 'closed' }
}

/** A link of a few minutes to the lease as it stands; undefined while it is being drawn up. */
export function leasePaper({ db, links }: Pick<Deps, 'db' | 'links'>, { orgId, id }: BookingRow): string | undefined {
  const standing = standingDocuments(db, orgId, id).findLast(({ kind }) => kind === 'LEASE_CONTRACT')
  const paper = standing && findDocument(db, orgId, standing.id)
  if (paper?.status !== 'READY') return undefined
  return links.sign('GET', '/media-files', paper.id, DOWNLOAD_SECONDS, { of: 'document', disposition: 'inline' }).url
}

type Signing = { readonly address: string; readonly requestId: string; readonly locale: 'fr' | 'en' }
type Signable = { readonly party: PartyRow; readonly lease: BookingRow; readonly contract: DocumentRow }

/** The text that the holder of a link may sign now. @throws link_expired, contract_not_ready */
function signable(deps: Deps, ctx: Ctx, token: string): Signable | CommitThenFail {
  const invitation = openInvitation(deps, ctx.tx, token)
  if (invitation.state !== 'open') throw new AppError('link_expired')
  const contract = refreshLease(ctx, invitation.lease)
  if (!contract) return commitThenFail(new AppError('contract_not_ready'))
  if (contract.status !== 'READY') throw new AppError('contract_not_ready')
  return { ...invitation, contract }
}

/** A code is good for one text and one signer only. */
const subjectOf = ({ contract, party }: Signable): string => `${contract.id}:${party.id}`

/**
 * Sends a code to the number that the landlord entered for the holder of the link.
 * @throws link_expired, contract_not_ready, too_many_requests, delivery_unavailable
 */
export async function codeForParty(
  deps: Deps,
  token: string,
  { address, requestId, locale }: Signing,
): Promise<PhoneChallenge> {
  const invitation = openInvitation(deps, deps.db, token)
  if (invitation.state !== 'open') throw new AppError('link_expired')
  const { orgId } = invitation.party
  const pending = (await deps.write(orgId, (tx) => {
    checkLinkCodes(deps, tx, orgId)
    return signable(deps, systemCtx(deps, tx, orgId, requestId), token)
  })) as Signable
  const sent = await requestCode(deps, {
    purpose: 'SIGNING',
    phoneNumber: pending.party.phoneNumber ?? '',
    // Budgets count by person: here that is the party, who has no account.
    userId: pending.party.id,
    subject: subjectOf(pending),
    signs: { kind: 'LEASE', number: pending.contract.number },
    orgId,
    channel: undefined,
    address,
    locale,
  })
  await deps.write(null, (tx) => spendLinkCode(deps, tx, orgId))
  return sent
}

type Typed = { readonly challengeId: string; readonly code: string; readonly fullName: string }
/**
 * The signature of the holder of a link; the last one makes the lease ACTIVE in the same write.
 * @throws link_expired, contract_not_ready, challenge_gone, wrong_code, attempts_exhausted
 */
export async function signByLink(
  deps: Deps,
  token: string,
  { challengeId, code, fullName }: Typed,
  { requestId }: Pick<Signing, 'requestId'>,
): Promise<SignatureRow> {
  const invitation = openInvitation(deps, deps.db, token)
  if (invitation.state !== 'open') throw new AppError('link_expired')
  const { orgId } = invitation.party
  return deps.write(orgId, (tx) => {
    const ctx = systemCtx(deps, tx, orgId, requestId)
    const pending = signable(deps, ctx, token)
    if (!('contract' in pending)) return pending
    const { party, lease, contract } = pending
    const { phoneNumber } = party
    const subject = subjectOf(pending)
    const met = redeemCode(deps, tx, { purpose: 'SIGNING', challengeId, code, userId: party.id, subject, phoneNumber })
    if (!('phoneNumber' in met)) return met
    const evidence = evidenceOf(deps, ctx, contract, met)
    const who = { party: party.role, userId: null, signerId: party.id, onBehalf: false, fullName }
    const row = { ...evidence, ...who, bookingId: lease.id, voidReason: null }
    addAndAgree(ctx, lease, contract, row)
    return row
  })
}
