import type { Text } from './error-codes.ts'
import { ERRORS, type ErrorCode } from './error-codes.ts'

export type { ErrorCode, Text }
/** Faults of the machine that pass: a full disk, no room or no file handles left. */
export const PASSING: readonly ErrorCode[] = ['storage_unavailable', 'overloaded']

/** One invalid member of a request: its JSON-pointer-like path and the problem, never the value. */
export type FieldError = { readonly path: string; readonly message: Text }

export type ErrorDetails = {
  readonly errors?: readonly FieldError[]
  /** Seconds, for 429 and 503. */
  readonly retryAfter?: number
  readonly currentStatus?: string
  readonly allowed?: readonly string[]
  /** Methods, for 405. */
  readonly allow?: readonly string[]
  /** The payment that a 409 speaks of. */
  readonly paymentId?: string | undefined
  /** The transfer that is meant, where the caller sees it. */
  readonly transferId?: string | undefined
  /** The address that an organization has moved to, without a path, for 308. */
  readonly movedTo?: string
}

/** The one error that clients see: `text` goes to the client, `cause` to the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly text: Text | undefined
  readonly details: ErrorDetails

  constructor(code: ErrorCode, text?: Text, details: ErrorDetails = {}, cause?: unknown) {
    super(text?.en ?? code, { cause })
    this.name = 'AppError'
    this.code = code
    this.text = text
    this.details = details
  }
}

/** 503 for a full disk, whatever was to be written. */
export const diskFull = (cause: unknown): AppError =>
  new AppError(
    'storage_unavailable',
    {
      en: 'The disk is full: nothing can be saved until there is room again. Reading goes on.',
      fr: 'Le disque est plein : rien ne peut être enregistré tant que la place manque. La lecture reste possible.',
    },
    { retryAfter: 30 },
    cause,
  )

const AGAIN_S = 60
/** 503 for a write of an organization that is being moved. */
export const standsStill = (): AppError => new AppError('organization_frozen', undefined, { retryAfter: AGAIN_S })
/** 503 for an organization that has come, while the service that it left may still release it there. */
export const notOpenYet = (): AppError =>
  new AppError(
    'organization_frozen',
    {
      en: 'This organization has come to this server and is not open here yet. Try again in a few minutes.',
      fr: 'Cette organisation est arrivée sur ce serveur et n’y est pas encore ouverte. Réessayez dans quelques minutes.',
    },
    { retryAfter: AGAIN_S },
  )
/** 308 to the address that an organization has moved to. */
export const movedAway = (movedTo: string): AppError =>
  new AppError(
    'organization_moved',
    {
      en: `This organization has moved to ${movedTo}. Sign in there; your number and password stay the same.`,
      fr: `Cette organisation a déménagé à l’adresse ${movedTo}. Connectez-vous là-bas ; votre numéro et votre mot de passe restent les mêmes.`,
    },
    { movedTo },
  )

/** For a body that its client cut off, which is no fault of the service. Nobody gets the answer. */
export const cutOff = (cause: unknown): AppError =>
  new AppError(
    'malformed_json',
    { en: 'The body was cut off.', fr: 'Le corps de la requête a été interrompu.' },
    {},
    cause,
  )
/** For a body that cannot be read whole. */
export const bodyRefusals = { tooLarge: () => new AppError('body_too_large'), cutOff }

const DAY_MS = 86_400_000
/** 429 for a new number, whether it has an account elsewhere or not, until the day (UTC) ends. */
export const tooManyElsewhere = (now: number): AppError =>
  new AppError(
    'too_many_requests',
    {
      en: 'Too many of the numbers that you gave today are of accounts of other organizations. Enter people without their number, or go on tomorrow.',
      fr: 'Trop de numéros que vous avez donnés aujourd’hui appartiennent à des comptes d’autres organisations. Inscrivez les personnes sans leur numéro, ou continuez demain.',
    },
    { retryAfter: Math.ceil((DAY_MS - (now % DAY_MS)) / 1000) },
  )

export const notFound = (): AppError => new AppError('not_found')

/** 422 for a member that breaks a rule the schema cannot express. */
export const invalid = (path: string, en: string, fr: string): AppError =>
  new AppError('validation_failed', undefined, { errors: [{ path, message: { en, fr } }] })

/** @throws validation_failed with all faults that a rule finds, if there are any */
export function hold(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new AppError('validation_failed', undefined, { errors })
}

/** A refusal that belongs to a member of the request, where a form shows it. */
export function refusedAt(path: string, code: ErrorCode, text?: Text): AppError {
  const { en, fr } = text ?? ERRORS[code]
  return new AppError(code, text, { errors: [{ path, message: { en, fr } }] })
}

/** 409 for a transition that the state does not allow. */
export const refused = (currentStatus: string, allowed: readonly string[]): AppError =>
  new AppError('invalid_state', undefined, { currentStatus, allowed })

/** A write closure returns it to commit its rows and still fail its caller (attempt counters, audited refusals). */
export class CommitThenFail {
  readonly error: AppError
  constructor(error: AppError) {
    this.error = error
  }
}
export const commitThenFail = (error: AppError): CommitThenFail => new CommitThenFail(error)
