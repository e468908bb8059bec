import { createHmac } from 'node:crypto'
import { idOfToken, linkToken, type ToOf } from '../../../core/link-token.ts'

/** Days after its confirmation for which the link in a payment's message shows it. */
export const RECEIPT_LINK_DAYS = 60

const keyOf = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('loyer receipt links v1').digest()

/** The path of the page that shows a payment and its receipt to whoever has the link, while `to` is the tenant's number. */
export const receiptPath = (masterKey: Uint8Array, paymentId: string, to?: string | null): string =>
  `/r/${linkToken(keyOf(masterKey), paymentId, to)}`

/** The id of the payment that a token belongs to; undefined if it is invalid. */
export const paymentOfToken = (masterKey: Uint8Array, token: string, toOf?: ToOf): string | undefined =>
  idOfToken(keyOf(masterKey), token, toOf)
