export const LEASE_KINDS = ['HOME', 'BUSINESS'] as const
export type LeaseKind = (typeof LEASE_KINDS)[number]

/** What a clause may name of the lease it stands in. */
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
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]
/** A value for each; what was not agreed has none. */
export type Values = Readonly<Record<Placeholder, string | undefined>>

type Run = { readonly text: string; readonly bold?: boolean }
export type Block = { readonly kind: 'paragraph' | 'item'; readonly runs: readonly Run[] }

const MARK = /\{\{([^{}]*)\}\}/g
const isPlaceholder = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name)

/** Names between double braces that are no placeholder, each once; at most 40 characters of each. */
export function unknownPlaceholders(body: string): string[] {
  const names = [...body.matchAll(MARK)].map(([, name = '']) => name).filter((name) => !isPlaceholder(name))
  // A brace that opens or closes nothing is a slip of the same kind.
  const rest = body.replace(MARK, '')
  if (rest.includes('{{') || rest.includes('}}')) names.push('')
  return [...new Set(names.map((name) => [...name].slice(0, 40).join('')))]
}

/** Facts, which can be unknown; all else is a matter of agreement. */
const FACTS: readonly string[] = ['landlordPhone', 'agent', 'tenantPhone', 'tenantAddress', 'region', 'area']
type Missing = { readonly notAgreed: string; readonly notGiven: string }

/** Paragraphs, entries of lists ("- " at the start of a line) and **bold**, with the values in place. */
export function compose(body: string, values: Values, missing: Missing): Block[] {
  const value = (name: string): string | undefined => (isPlaceholder(name) ? values[name] : undefined)
  // Marks are read before values are put in, so that a name can be no markup.
  const filled = (text: string): string =>
    text
      // Brackets around the words of a sum say nothing where there is no sum.
      .replace(/ \(\{\{([^{}]*)\}\}\)/g, (all, name: string) => (value(name) === undefined ? '' : all))
      .replace(MARK, (_, name: string) => value(name) ?? (FACTS.includes(name) ? missing.notGiven : missing.notAgreed))
  return body
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const kind = line.startsWith('- ') ? 'item' : 'paragraph'
      const parts = (kind === 'item' ? line.slice(2) : line).trim().split('**')
      // Without its partner a mark is two asterisks.
      if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join('**'))
      const runs = parts
        .map((text, i): Run => (i % 2 === 1 ? { text: filled(text), bold: true } : { text: filled(text) }))
        .filter((run) => run.text !== '')
      return { kind, runs }
    })
}
