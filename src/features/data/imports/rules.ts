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
export type Headings = {
  readonly members: readonly (string | undefined)[]
  /** The headings in the file, by member. */
  readonly written: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}
function unnamed(kind: ImportKind): Problem['message'] {
  const needed = Object.values(COLUMNS[kind]).filter(({ required }) => required)
  const [fr, en] = [0, 1].map((i) => needed.map(({ names }) => names[i]).join(', '))
  return say(
    `The first line must contain the headings of the columns: ${en}. Take them from the template.`,
    `La première ligne doit porter les titres des colonnes\u00a0: ${fr}. Reprenez ceux du modèle.`,
  )
}
/** The member that each heading means; empty headings are ignored. */
export function readHeadings(kind: ImportKind, headings: readonly string[]): Headings {
  const known = new Map<string, string>()
  for (const [member, { names }] of Object.entries(COLUMNS[kind]))
    for (const name of [member, ...names]) if (!known.has(plain(name))) known.set(plain(name), member)
  const problems: Problem[] = []
  const written = new Map<string, string>()
  const members = headings.map((heading) => {
    const column = heading.trim().slice(0, 60)
    const member = known.get(plain(heading))
    if (member === undefined) {
      if (plain(heading) !== '')
        problems.push({ row: 1, column, message: say('There is no such column.', 'Cette colonne n’existe pas.') })
      return undefined
    }
    if (written.has(member))
      problems.push({
        row: 1,
        column,
        message: say('This column is there twice.', 'Cette colonne apparaît deux fois.'),
      })
    written.set(member, column)
    return member
  })
  // Rows without headings: one sentence for all, instead of one for each name and each figure.
  if (written.size === 0) return { members, written, problems: [{ row: 1, message: unnamed(kind) }] }
  for (const [member, { required, names }] of Object.entries(COLUMNS[kind]))
    if (required && !written.has(member))
      problems.push({
        row: 1,
        column: say(names[1], names[0]),
        message: say(`The column ${names[1]} is missing.`, `La colonne ${names[0]} manque.`),
      })
  return { members, written, problems }
}

/** The column name to show for a member: its heading in the file, else in the template. */
export function columnOf(kind: ImportKind, { written }: Pick<Headings, 'written'>, member: string): Problem['column'] {
  const column = COLUMNS[kind][member]
  return column && (written.get(member) ?? say(column.names[1], column.names[0]))
}
/** The letters of a column as a spreadsheet names it: A, B … Z, AA. */
const letters = (i: number): string =>
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
  headless: say('There is no heading above this cell.', 'Il n’y a pas de titre au-dessus de cette cellule.'),
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
    case 'phone':
      return judged(normalizePhone(text), 'phone')
    case 'flag':
      return judged(YES.includes(plain(text)) ? true : NO.includes(plain(text)) ? false : undefined, 'flag')
  }
}

function francsOf(text: string): number | undefined {
  const bare = text.replace(/(?<!\s)\s*(?:f\.?\s?cfa|xaf|frs?|f)\.?$/i, '')
  if (/^\d{1,15}(?:[.,]0{1,2})?$/.test(bare)) return Number.parseInt(bare, 10)
  return GROUPED.test(bare) ? Number(bare.replace(/[.,]0{1,2}$/, '').replace(/\D/g, '')) : undefined
}
const decimalOf = (text: string): number | undefined =>
  /^-?\d{1,9}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(',', '.')) : undefined

/** Day first, as in Cameroon, or ISO 8601. Two-digit years are refused, because the century is unknown. */
function dateOf(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? []
  const date = year === '' ? text.slice(0, 10) : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) && (year !== '' || /^\d{4}-\d\d-\d\d(?:T00:00:00(?:\.0+)?Z)?$/.test(text)) ? date : undefined
}

/** The members that a template of leases has filled in for a vacant unit. */
const OF_UNIT = ['property', 'unit', 'rentAmount']
/** A row of leases that names a unit and no tenant: the unit is vacant, and the row creates nothing. */
export const isVacant = (kind: ImportKind, { members }: Headings, cells: readonly string[]): boolean =>
  kind === 'leases' &&
  cells.some((cell, i) => members[i] === 'unit' && cell.trim() !== '') &&
  cells.every((cell, i) => cell.trim() === '' || OF_UNIT.includes(members[i] ?? ''))

export type Row = Readonly<Record<string, unknown>>
/** The cells of a row as members, and the problem of each wrong cell. */
export function readRow(kind: ImportKind, head: Headings, cells: readonly string[], row: number) {
  const values: Record<string, unknown> = {}
  const problems: Problem[] = []
  const wrong = new Set<string>()
  const problem = (member: string, message: Problem['message']): void => {
    const column = columnOf(kind, head, member)
    wrong.add(member)
    problems.push({ row, ...(column && { column }), message })
  }
  for (const [i, raw] of cells.entries()) {
    const member = head.members[i]
    const column = member === undefined ? undefined : COLUMNS[kind][member]
    if (raw.trim() === '') continue
    if (member === undefined || !column) {
      // A stray separator shifts the cells after it, so a cell without a heading is an error.
      problems.push({ row, column: letters(i), message: MESSAGES.headless })
      continue
    }
    const read = readCell(column.kind, raw, column.words)
    if ('value' in read) values[member] = read.value
    else problem(member, read.message)
  }
  for (const [member, { required }] of Object.entries(COLUMNS[kind]))
    if (required && values[member] === undefined && !wrong.has(member))
      problem(member, say('Must be filled in.', 'Doit être rempli.'))
  return { values: values as Row, problems }
}
