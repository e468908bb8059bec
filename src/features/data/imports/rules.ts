import { isDate } from '../../../core/dates.ts'
import { type CellKind, COLUMNS, type Column, type ImportKind } from '../../../core/import-columns.ts'
import { normalizePhone } from '../../../core/phone.ts'

/** Enum values as people write them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  appartement: 'APARTMENT',
  studio: 'STUDIO',
  maison: 'HOUSE',
  villa: 'VILLA',
  bureau: 'OFFICE',
  bureaux: 'OFFICE',
  commerce: 'COMMERCIAL',
  chambre: 'ROOM',
  room: 'ROOM',
  entrepot: 'WAREHOUSE',
  warehouse: 'WAREHOUSE',
  boutique: 'COMMERCIAL',
  magasin: 'COMMERCIAL',
  shop: 'COMMERCIAL',
  terrain: 'LAND',
  cni: 'NATIONAL_ID',
  cartenationale: 'NATIONAL_ID',
  cartenationaledidentite: 'NATIONAL_ID',
  nationalid: 'NATIONAL_ID',
  passeport: 'PASSPORT',
  cartedesejour: 'RESIDENCE_PERMIT',
  titredesejour: 'RESIDENCE_PERMIT',
  residencepermit: 'RESIDENCE_PERMIT',
  permisdeconduire: 'DRIVER_LICENSE',
  driverlicense: 'DRIVER_LICENSE',
  autre: 'OTHER',
  francais: 'fr',
  french: 'fr',
  fr: 'fr',
  anglais: 'en',
  english: 'en',
  en: 'en',
}

export const RUN_STATUS = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED'] as const

/** Most rows in a file, and most problems stored for one. */
export const MAX_ROWS = 2000
export const MAX_PROBLEMS = 2_000
/** How often a run is tried while storage fails; one that crashed the process is not retried. */
export const MAX_ATTEMPTS = 3

/** What is wrong with a row. `row` counts as a spreadsheet does: 1 is the headings, 0 the file as a whole. */
export type Problem = {
  readonly row: number
  /** The heading in the file; if it has none, that of the template. */
  readonly column?: string | Said
  readonly message: Said
}
type Said = { readonly en: string; readonly fr: string }

const YES = ['oui', 'yes', 'vrai', 'true', '1', 'x', 'o', 'y']
const NO = ['non', 'no', 'faux', 'false', '0', 'n']

