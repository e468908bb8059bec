import { undashed } from './id.ts'

// Latin-1 to Latin Extended-B, and Latin Extended Additional: every composed letter that French and African names use.
const COMPOSED = [
  [0xc0, 0x24f],
  [0x1e00, 0x1eff],
] as const
let known: Map<string, Set<string>> | undefined
/** Every way to write a letter: both cases, with any accent. */
function variants(): ReadonlyMap<string, ReadonlySet<string>> {
  if (known) return known
  known = new Map()
  for (const [first, last] of COMPOSED)
    for (let point = first; point <= last; point += 1) {
      const letter = String.fromCodePoint(point)
      const base = plain(letter)
      if (/^[a-z]$/.test(base)) known.set(base, (known.get(base) ?? new Set()).add(letter))
    }
  return known
}

/** A text without accents, in lower case. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The words of a text, plain; everything else separates them. */
export const wordsIn = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
/** A word as the search index holds it: the words of each table and organization stand apart from all others. */
export const termOf = (table: string, orgId: string, word: string): string => `${table}${undashed(orgId)}${word}`

/**
 * A GLOB pattern for texts in NFC that contain this one, whatever the case and the accents: SQLite's LIKE knows the
 * case of ASCII alone, and no accents.
 */
export function containing(text: string): string {
  const letters = [...plain(text)].map((letter) => {
    const others = new Set([letter, letter.toUpperCase(), ...(variants().get(letter) ?? [])])
    return others.size > 1 || '*?['.includes(letter)
      ? `[${[...others].filter((o) => o.length === 1).join('')}]`
      : letter
  })
  return `*${letters.join('')}*`
}

/** Whether two names mean the same person: every word of the shorter one (of two words at least) is in the longer. */
export function sameName(a: string, b: string): boolean {
  const words = (name: string): string[] => wordsIn(name).filter((word) => word.length > 1)
  const [short = [], long = []] = [words(a), words(b)].sort((x, y) => x.length - y.length)
  return short.length >= 2 && short.every((word) => long.includes(word))
}
