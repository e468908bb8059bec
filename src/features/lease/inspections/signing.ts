import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InspectionData } from '../../../adapters/pdf/port.ts'
import type { Asking, Ctx } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { next } from '../../../core/lifecycle.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { unlessNull } from '../../papers/documents/parties.ts'
import { nameSignedCopy, requestDocument, voidDocuments } from '../../papers/documents/service.ts'
import { countDocuments, findDocument } from '../../papers/documents/store.ts'
import { redeemOwnCode, requestOwnCode } from '../../people/accounts/own-phone.ts'
import type { PhoneChallenge } from '../../people/codes/service.ts'
import { organizationOf } from '../../people/organizations/service.ts'
import { leaseOf } from '../leases/service.ts'
import { contextOf, evidenceOf, ownScan, partyOf } from '../signing/service.ts'
import type { InspectionSign } from './model.ts'
import { compared, deductionsOf, inspectionMoves } from './rules.ts'
import {
  addInspectionSignature,
  draftOf,
  entryOf,
  inspectionFor,
  isLandlord,
  keepScan,
  moveInspection,
  scanOf,
  voidInspectionSignatures,
  whole,
} from './service.ts'
import { type InspectionRow, type InspectionSignatureRow, inspectionSignatures, photosOfInspection } from './store.ts'

type Signed = {
  readonly signatures: readonly InspectionSignatureRow[]
  readonly text: { number: string; sha256: string | null }
}
/** Makes the paper of an inspection, for signing or signed. @returns its id */
function requestPaper(ctx: Ctx, row: InspectionRow, lease: BookingRow, signed?: Signed): string {
  const entry = entryOf(ctx.tx, row)
  const entryNumber = entry?.documentId ? findDocument(ctx.tx, row.orgId, entry.documentId)?.number : undefined
  const photos = photosOfInspection(ctx.tx, row.orgId, row.id)
  const all = compared(row.rooms, entry?.rooms)
  const of = new Map(all.map((item) => [item.id, item]))
  const places = new Map(
    row.rooms.flatMap(
      (room) =>
        [[room.id, room.name], ...room.items.map((i) => [i.id, `${room.name} – ${i.name}`])] as [string, string][],
    ),
  )
  const count = (place: string): number => photos.filter((photo) => photo.place === place).length
  return requestDocument(ctx, {
    kind: 'INSPECTION',
    ...(signed ? { variant: 'SIGNED' as const } : {}),
    source: `inspection:${row.id}:${signed ? 'signed' : row.version}`,
    lease,
    data: (head): InspectionData => ({
      ...head,
      kind: row.kind,
      inspectedOn: row.inspectedOn,
      rooms: row.rooms.map(({ id, name, items }) => ({
        name: count(id) > 0 ? `${name} (${count(id)} photo${count(id) > 1 ? 's' : ''})` : name,
        items: items.map((item) => ({
          name: item.name,
          state: item.state,
          before: of.get(item.id)?.before,
          note: item.note,
          deduction: item.deduction,
          photos: count(item.id),
        })),
      })),
      meters: row.meters.map((meter) => ({
        ...meter,
        before: entry?.meters.find(({ kind, number }) => kind === meter.kind && number === meter.number)?.reading,
      })),
      keyCount: unlessNull(row.keyCount),
      keysBefore: unlessNull(entry?.keyCount),
      note: unlessNull(row.note),
      ...(entry && entryNumber ? { entry: { number: entryNumber, inspectedOn: entry.inspectedOn } } : {}),
      deductionAmount: deductionsOf(all).reduce((sum, { deduction }) => sum + deduction, 0),
      photos: photos.map(({ place, sha256 }) => ({ place: places.get(place) ?? '–', sha256 })),
      timeZone: organizationOf(ctx).timeZone,
      signatures: (signed?.signatures ?? []).map((s) => ({
        party: s.party,
        name: s.fullName,
        onBehalfOf: s.onBehalf ? head.landlord.name : undefined,
        signedAt: s.signedAt,
        evidence: `${s.channel === 'SMS' ? 'SMS' : 'WhatsApp'} ${s.maskedNumber}`,
        remarks: unlessNull(s.remarks),
      })),
      signedSha256: unlessNull(signed?.text.sha256),
      signedNumber: signed?.text.number,
    }),
  })
}

/** Sends it out for both to sign: the paper is made, and the tenant sees it. @throws what `draftOf` does; validation_failed without anything checked; quota_exceeded */
export function proposeInspection(ctx: Ctx, id: string): InspectionRow {
  const present = inspectionFor(ctx, id)
  if (isLandlord(ctx.caller, present) && present.status === 'PROPOSED') return present
  const before = draftOf(ctx, id)
  if (!before.rooms.some(({ items }) => items.some(({ state }) => state !== 'NOT_CHECKED')))
    throw invalid('/rooms', 'Nothing is checked yet.', 'Rien n’est encore vérifié.')
  if (countDocuments(ctx.tx, before.orgId, `inspection:${id}`) >= RECORDS.inspection)
    throw new AppError('quota_exceeded', {
      en: `An inspection can be sent out for signing at most ${RECORDS.inspection} times. Sign it by hand instead.`,
      fr: `Un état des lieux part à la signature au plus ${RECORDS.inspection} fois. Signez-en un à la main.`,
    })
  const lease = leaseOf(ctx, before.bookingId)
  const documentId = requestPaper(ctx, before, lease)
  const patch = { status: 'PROPOSED', documentId, proposedAt: ctx.now } as const
  const after = moveInspection(ctx, before, patch, 'inspection.propose')
  enqueue(ctx, 'inspection.proposed', `${id}:${after.version}`, { id })
  return after
}