/** Letters and digits only, without accents, to compare headings and words. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const say = (en: string, fr: string): Problem['message'] => ({ en, fr })

/** The column name to show for a member: its heading in the file, else in the template. */
export function columnOf(
  kind: ImportKind,
  { written }: { readonly written: ReadonlyMap<string, string> },
  member: string,
): Problem['column'] {
  const column = COLUMNS[kind][member]
  return column && (written.get(member) ?? say(column.names[1], column.names[0]))
}
/** The letters of a column as a spreadsheet names it: A, B … Z, AA. */
export const letters = (i: number): string =>
  (i < 26 ? '' : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

// Thousands separated by a space of any width, a dot, a comma or an apostrophe.
const GROUPED = /^[+]?\d{1,3}(?:([\s\u00a0\u2009\u202f.,'])\d{3})(?:\1\d{3})*(?:[.,]0{1,2})?$/
const MESSAGES = {
  francs: say(
    'Must be a whole number of francs, such as 150 000.',
    'Doit être un nombre entier de francs, comme 150 000.',
  ),
  whole: say('Must be a whole number.', 'Doit être un nombre entier.'),
  decimal: say('Must be a number, such as 42,5.', 'Doit être un nombre, comme 42,5.'),
  rate: say('Must be a rate, such as 19,25 %.', 'Doit être un taux, comme 19,25 %.'),
  date: say('Must be a date that exists, such as 31/12/2026.', 'Doit être une date qui existe, comme 31/12/2026.'),
  phone: say('Is no phone number, such as 677 12 34 56.', 'N’est pas un numéro, comme 677 12 34 56.'),
  flag: say('Must be yes or no.', 'Doit être oui ou non.'),
  start: say(
    'Must be a date or a month, such as 31/12/2026 or December 2026.',
    'Doit être une date ou un mois, comme 31/12/2026 ou décembre 2026.',
  ),
  month: say('Must be a month, such as December 2026.', 'Doit être un mois, comme décembre 2026.'),
} as const

type Read = { readonly value: unknown } | { readonly message: Problem['message'] }
/** Reads a cell as its member's kind; blank cells are not passed in. */
export function readCell(kind: CellKind, raw: string, words: Column['words'] = {}): Read {
  // Remove the apostrophe that an export adds to disarm formulas.
  const text = raw.replace(/^'(?=[=+\-@])/, '').trim()
  const judged = (value: unknown, as: keyof typeof MESSAGES): Read =>
    value === undefined ? { message: MESSAGES[as] } : { value }
  switch (kind) {
    case 'text':
      return { value: text.normalize('NFC') }
    case 'list':
      return {
        value: text
          .split(/[,;|]/)
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      }
    case 'words':
      return { value: words[plain(text)] ?? SPELLINGS[plain(text)] ?? text.toUpperCase().replace(/[\s-]+/g, '_') }
    case 'francs':
      return judged(francsOf(text), 'francs')
    case 'whole':
      return judged(/^\d{1,9}(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined, 'whole')
    case 'decimal':
      return judged(decimalOf(text), 'decimal')
    case 'rate': {
      const number = decimalOf(text.replace(/(?<!\s)\s*%$/, ''))
      // A spreadsheet stores 19,25 % as 0.1925.
      const percent = number !== undefined && number < 1 && !text.endsWith('%') ? number * 100 : number
      return judged(percent === undefined ? undefined : Math.round(percent * 100), 'rate')
    }
    case 'date':
      return judged(dateOf(text), 'date')
    case 'start': {
      const month = monthOf(text)
      return judged(dateOf(text) ?? (month && `${month}-01`), 'start')
    }
    case 'month':
      return judged(dateOf(text)?.slice(0, 7) ?? monthOf(text), 'month')
    case 'phone':
      return judged(phoneOf(text), 'phone')
    case 'flag':
      return judged(YES.includes(plain(text)) ? true : NO.includes(plain(text)) ? false : undefined, 'flag')
  }
}

function francsOf(text: string): number | undefined {
  const bare = text
    .replace(/^(?:f\.?\s?cfa|xaf)\.?\s{0,3}/i, '')
    .replace(/(?<!\s)\s*(?:f\.?\s?cfa|xaf|frs?|f)\.?$/i, '')
  if (/^\d{1,15}(?:[.,]0{1,2})?$/.test(bare)) return Number.parseInt(bare, 10)
  return GROUPED.test(bare) ? Number(bare.replace(/[.,]0{1,2}$/, '').replace(/\D/g, '')) : undefined
}
/** The first number of a cell, which may hold two. */
const phoneOf = (text: string): string | undefined =>
  normalizePhone(text) ??
  text
    .slice(0, 100)
    .split(/[/;,|\n]|\s(?:ou|or|et|and|-)\s/i)
    .map(normalizePhone)
    .find((number) => number !== undefined)
const decimalOf = (text: string): number | undefined =>
  /^-?\d{1,9}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(',', '.')) : undefined

/** Day first, as in Cameroon, or ISO 8601, perhaps with a time. Two-digit years are refused, because the century is unknown. */
function dateOf(text: string): string | undefined {
  const day = text.slice(0, 40).replace(/[T\s]\s*\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?Z?$/, '')
  const [, d = '', m = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(day) ?? []
  const [, worded = '', month] = /^(\d{1,2})(?:er|st|nd|rd|th)?[\s.-](.+)$/i.exec(day) ?? []
  const named = month === undefined ? undefined : monthOf(month)
  const date =
    named !== undefined
      ? `${named}-${worded.padStart(2, '0')}`
      : year === ''
        ? day
        : `${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

const MONTHS: readonly (readonly string[])[] = [
  ['janvier', 'janv', 'jan', 'january'],
  ['fevrier', 'fevr', 'fev', 'february', 'feb'],
  ['mars', 'mar', 'march'],
  ['avril', 'avr', 'april', 'apr'],
  ['mai', 'may'],
  ['juin', 'june', 'jun'],
  ['juillet', 'juil', 'jul', 'july'],
  ['aout', 'aou', 'august', 'aug'],
  ['septembre', 'sept', 'sep', 'september'],
  ['octobre', 'oct', 'october'],
  ['novembre', 'nov', 'november'],
  ['decembre', 'dec', 'december'],
]
/** A month as people write it (`octobre 2026`, `oct-26`, `10/2026`, `oct`), as YYYY-MM; without its year, as -MM. */
export function monthWritten(text: string): string | undefined {
  const written = text.trim().slice(0, 40)
  const [, digits = '', fullYear] = /^(\d{1,2})[/.-](\d{4})$/.exec(written) ?? []
  const [, iso, isoMonth = ''] = /^(\d{4})-(\d\d)(?:-01)?$/.exec(written) ?? []
  const [, word = '', year = ''] = /^(\p{L}{3,})\.?[\s/.-]*((?:\d\d)?\d\d)?$/u.exec(written) ?? []
  const month = Number(isoMonth || digits) || MONTHS.findIndex((names) => names.includes(plain(word))) + 1
  if (month < 1 || month > 12) return undefined
  const of = iso ?? fullYear ?? (year.length === 2 ? `20${year}` : year)
  return `${of}-${String(month).padStart(2, '0')}`
}
/** A month with its year. */
const monthOf = (text: string): string | undefined => {
  const month = monthWritten(text)
  return month?.startsWith('-') ? undefined : month
}

export type Row = Readonly<Record<string, unknown>>

/** Lines among which the headings are looked for: a title may stand above them. */
export const HEADING_LINES = 15
/** How a column got its member. */
export const MAPPED_BY = ['CALLER', 'REMEMBERED', 'HEADING', 'VALUES', 'NONE'] as const
/** What a row of a file turns out to be. */
export const OUTCOMES = [
  ...(['NEW', 'KNOWN', 'ENDED', 'OCCUPIED', 'VACANT', 'TOTAL', 'EMPTY', 'HIDDEN', 'PROBLEM'] as const),
] as const
export type RowOutcome = (typeof OUTCOMES)[number]
/** The member of a column that stands for one month: its cells say whether the month is paid. */
export const PAID_MONTHS = 'paidMonths'

/** A column of a sheet; `index` counts from 0. */
export type SheetColumn = {
  readonly index: number
  readonly letter: string
  readonly heading: string
  readonly member?: string
  /** The month of a column of paid months, as YYYY-MM, or -MM where the heading has no year. */
  readonly month?: string
  readonly by: (typeof MAPPED_BY)[number]
  /** Whether the member is beyond doubt: its heading is known, and nine in ten of its cells can be read. */
  readonly certain: boolean
}
/** A value that is set right by hand, for one row. */
export type Fix = { readonly row: number; readonly member: string; readonly value: string }
/** A member for a column, or null where it is to be left aside. */
export type Mapping = readonly { readonly column: number; readonly member: string | null }[]

/** What is said beside a file. */
export type Asked = {
  /** Whether the kind is told by the headings. */
  readonly anyKind?: boolean
  readonly sheet?: string
  readonly headingRow?: number
  readonly mapping?: Mapping
  readonly fixes?: readonly Fix[]
  readonly leaveOut?: readonly number[]
  readonly hiddenRows?: boolean
  readonly propertyId?: string
  readonly property?: { readonly name?: string | null; readonly city: string; readonly addressLine?: string | null }
  readonly createUnits?: boolean
  readonly paidUntil?: string
  readonly depositsHeld?: boolean
}
/** How a sheet was read. `key` is the set of its headings. */
export type Reading = {
  readonly key: string
  readonly sheet?: string
  readonly headingRow: number
  readonly others: readonly { readonly name: string; readonly isHidden: boolean }[]
  readonly columns: readonly SheetColumn[]
  readonly outcomes: Partial<Readonly<Record<RowOutcome, number>>>
}
export type PreviewRow = {
  readonly row: number
  readonly outcome: RowOutcome
  readonly values: Row
  /** What the row says otherwise than the lease that is there; never applied. */
  readonly differs?: readonly { readonly member: string; readonly here: unknown; readonly sheet: unknown }[]
  readonly message?: Problem['message']
}
/** The first values of each column, and the rows. */
export type Preview = { readonly values: readonly (readonly string[])[]; readonly rows: readonly PreviewRow[] }
