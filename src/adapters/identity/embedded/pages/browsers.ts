import { randomBytes } from 'node:crypto'
import { placeOf } from '../../../../core/place.ts'

/** Accounts that one browser is known for: a family's, on one phone. */
const MOST = 4
const ENTRY = /^([\w-]{16})([\w-]{22})$/

/** What a browser shows of earlier sign-ins: the place that it is for an account, and the cookie after another one. */
export type BrowserCookie = {
  readonly placeFor: (userId: string) => string | undefined
  /** The browser's place for the account, made where there is none. */
  readonly remember: (userId: string) => string
  readonly value: () => string
}

/** Reads the cookie of known browsers: for each account an id and its keyed digest, so that none can be made up. */
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
