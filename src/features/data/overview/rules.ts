import { termOf, wordsIn } from '../../../core/case-folding.ts'
import { addMonths, DAY_MS } from '../../../core/dates.ts'
import { undashed } from '../../../core/id.ts'
import { digitsOf } from '../../../core/phone.ts'
import type { Scope } from '../../../core/scope.ts'

/** How many late leases and months an overview shows. */
export const MOST_LATE = 20
export const MONTHS = 6
/** The months that end with `month`, oldest first, as YYYY-MM. */
export const monthsUntil = (month: string): string[] =>
  Array.from({ length: MONTHS }, (_, n) => addMonths(`${month}-01`, n - MONTHS + 1).slice(0, 7))

/** How many different leases the first `most` late invoices are of; `rows` are in the order of their due dates. */
export function firstLeases(rows: Iterable<{ readonly bookingId: string }>, most: number): string[] {
  const ids = new Set<string>()
  for (const { bookingId } of rows) {
    ids.add(bookingId)
    if (ids.size === most) break
  }
  return [...ids]
}

/** What may wait for a landlord, in the order of a working day. */
export const NEEDS = [
  'RECOVERY_ASKED',
  'PAYMENT_DECLARED',
  'ADJUSTMENT_MADE',
  'MESSAGE_UNMATCHED',
  'BOOKING_REQUESTED',
  'REPAIR_REQUESTED',
  'LEASE_TO_SIGN',
  'RENT_CHANGE_TO_SIGN',
  'INSPECTION_TO_SIGN',
  'INSPECTION_DUE',
  'NOTICE_GIVEN',
  'LEASE_ENDING',
  'VERIFICATION_TO_REVIEW',
  'PAPER_FAILED',
  'MESSAGE_UNDELIVERED',
  'IMPORT_DONE',
  'SETUP',
] as const
export type NeedKind = (typeof NEEDS)[number]

/** How many days ahead the end of a lease is shown, and for how many days a message that did not arrive is. */
export const ENDING_DAYS = 60
export const UNDELIVERED_DAYS = 14
/** How many days before and after its end a lease wants its inspection. */
export const INSPECTION_DAYS = 14
/** How long the end of an import is shown, in milliseconds. */
export const IMPORT_MS = DAY_MS

export const SEARCH_KINDS = [
  'TENANT',
  'PROPERTY',
  'UNIT',
  'BOOKING',
  'INVOICE',
  'PAYMENT',
  'DOCUMENT',
  'REPAIR',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Up to so many homes are answered one by one, above it by building. */
export const MOST_DOORS = 60
/** The buildings of a façade at most. */
export const MOST_BUILDINGS = 500
export const DOOR_STATES = ['LATE', 'PART', 'DECLARED', 'PAID', 'DUE', 'EMPTY'] as const
export type DoorState = (typeof DOOR_STATES)[number]
type Home = {
  readonly bookingId: string | null
  readonly due: number
  readonly paid: number
  readonly overdue: number
  readonly overduePaid: number
  readonly declared: number
}
/** How a home stands this month; debts of all months count. */
export function doorState({ bookingId, due, paid, overdue, overduePaid, declared }: Home): DoorState {
  if (bookingId === null) return 'EMPTY'
  if (declared > 0 && (overdue > 0 || paid < due)) return 'DECLARED'
  if (overdue > 0) return overduePaid > 0 ? 'PART' : 'LATE'
  return due > 0 && paid >= due ? 'PAID' : 'DUE'
}
/** A2 before A10. */
export const naturally = (a: string, b: string): number => a.localeCompare(b, 'fr', { numeric: true })

const MOST_WORDS = 8
const MOST_LETTERS = 40
const MOST_SINGLE = 3
const MOST_OF_NUMBER = 80

/**
 * The words in what was typed; everything else separates them. Words that would narrow nothing are left out: a word that
 * is the beginning of another, and single letters after the third, which are costly to look up.
 */
function wordsOf(q: string): string[] {
  const typed = wordsIn(q)
    .slice(0, MOST_WORDS)
    .map((word) => [...word].slice(0, MOST_LETTERS).join(''))
  const telling = typed.filter((word, n) =>
    typed.every((other, i) => i === n || !other.startsWith(word) || (other === word && i > n)),
  )
  const letters = telling.filter((word) => [...word].length === 1).slice(MOST_SINGLE)
  return telling.filter((word) => !letters.includes(word))
}

type Match = { readonly table: string; readonly orgId: string; readonly scope: Scope; readonly whole: boolean }
/**
 * The query for the full-text index: every typed word in a row of the table that the caller may find by it, whole or as
 * a beginning. Each word is quoted, so that nothing typed acts as an operator. Undefined if there is no word.
 */
export function matchOf(q: string, { table, orgId, scope, whole }: Match): string | undefined {
  const term = (word: string): string => `"${termOf(table, orgId, word)}"${whole ? '' : ' *'}`
  const words = wordsOf(q)
  if (words.length === 0) return undefined
  const digits = words.length > 1 ? digitsOf(q) : undefined
  const all = words.map(term).join(' AND ')
  const own = scope.kind === 'owner' ? `keys:"o${undashed(scope.userId)}" AND ` : ''
  const columns = scope.kind === 'all' ? 'words staff' : 'words'
  return `${own}{${columns}}:(${digits === undefined ? all : `(${all}) OR ${term(digits)}`})`
}

type Numbers = { readonly exact: readonly string[]; readonly starts: readonly string[] }
/** The numbers and references that may be meant: as typed, in capitals, and a number of this year without its zeros. */
export function numbersOf(q: string, year: number): Numbers | undefined {
  const typed = q.normalize('NFC').trim()
  if (typed.length < 3 || typed.length > MOST_OF_NUMBER || !/\d/.test(typed)) return undefined
  const starts = [...new Set([typed, typed.toUpperCase()])]
  const [, series, count = ''] = /^(?:((?:[LRS]-)?\d{4})-)?(\d{1,6})$/i.exec(typed) ?? []
  const padded = count === '' ? [] : [`${(series ?? String(year)).toUpperCase()}-${count.padStart(6, '0')}`]
  return { exact: [...new Set([...starts, ...padded])], starts }
}

/** At most `limit` of what was found: of each kind in turn, so that no kind hides another; together by kind. */
export function spread<T>(kinds: readonly (readonly T[])[], limit: number): T[] {
  const taken = kinds.map(() => 0)
  for (let left = limit, took = true; left > 0 && took; ) {
    took = false
    for (const [i, list] of kinds.entries()) {
      const n = taken[i] ?? 0
      if (left === 0 || n >= list.length) continue
      taken[i] = n + 1
      left -= 1
      took = true
    }
  }
  return kinds.flatMap((list, i) => list.slice(0, taken[i]))
}
