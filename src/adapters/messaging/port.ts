import type { Tx } from '../../../db/open.ts'

export type Channel = 'WHATSAPP' | 'SMS'
export type OutgoingMessage = {
  /** The organization it is sent for; null before a person belongs to one. */
  readonly orgId: string | null
  /** E.164. */
  readonly to: string
  readonly channel: Channel
  /** What it is about, such as invoice_issued. */
  readonly purpose: string
  readonly text: string
  /** The one-time code that the text carries, if any. */
  readonly code?: string
}

export type Messenger = {
  /** Sends to a phone. Rejects when the vendor did not take the message; a job tries again. */
  readonly send: (message: OutgoingMessage) => Promise<void>
  /** Called in the transaction that decides to send: the sandbox keeps the message for people to read. */
  readonly prepare?: (tx: Tx, message: OutgoingMessage) => void
}
