import { DAY_MS } from '../../../core/dates.ts'
export const DOCUMENT_KINDS = [
  'LEASE_CONTRACT',
  'INVOICE',
  'RECEIPT',
  'STATEMENT',
  'LEASE_NOTICE',
  'INSPECTION',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
/**
 * A lease: out for signing, in force without electronic signatures, or with them. A receipt: in full, for a part, for a
 * refund, which the tenant signs, for a deposit, or the tenant's discharge of one given back. An invoice: its credit note. A lease notice: a change of the rent that counts by itself,
 * one for the tenant to sign and the signed one, or a notice to leave.
 */
export const DOCUMENT_VARIANTS = [
  'PROPOSED',
  'UNSIGNED',
  'SIGNED',
  'FULL',
  'PARTIAL',
  'REFUND',
  'DEPOSIT',
  'DEPOSIT_RETURNED',
  'CREDIT_NOTE',
  'CHARGES',
  'RENT_CHANGE',
  'RIDER',
  'RIDER_SIGNED',
  'LEAVE',
] as const
export type DocumentVariant = (typeof DOCUMENT_VARIANTS)[number]
/** PENDING until the file is there; FAILED is tried again each day. */
export const DOCUMENT_STATUS = ['PENDING', 'READY', 'FAILED'] as const
export const FAILURES = ['DRAWING', 'STORAGE'] as const
export type Failure = (typeof FAILURES)[number]
/** Why a paper no longer stands: its payment was reversed, its invoice or lease cancelled, or another took its place. */
export const VOID_REASONS = ['REVERSED', 'CANCELLED', 'REPLACED'] as const
export type VoidReason = (typeof VOID_REASONS)[number]

export const TEMPLATES = {
  LEASE_CONTRACT: 'lease',
  INVOICE: 'invoice',
  RECEIPT: 'receipt',
  STATEMENT: 'statement',
  LEASE_NOTICE: 'leaseNotice',
  INSPECTION: 'inspection',
} as const satisfies Record<DocumentKind, string>

const RETRY_MS = [1_000, 10_000, 60_000, 600_000]
const STORAGE_MS = 30_000
/**
 * When a paper is retried and its status until then. A full disk is retried without limit; a drawing that fails five
 * times is FAILED.
 */
export function retry(failure: Failure, attempts: number): { status: 'PENDING' | 'FAILED'; afterMs: number } {
  if (failure === 'STORAGE') return { status: 'PENDING', afterMs: STORAGE_MS }
  const wait = RETRY_MS[attempts - 1]
  return wait === undefined ? { status: 'FAILED', afterMs: DAY_MS } : { status: 'PENDING', afterMs: wait }
}

/** Numbers of leases, receipts, statements and lease notices run through a year, `R-2026`; an invoice has its own. */
export const SERIES = { LEASE_CONTRACT: 'L', RECEIPT: 'R', STATEMENT: 'S', LEASE_NOTICE: 'A', INSPECTION: 'E' } as const

// Crockford's base 32: no letter that is taken for a digit.
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
export const CODE_LENGTH = 26
/** A code as it may be typed: in capitals, with blanks or dashes, O for 0, I or L for 1; undefined for what is none. */
export function readCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return code.length === CODE_LENGTH && [...code].every((c) => ALPHABET.includes(c)) ? code : undefined
}

const NAMES = {
  fr: {
    LEASE_CONTRACT: 'bail',
    INVOICE: 'facture',
    RECEIPT: 'quittance',
    PARTIAL: 'recu',
    REFUND: 'remboursement',
    DEPOSIT: 'recu-de-depot',
    DEPOSIT_RETURNED: 'decharge-de-depot',
    CREDIT_NOTE: 'avoir',
    CHARGES: 'facture-de-charges',
    STATEMENT: 'decompte',
    LEASE_NOTICE: 'avenant',
    INSPECTION: 'etat-des-lieux',
    RENT_CHANGE: 'avis-de-loyer',
    LEAVE: 'conge',
  },
  en: {
    LEASE_CONTRACT: 'lease',
    INVOICE: 'invoice',
    RECEIPT: 'receipt',
    PARTIAL: 'part-receipt',
    REFUND: 'refund',
    DEPOSIT: 'deposit-receipt',
    DEPOSIT_RETURNED: 'deposit-discharge',
    CREDIT_NOTE: 'credit-note',
    CHARGES: 'charges-invoice',
    STATEMENT: 'statement',
    LEASE_NOTICE: 'amendment',
    INSPECTION: 'inspection',
    RENT_CHANGE: 'rent-notice',
    LEAVE: 'notice-to-leave',
  },
} as const
type Named = {
  readonly kind: DocumentKind
  readonly variant?: DocumentVariant | null | undefined
  readonly locale: 'fr' | 'en'
  readonly number: string
}
/** `quittance-R-2026-000034.pdf` */
export function filenameOf({ kind, variant, locale, number }: Named): string {
  const names: Readonly<Record<string, string>> = NAMES[locale]
  return `${names[variant ?? kind] ?? names[kind]}-${number}.pdf`
}

/** The name of a paper's stored file. It contains the hash, so the file cannot change under a committed row. */
export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
export const DOWNLOAD_SECONDS = 300

/** The queue of papers that nobody waits for. */
export const LAST = 2
