import { all, isText, notAhead, wrongAt } from '../../../core/body-rules.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

export const VERIFICATION_KINDS = ['OWNER_KYC', 'PROPERTY_PROOF'] as const
export type VerificationKind = (typeof VERIFICATION_KINDS)[number]
export const PROOF_TYPES = ['OWNERSHIP', 'MANDATE'] as const
export type ProofType = (typeof PROOF_TYPES)[number]
export const VERIFICATION_STATUS = [
  'DRAFT',
  'SUBMITTED',
  'UNDER_REVIEW',
  'MORE_INFO_REQUESTED',
  'APPROVED',
  'REJECTED',
  'REVOKED',
] as const
export type VerificationStatus = (typeof VERIFICATION_STATUS)[number]
export const DOCUMENT_ROLES = [
  'SELF_ID',
  'PROOF_OF_OWNERSHIP',
  'ATTESTATION',
  'OWNER_MANDATE',
  'OWNER_ID',
  'OTHER',
] as const
export type DocumentRole = (typeof DOCUMENT_ROLES)[number]
export const DOCUMENT_TYPES = ['NATIONAL_ID', 'PASSPORT', 'RESIDENCE_PERMIT', 'DRIVER_LICENSE'] as const
export const AUTHORITIES = ['POLICE', 'MAIRIE', 'NOTARY', 'NONE'] as const

export type ReviewAction = 'start-review' | 'approve' | 'reject' | 'request-info' | 'revoke'
export type VerificationAction = 'submit' | ReviewAction
export const verificationMoves: Transitions<VerificationStatus, VerificationAction> = {
  submit: { from: ['DRAFT', 'MORE_INFO_REQUESTED'], to: 'SUBMITTED' },
  'start-review': { from: ['SUBMITTED'], to: 'UNDER_REVIEW' },
  approve: { from: ['UNDER_REVIEW'], to: 'APPROVED' },
  reject: { from: ['UNDER_REVIEW'], to: 'REJECTED' },
  'request-info': { from: ['UNDER_REVIEW'], to: 'MORE_INFO_REQUESTED' },
  revoke: { from: ['APPROVED'], to: 'REVOKED' },
}
/** Actions that must say why. */
export const NEEDS_NOTE: readonly VerificationAction[] = ['reject', 'request-info', 'revoke']

/** Papers are attached while the case is with its subject. */
export const takesDocuments = (status: VerificationStatus): boolean => verificationMoves.submit.from.includes(status)

/** Whether a case has all papers that it requires. */
export function isComplete(kind: VerificationKind, roles: readonly DocumentRole[]): boolean {
  if (kind === 'OWNER_KYC') return roles.includes('SELF_ID')
  return roles.includes('PROOF_OF_OWNERSHIP') || (roles.includes('OWNER_MANDATE') && roles.includes('OWNER_ID'))
}
export const proofTypeOf = (roles: readonly DocumentRole[]): ProofType =>
  roles.includes('OWNER_MANDATE') ? 'MANDATE' : 'OWNERSHIP'

/** How many days before a paper expires its subject is reminded. */
export const REMIND_DAYS = [30, 7, 0] as const

/** Statuses of failed cases: never handed in, sent back and not corrected, or rejected. */
const LAPSING = ['DRAFT', 'MORE_INFO_REQUESTED', 'REJECTED'] as const satisfies readonly VerificationStatus[]
export const lapses = (status: VerificationStatus): boolean => (LAPSING as readonly string[]).includes(status)
/** Their papers are kept for half a year after the last change. */
const LAPSE_DAYS = 183
export const lapsedBefore = (nowMs: number): string => new Date(nowMs - LAPSE_DAYS * DAY_MS).toISOString()

const TOO_EARLY = { en: 'Cannot be before certifiedOn.', fr: 'Ne peut pas précéder certifiedOn.' }
/** A paper was certified on a day that has come, and expires after it. */
export const datesRule = all(notAhead('certifiedOn'), ({ certifiedOn, expiresOn }) =>
  isText(certifiedOn) && isText(expiresOn) && expiresOn < certifiedOn ? wrongAt(TOO_EARLY, '/expiresOn') : [],
)
