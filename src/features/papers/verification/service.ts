import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/open.ts'
import { change, type Patch, record } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { CASE_PAPERS } from '../../../core/budgets.ts'
import { addDays } from '../../../core/dates.ts'
import { next } from '../../../core/lifecycle.ts'
import { AppError, hold, invalid, notFound, refused, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { getProperty } from '../../property/properties/store.ts'
import { forgetFile, ownPaper } from '../media/service.ts'
import type { Attach, FullCase } from './model.ts'
import {
  datesRule,
  isComplete,
  lapsedBefore,
  lapses,
  NEEDS_NOTE,
  proofTypeOf,
  REMIND_DAYS,
  type ReviewAction,
  takesDocuments,
  verificationMoves,
} from './rules.ts'
import {
  attachedElsewhere,
  attachersOf,
  CASE_LEFT,
  type CaseRow,
  casesAbout,
  deleteCase,
  deleteDocuments,
  documentsOf,
  findCase,
  hasOpenKyc,
  hasOpenProof,
  insertCase,
  insertDocument,
  isOpen,
  saveCase,
  setReminder,
  type VerificationDocumentRow,
} from './store.ts'

const full = (db: Db, row: CaseRow): FullCase => ({ ...row, documents: documentsOf(db, row.orgId, row.id) })

/** The address by which a case is requested decides who may see it. */
export type Door = 'kyc' | 'proof' | 'admin'
/** A case as far as the caller sees it: their own KYC, proofs of properties that they manage, for reviewers every one. */
export function seeCase(db: Db, caller: Caller, door: Door, id: string): FullCase | undefined {
  const row = findCase(db, caller.orgId, id)
  if (!row) return undefined
  if (door === 'admin') return full(db, row)
  if ((door === 'kyc') !== (row.kind === 'OWNER_KYC')) return undefined
  const seen =
    row.propertyId === null
      ? row.subjectUserId === caller.userId
      : getProperty(db, row.orgId, caller.scope, row.propertyId) !== undefined
  return seen ? full(db, row) : undefined
}

function caseOf(ctx: Ctx, door: Door, id: string): FullCase {
  const row = seeCase(ctx.tx, ctx.caller, door, id)
  if (!row) throw notFound()
  return row
}

function create(ctx: Ctx, of: Pick<CaseRow, 'kind' | 'proofType' | 'propertyId' | 'subjectUserId'>): FullCase {
  const row: CaseRow = {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    ...of,
    createdBy: ctx.caller.userId,
    status: 'DRAFT',
    assignedTo: null,
    reviewedBy: null,
    reviewNote: null,
    createdAt: ctx.now,
    submittedAt: null,
    submittedBy: null,
    reviewedAt: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertCase(ctx.tx, row)
  record(ctx, 'verification.create', { type: 'verification', after: row })
  return { ...row, documents: [] }
}

/** Opens a check of the caller's own identity. @throws duplicate while another case of theirs is open */
export function createKyc(ctx: Ctx): FullCase {
  const { orgId, userId } = ctx.caller
  if (hasOpenKyc(ctx.tx, { orgId, userId })) throw new AppError('duplicate')
  return create(ctx, { kind: 'OWNER_KYC', proofType: null, propertyId: null, subjectUserId: userId })
}

/** Opens a proof of ownership of a property. @throws not_found, duplicate while another case of the property is open */
export function createProof(ctx: Ctx, propertyId: string): FullCase {
  const property = propertyOf(ctx, propertyId)
  if (hasOpenProof(ctx.tx, property.orgId, propertyId)) throw refusedAt('/propertyId', 'duplicate')
  return create(ctx, {
    kind: 'PROPERTY_PROOF',
    proofType: 'OWNERSHIP',
    propertyId,
    subjectUserId: property.ownerUserId,
  })
}

/**
 * Adds a paper to a case that is with its subject: a file that the caller uploaded for a verification.
 * @throws not_found for any other file, invalid_state, duplicate, validation_failed
 */
export function attachDocument(ctx: Ctx, door: Door, id: string, body: Attach): FullCase {
  const before = caseOf(ctx, door, id)
  const { id: mediaObjectId } = ownPaper(ctx, body.mediaObjectId, '/mediaObjectId', 'VERIFICATION')
  if (!takesDocuments(before.status)) throw refused(before.status, [])
  if (before.documents.some((d) => d.mediaObjectId === mediaObjectId)) throw refusedAt('/mediaObjectId', 'duplicate')
  if (attachedElsewhere(ctx.tx, before.orgId, id, mediaObjectId))
    throw refusedAt('/mediaObjectId', 'duplicate', {
      en: 'This file belongs to another verification.',
      fr: 'Ce fichier fait partie d’une autre vérification.',
    })
  hold(datesRule(body, todayOf(ctx)))
  if (before.documents.length >= CASE_PAPERS)
    throw invalid('/mediaObjectId', `Has at most ${CASE_PAPERS} documents.`, `Au plus ${CASE_PAPERS} documents.`)
  const document: VerificationDocumentRow = {
    id: ctx.newId(),
    orgId: before.orgId,
    caseId: id,
    mediaObjectId,
    role: body.role,
    documentType: body.documentType ?? null,
    certifyingAuthority: body.certifyingAuthority ?? null,
    certificateRef: body.certificateRef ?? null,
    certifiedOn: body.certifiedOn ?? null,
    expiresOn: body.expiresOn ?? null,
    remindOn: null,
    createdAt: ctx.now,
  }
  insertDocument(ctx.tx, document)
  const roles = [...before.documents, document].map(({ role }) => role)
  return save(ctx, 'attach', before, before.kind === 'PROPERTY_PROOF' ? { proofType: proofTypeOf(roles) } : {})
}

/** Hands a case in; doing it twice changes nothing. @throws invalid_state, documents_missing */
export function submitCase(ctx: Ctx, door: Door, id: string): FullCase {
  const before = caseOf(ctx, door, id)
  const step = next(verificationMoves, before.status, 'submit')
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, withoutReview(step.allowed))
  const roles = before.documents.map(({ role }) => role)
  if (!isComplete(before.kind, roles)) throw new AppError('documents_missing')
  return save(ctx, 'submit', before, { status: step.to, submittedAt: ctx.now, submittedBy: ctx.caller.userId })
}
const withoutReview = (actions: readonly string[]): string[] => actions.filter((action) => action === 'submit')

/**
 * A move of a reviewer, who neither opened nor handed in the case nor attached a paper; doing it twice changes nothing. A
 * job tells the subject the outcome.
 * @throws self_review, invalid_state, validation_failed without the note that a refusal needs
 */
export function reviewCase(ctx: Ctx, id: string, action: ReviewAction, input: string | null | undefined): FullCase {
  const before = caseOf(ctx, 'admin', id)
  const { userId } = ctx.caller
  const concerned = [before.subjectUserId, before.createdBy, before.submittedBy, ...attachersOf(ctx.tx, before)]
  if (concerned.includes(userId)) throw new AppError('self_review')
  const step = next(verificationMoves, before.status, action)
  if (step.kind === 'already') return before
  if (step.kind === 'refused')
    throw refused(
      before.status,
      step.allowed.filter((name) => name !== 'submit'),
    )
  const note = input ?? null
  if (NEEDS_NOTE.includes(action) && note === null)
    throw invalid('/note', 'Say why, for the person concerned.', 'Dites pourquoi, pour la personne concernée.')
  if (action === 'start-review') return save(ctx, action, before, { status: step.to, assignedTo: userId })
  const decided = { status: step.to, reviewedBy: userId, reviewNote: note, reviewedAt: ctx.now }
  const after = save(ctx, action, before, decided)
  const today = todayOf(ctx)
  for (const document of after.documents)
    setReminder(ctx.tx, document, action === 'approve' ? nextReminder(document, today) : null)
  enqueue(ctx, 'verification.decided', `${id}:${after.version}`, { caseId: id, status: after.status, note: note ?? '' })
  return after
}

/** The first of a paper's reminders that falls on a day or later. */
function nextReminder({ expiresOn }: VerificationDocumentRow, from: string): string | null {
  if (expiresOn === null || expiresOn < from) return null
  return REMIND_DAYS.map((days) => addDays(expiresOn, -days)).find((day) => day >= from) ?? null
}

/** Reminds the subject of an approved case that a paper expires. @returns whether there was something to say */
export function remindOfExpiry(ctx: Ctx, caseId: string, documentId: string): boolean {
  const row = findCase(ctx.tx, ctx.caller.orgId, caseId)
  const document = row && documentsOf(ctx.tx, row.orgId, caseId).find(({ id }) => id === documentId)
  if (!row || !document?.remindOn || document.expiresOn === null) return false
  const today = todayOf(ctx)
  if (document.remindOn > today) return false
  setReminder(ctx.tx, document, nextReminder(document, addDays(today, 1)))
  if (row.status !== 'APPROVED') return false
  enqueue(ctx, 'verification.expiring', `${documentId}:${document.remindOn}`, {
    caseId,
    expiresOn: document.expiresOn,
  })
  return true
}

/**
 * Forgets the papers of all cases about a person, and the cases that nobody decided; a decision stays, without its note.
 * @returns the files that were papers
 */
export const forgetCases = (ctx: Ctx, userId: string): string[] =>
  casesAbout(ctx.tx)
    .all({ orgId: ctx.caller.orgId, userId })
    .flatMap((row) => forgetCase(ctx, row))

/** Deletes the papers of a case that failed half a year ago, and the whole case if it was never handed in. */
export function lapseCase(ctx: Ctx, id: string): void {
  const row = findCase(ctx.tx, ctx.caller.orgId, id)
  if (row && lapses(row.status) && row.updatedAt < lapsedBefore(ctx.nowMs))
    for (const file of forgetCase(ctx, row)) forgetFile(ctx, file)
}

function forgetCase(ctx: Ctx, row: CaseRow): string[] {
  const files = documentsOf(ctx.tx, row.orgId, row.id).map(({ mediaObjectId }) => mediaObjectId)
  deleteDocuments(ctx.tx, row)
  if (isOpen(row)) {
    deleteCase(ctx.tx, row)
    record(ctx, 'verification.forget', { type: 'verification', before: row })
  } else if (!isDeepStrictEqual({ ...row, ...CASE_LEFT }, row))
    save(ctx, 'forget', { ...row, documents: [] }, CASE_LEFT)
  return files
}

function save(
  ctx: Ctx,
  action: string,
  { documents: _, ...before }: FullCase,
  patch: Patch<typeof saveCase>,
): FullCase {
  return full(ctx.tx, change(ctx, saveCase, before, patch, `verification.${action}`))
}
