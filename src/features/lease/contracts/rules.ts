export const PARTIES = ['LANDLORD', 'TENANT'] as const
/** Everybody who signs a lease. */
export const SIGNING_PARTIES = [...PARTIES, 'CO_TENANT', 'GUARANTOR'] as const
export const SIGNATURE_STATUS = ['VALID', 'VOID'] as const
/**
 * Why a signature no longer counts: the text changed, the lease was cancelled, or it came into force without both
 * signatures.
 */
export const UNSIGNED_BY = ['CHANGED', 'CANCELLED', 'ACTIVATED'] as const
export type UnsignedBy = (typeof UNSIGNED_BY)[number]

/** Kinds of rows that the text of a lease is made from, besides the booking. The last two concern every lease. */
export const LEASE_SOURCES = ['tenant', 'property', 'unit', 'user', 'organization', 'lease_template'] as const
export type LeaseSource = (typeof LEASE_SOURCES)[number]
export const isLeaseSource = (type: string): type is LeaseSource => (LEASE_SOURCES as readonly string[]).includes(type)

export const LEASE_KINDS = ['HOME', 'BUSINESS'] as const
export type LeaseKind = (typeof LEASE_KINDS)[number]

/** The placeholders that a clause may use. */
export const PLACEHOLDERS = [
  'landlord',
  'landlordPhone',
  'agent',
  'tenant',
  'tenantPhone',
  'tenantAddress',
  'property',
  'unit',
  'address',
  'city',
  'region',
  'area',
  'startDate',
  'endDate',
  'term',
  'renewal',
  'rent',
  'rentInWords',
  'tva',
  'rentGross',
  'dueDay',
  'deposit',
  'depositInWords',
  'notice',
  'trade',
  'review',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]
/** A value for each placeholder; undefined if it was not agreed. */
export type Values = Readonly<Record<Placeholder, string | undefined>>

type Run = { readonly text: string; readonly bold?: boolean }
export type Block = { readonly kind: 'paragraph' | 'item'; readonly runs: readonly Run[] }

const MARK = /\{\{([^{}]*)\}\}/g
const isPlaceholder = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name)

/** Unknown names in double braces, each once, cut to 40 characters. */
export function unknownPlaceholders(body: string): string[] {
  const names = [...body.matchAll(MARK)].map(([, name = '']) => name).filter((name) => !isPlaceholder(name))
  // An unmatched brace is reported too.
  const rest = body.replace(MARK, '')
  if (rest.includes('{{') || rest.includes('}}')) names.push('')
  return [...new Set(names.map((name) => [...name].slice(0, 40).join('')))]
}

/** The lines that are printed and the placeholders that are filled in, of all texts together. */
export const sizeOf = (texts: readonly string[]): { paragraphs: number; placeholders: number } => ({
  paragraphs: texts.flatMap((text) => text.match(/^.*\S.*$/gm) ?? []).length,
  placeholders: texts.flatMap((text) => text.match(MARK) ?? []).length,
})

/** Facts can be unknown ("not given"); the other values are terms ("not agreed"). */
const FACTS: readonly string[] = ['landlordPhone', 'agent', 'tenantPhone', 'tenantAddress', 'region', 'area']
type Missing = { readonly notAgreed: string; readonly notGiven: string }

/** Text, or a placeholder; brackets around a placeholder belong to it. */
type Piece = string | { readonly name: string; readonly inBrackets: boolean }
type Template = readonly { readonly kind: Block['kind']; readonly runs: readonly (readonly Piece[])[] }[]
const piecesOf = (text: string): Piece[] =>
  text.split(/( \(\{\{[^{}]*\}\}\)|\{\{[^{}]*\}\})/).map((piece, i) => {
    if (i % 2 === 0) return piece
    const inBrackets = piece.startsWith(' (')
    return { name: inBrackets ? piece.slice(4, -3) : piece.slice(2, -2), inBrackets }
  })

const known = new Map<string, Template>()
const MOST_KNOWN = 500
/** Parses a text, with a cache, because the current clauses are needed for every lease. Every other run is bold. */
function templateOf(body: string): Template {
  const cached = known.get(body)
  if (cached) return cached
  const template = body
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const kind = line.startsWith('- ') ? ('item' as const) : ('paragraph' as const)
      const parts = (kind === 'item' ? line.slice(2) : line).trim().split('**')
      // An unmatched bold mark is printed as two asterisks.
      if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join('**'))
      return { kind, runs: parts.map(piecesOf) }
    })
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(body, template)
  return template
}

const BRACKETS = / \(([^()]*\{\{[^()]*)\)/g
/** The text without bracketed entries of unknown facts: `(région : … ; surface : …)`. */
const withoutUnknown = (body: string, values: Values): string =>
  body.replace(BRACKETS, (all, inner: string) => {
    const [between = ''] = /\s*;\s*/.exec(inner) ?? []
    const parts = inner.split(/\s*;\s*/)
    const known = parts.filter((part) => {
      const [, name = ''] = /^[^{}]*[:\u00a0 ]\{\{([^{}]*)\}\}$/.exec(part) ?? []
      return !(isPlaceholder(name) && FACTS.includes(name) && values[name] === undefined)
    })
    return known.length === parts.length ? all : known.length === 0 ? '' : ` (${known.join(between)})`
  })

/** Paragraphs, entries of lists ("- " at the start of a line) and **bold**, with the values in place. */
export function compose(body: string, values: Values, missing: Missing): Block[] {
  // Marks are parsed before values are inserted, so a name cannot act as markup.
  const put = (piece: Piece): string => {
    if (typeof piece === 'string') return piece
    const { name, inBrackets } = piece
    const value = isPlaceholder(name) ? values[name] : undefined
    // Without an amount, its words and their brackets are left out.
    if (inBrackets) return value === undefined ? '' : ` (${value})`
    return value ?? (FACTS.includes(name) ? missing.notGiven : missing.notAgreed)
  }
  return templateOf(withoutUnknown(body, values)).map(({ kind, runs }) => ({
    kind,
    runs: runs
      .map((pieces) => pieces.map(put).join(''))
      .map((text, i): Run => (i % 2 === 1 ? { text, bold: true } : { text }))
      .filter((run) => run.text !== ''),
  }))
}

/** The people on a lease besides its landlord and its tenant. */
export const PARTY_ROLES = ['CO_TENANT', 'GUARANTOR'] as const
/** Most co-tenants and guarantors of a lease together: their signatures stand on one paper. */
export const MOST_PARTIES = 6
