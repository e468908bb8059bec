import { createHmac } from 'node:crypto'
import { deriveKey } from './seal.ts'

/** What stands for a network or browser of an account where it is remembered: a digest that tells nobody where people are. */
export const placeOf = (masterKey: Uint8Array, userId: string, of: string): string =>
  createHmac('sha256', deriveKey(masterKey, 'known places')).update(`${userId} ${of}`).digest('base64url').slice(0, 22)
