import { randomBytes } from 'node:crypto'
import { placeOf } from '../../../../core/known-places.ts'

/** Accounts remembered per browser: enough for a family that shares a phone. */
const MOST = 4
const ENTRY = /^([\w-]{16})([\w-]{22})$/

/** The id of a known browser for an account, and the cookie after adding another account. */
export type BrowserCookie = {
  readonly placeFor: (userId: string) => string | undefined
  /** The browser's id for the account, created where there is none. */
  readonly remember: (userId: string) => string
  readonly value: () => string
}

/** Reads the cookie of known browsers: an id and its keyed digest per account, so that nobody can forge an entry. */
export function readBrowser(masterKey: Uint8Array, cookie: string | undefined): BrowserCookie {
  let entries = (cookie ?? '')
    .split('.')
    .filter((entry) => ENTRY.test(entry))
    .slice(0, MOST)
  const placeIn = (userId: string, entry: string): string | undefined => {
    const [, id = '', digest] = ENTRY.exec(entry) ?? []
    const place = placeOf(masterKey, userId, `browser ${id}`)
    return place === digest ? place : undefined
  }
  const entryFor = (userId: string) => entries.find((entry) => placeIn(userId, entry) !== undefined)
  return {
    placeFor: (userId) => placeIn(userId, entryFor(userId) ?? ''),
    remember(userId) {
      const id = randomBytes(12).toString('base64url')
      const entry = entryFor(userId) ?? id + placeOf(masterKey, userId, `browser ${id}`)
      entries = [entry, ...entries.filter((other) => other !== entry)].slice(0, MOST)
      return entry.slice(16)
    },
    value: () => entries.join('.'),
  }
}
