import { createHmac } from 'node:crypto'
import { siteOf } from './network.ts'
import { deriveKey } from './seal.ts'

/** The stored form of an account's network or browser: a digest, which does not reveal where people are. */
export const placeOf = (masterKey: Uint8Array, userId: string, of: string): string =>
  createHmac('sha256', deriveKey(masterKey, 'known places')).update(`${userId} ${of}`).digest('base64url').slice(0, 22)

/** Stands in place of an account for the sites where anybody signed in. */
export const ANYBODY = 'anybody'
/** The stored form of such a site. */
export const sitePlaceOf = (masterKey: Uint8Array, address: string): string =>
  placeOf(masterKey, ANYBODY, siteOf(address))
