import type { Tx } from '../../../db/open.ts'

export type Channel = 'WHATSAPP' | 'SMS'
export type Locale = 'fr' | 'en'
export type OutgoingMessage = {
  /** The organization it is sent for; null before a person belongs to one. */
  readonly orgId: string | null
  /** E.164. */
  readonly to: string
  readonly channel: Channel
  /** What it is about, such as invoice_issued. */
  readonly purpose: string
  readonly locale: Locale
  readonly text: string
  /** The one-time code that the text carries, if any. */
  readonly code?: string
}

/** What came of one attempt. `reason` is a word for logs and rows: never a number, a text or a secret. */
export type Outcome =
  | { readonly took: true; readonly vendorMessageId?: string | undefined }
  | {
      readonly took: false
      readonly reason: string
      /** Whether the same message may be tried again: not when the vendor refused it, or may have taken it. */
      readonly again: boolean
      /** Whose fault it is: enough of the vendor's in a row open its breaker. */
      readonly fault: 'vendor' | 'message'
      /** Milliseconds that the vendor asked to be left alone. */
      readonly afterMs?: number
      /** Nothing was sent: the breaker is open, or too much is under way. */
      readonly untried?: true
    }

/** This attempt of a message: the row's id, and for how many seconds the text is worth reading. */
export type Attempt = { readonly id: string; readonly lifeSeconds: number }

export type Messenger = {
  /** Who serves a channel; absent where nobody does. */
  readonly vendors: Readonly<Partial<Record<Channel, string>>>
  /** One attempt, within seconds; what goes wrong is an outcome, never a throw. */
  readonly send: (message: OutgoingMessage, attempt: Attempt) => Promise<Outcome>
  /** Milliseconds until the vendor of a channel is asked again; 0 while it is. */
  readonly pausedMs: (channel: Channel) => number
  /** Called in the transaction that decides to send: the sandbox keeps the message for people to read. */
  readonly prepare?: (tx: Tx, message: OutgoingMessage) => void
}