/** Takes it back to change it: signatures no longer count. @throws not_found, forbidden, invalid_state */
export function reviseInspection(ctx: Ctx, id: string): InspectionRow {
  const before = inspectionFor(ctx, id)
  if (!isLandlord(ctx.caller, before)) throw new AppError('forbidden')
  const step = next(inspectionMoves, before.status, 'revise')
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  const voided = voidInspectionSignatures(ctx, before)
  voidDocuments(ctx, before.bookingId, (d) => d.id === before.documentId, 'REPLACED')
  const patch = { status: 'DRAFT', documentId: null, proposedAt: null } as const
  const after = moveInspection(ctx, before, patch, 'inspection.revise')
  if (voided > 0) enqueue(ctx, 'inspection.revised', `${id}:${after.version}`, { id })
  return after
}

/** Both have signed: the signed paper takes the place of the one that went out. */
function completeInspection(
  ctx: Ctx,
  before: InspectionRow,
  signatures: readonly InspectionSignatureRow[],
): InspectionRow {
  const lease = leaseOf(ctx, before.bookingId)
  const text = findDocument(ctx.tx, before.orgId, before.documentId ?? '')
  if (!text) throw notFound()
  const documentId = requestPaper(ctx, before, lease, { signatures, text })
  voidDocuments(ctx, before.bookingId, (d) => d.id === before.documentId, 'REPLACED')
  const patch = { status: 'SIGNED', documentId, signedAt: ctx.now } as const
  const after = moveInspection(ctx, before, patch, 'inspection.complete')
  enqueue(ctx, 'inspection.signed', before.id, { id: before.id })
  return after
}

/**
 * The scan of a PROPOSED inspection that both signed by hand, one of the landlord's own files: it is SIGNED with it. The
 * same file again changes nothing. @throws not_found, forbidden, invalid_state, validation_failed
 */
export function attachInspectionScan(ctx: Ctx, id: string, mediaObjectId: string): InspectionRow {
  const before = inspectionFor(ctx, id)
  if (!isLandlord(ctx.caller, before)) throw new AppError('forbidden')
  if (scanOf(ctx.tx, before)?.mediaObjectId === mediaObjectId) return before
  const file = ownScan(ctx, mediaObjectId)
  if (before.status !== 'PROPOSED') throw refused(before.status, before.status === 'DRAFT' ? ['propose'] : [])
  const after = keepScan(ctx, before, mediaObjectId, file.sha256 ?? '')
  nameSignedCopy(ctx, before.bookingId, (d) => d.id === before.documentId, mediaObjectId)
  enqueue(ctx, 'inspection.signed', id, { id })
  return after
}

/** An inspection with all that its readers see beside it. */
export const asSeen = whole

/** The inspection that the caller may sign now. @throws not_found, forbidden, invalid_state, duplicate, contract_not_ready */
function signable(ctx: Ctx, id: string) {
  const row = inspectionFor(ctx, id)
  const signer = partyOf(ctx.caller, row)
  if (row.status !== 'PROPOSED') throw refused(row.status, [])
  const signatures = inspectionSignatures(ctx.tx, row.orgId, id)
  if (signatures.some(({ party }) => party === signer.party))
    throw new AppError('duplicate', {
      en: 'This party has already signed the inspection.',
      fr: 'Cette partie a déjà signé l’état des lieux.',
    })
  // Nobody can sign for both sides.
  if (signatures.some((s) => s.userId === ctx.caller.userId)) throw new AppError('forbidden')
  const paper = findDocument(ctx.tx, row.orgId, row.documentId ?? '')
  if (paper?.status !== 'READY') throw new AppError('contract_not_ready')
  return { row, paper, ...signer, subject: `${paper.id}:${signer.party}` }
}

/** A code to the caller's own number on file. */
export async function requestInspectionCode(
  deps: Deps,
  signer: Asking,
  id: string,
  channel: 'WHATSAPP' | 'SMS' | undefined,
): Promise<PhoneChallenge> {
  const { subject, paper } = await deps.write(signer.caller.orgId, (tx) => signable(contextOf(deps, tx, signer), id))
  const signs = { kind: 'INSPECTION', number: paper.number } as const
  return requestOwnCode(deps, signer, { purpose: 'SIGNING', subject, signs, channel })
}

/**
 * The caller's signature under the inspection as it is out; with the other party's it is SIGNED in the same write.
 * @throws what `signable` does; challenge_gone, wrong_code, attempts_exhausted
 */
export function signInspection(deps: Deps, signer: Asking, id: string, body: InspectionSign): Promise<InspectionRow> {
  const { userId, orgId } = signer.caller
  const { challengeId, code, fullName, remarks } = body
  return deps.write(orgId, (tx) => {
    const ctx = contextOf(deps, tx, signer)
    const { row, paper, party, onBehalf, subject } = signable(ctx, id)
    const met = redeemOwnCode(deps, tx, signer.caller, { purpose: 'SIGNING', challengeId, code, subject })
    if (!('phoneNumber' in met)) return met
    const who = { party, userId, onBehalf, fullName, remarks: remarks ?? null }
    const signature = { ...evidenceOf(deps, ctx, paper, met), ...who, inspectionId: id }
    const { after, signatures } = addInspectionSignature(ctx, row, signature)
    if (signatures.length === 2) return completeInspection(ctx, after, signatures)
    enqueue(ctx, 'inspection.turn', signature.id, { id, party })
    return after
  })
}
