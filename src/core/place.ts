import { createHmac } from 'node:crypto'
import { deriveKey } from './seal.ts'

/** The stored form of an account's network or browser: a digest, which does not reveal where people are. */
export const placeOf = (masterKey: Uint8Array, userId: string, of: string): string =>
  createHmac('sha256', deriveKey(masterKey, 'known places')).update(`${userId} ${of}`).digest('base64url').slice(0, 22)
