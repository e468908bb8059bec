import type { Tx } from '../../../db/open.ts'

export type Channel = 'WHATSAPP' | 'SMS'
export type Locale = 'fr' | 'en'
export type OutgoingMessage = {
  /** The organization that sends it; null where the person belongs to none yet. */
  readonly orgId: string | null
  /** E.164. */
  readonly to: string
  readonly channel: Channel
  /** The purpose of the message, such as invoice_issued. */
  readonly purpose: string
  readonly locale: Locale
  readonly text: string
  /** The one-time code in the text, if any. */
  readonly code?: string
}

/** The outcome of one attempt. `reason` is a word for logs and rows: never a number, a text or a secret. */
export type Outcome =
  | { readonly took: true; readonly vendorMessageId?: string | undefined }
  | {
      readonly took: false
      readonly reason: string
      /** Whether a retry is safe: not when the vendor refused the message, or may have accepted it. */
      readonly again: boolean
      /** Who caused the failure: consecutive failures of the vendor open its breaker. */
      readonly fault: 'vendor' | 'message'
      /** The vendor's Retry-After in milliseconds. */
      readonly afterMs?: number
      /** Nothing was sent: the breaker is open, or too many messages are in flight. */
      readonly untried?: true
    }

/** One attempt at a message: the row's id, and the seconds until the text expires. */
export type Attempt = { readonly id: string; readonly lifeSeconds: number }

export type Messenger = {
  /** The vendor of a channel; absent where there is none. */
  readonly vendors: Readonly<Partial<Record<Channel, string>>>
  /** One attempt, which takes seconds; failures are outcomes, never exceptions. */
  readonly send: (message: OutgoingMessage, attempt: Attempt) => Promise<Outcome>
  /** Milliseconds until the breaker of a channel lets a message through; 0 while it is closed. */
  readonly pausedMs: (channel: Channel) => number
  /** There is no vendor: codes are refused, and news is not reported as sent. */
  readonly mute?: boolean
  /** Called in the transaction that enqueues the message: the sandbox stores it for people to read. */
  readonly prepare?: (tx: Tx, message: OutgoingMessage) => void
}
