/** A sentence for people, in the two languages of the product. */
export type Text = { readonly en: string; readonly fr: string }

/** Every word a problem document's `code` can be. The HTTP statuses stand in http/errors.ts. */
export const ERROR_CODES = [
  'malformed_json',
  'unauthorized',
  'step_up_required',
  'forbidden',
  'reauthentication_required',
  'organization_required',
  'not_found',
  'method_not_allowed',
  'invalid_state',
  'duplicate',
  'unit_unavailable',
  'member_elsewhere',
  'manager_required',
  'units_required',
  'proof_required',
  'too_many_open_requests',
  'already_running',
  'contract_not_ready',
  'precondition_failed',
  'body_too_large',
  'unsupported_media_type',
  'misdirected_request',
  'validation_failed',
  'idempotency_mismatch',
  'overpayment',
  'refund_exceeds_credit',
  'deposit_exceeded',
  'message_unreadable',
  'no_phone_number',
  'wrong_code',
  'ticket_invalid',
  'outdated_terms',
  'weak_password',
  'own_number',
  'phone_prefix_not_allowed',
  'challenge_gone',
  'attempts_exhausted',
  'delivery_unavailable',
  'account_unavailable',
  'webhook_disabled',
  'link_invalid',
  'link_expired',
  'upload_missing',
  'content_mismatch',
  'quota_exceeded',
  'photos_unavailable',
  'documents_missing',
  'self_review',
  'own_account',
  'last_admin',
  'properties_owned',
  'invalid_credentials',
  'too_many_requests',
  'internal',
  'storage_unavailable',
  'identity_unavailable',
  'overloaded',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** One broken member of a request: a JSON-pointer-like path and what is wrong with it, never the value. */
export type FieldError = { readonly path: string; readonly message: Text }

export type ErrorDetails = {
  readonly errors?: readonly FieldError[]
  /** Seconds, for 429 and 503. */
  readonly retryAfter?: number
  readonly currentStatus?: string
  readonly allowed?: readonly string[]
  /** Methods, for 405. */
  readonly allow?: readonly string[]
}

/** The one error that a client is told about: `text` goes to the client, `cause` to the log. */
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

/** 503 for a disk without room, whatever was to be written. */
export const diskFull = (cause: unknown): AppError =>
  new AppError(
    'storage_unavailable',
    {
      en: 'The disk is full: nothing can be saved until there is room again. Reading goes on.',
      fr: 'Le disque est plein : rien ne peut être enregistré tant que la place manque. La lecture reste possible.',
    },
    { retryAfter: 30 },
    cause,
  )

export const notFound = (): AppError => new AppError('not_found')

/** 422 for a member that breaks a rule the schema cannot express. */
export const invalid = (path: string, en: string, fr: string): AppError =>
  new AppError('validation_failed', undefined, { errors: [{ path, message: { en, fr } }] })

/** 409 for a move that the state does not allow. */
export const refused = (currentStatus: string, allowed: readonly string[]): AppError =>
  new AppError('invalid_state', undefined, { currentStatus, allowed })

/** What a write closure returns to keep its rows and still fail its caller (attempt counters, audited refusals). */
export class Kept {
  readonly error: AppError
  constructor(error: AppError) {
    this.error = error
  }
}
export const keep = (error: AppError): Kept => new Kept(error)
