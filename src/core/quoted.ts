import { NEWS } from './budgets.ts'

/** Text that phones turn into links by themselves: a scheme, www, and words joined by a dot (in any script). */
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/+|\bwww\./giu
const DOT = /(?<=\S)[.。｡．․](?=\S)/gu
/** Text that phones turn into a number to call. */
const NUMBER = /\+?\d(?:[ .()-]*\d){6,}/gu

/** User input on one line, of limited length, without links, phone numbers, quotes or brackets. */
export function typedPlain(typed: string, most: number = NEWS.nameLength): string {
  const plain = typed
    .normalize('NFKC')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(SCHEME, ' ')
    .replace(NUMBER, '…')
    .replace(DOT, '. ')
    .replace(/[«»“”„"]/gu, "'")
    .replace(/[()[\]{}]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  const letters = [...plain]
  return letters.length <= most
    ? plain
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** A user's name, label or note inside a message of the service: quoted, so that it cannot pass for the message itself. */
export const quoted = (typed: string, locale: 'fr' | 'en', most?: number): string =>
  locale === 'fr' ? `«\u00a0${typedPlain(typed, most)}\u00a0»` : `“${typedPlain(typed, most)}”`

type Place = { readonly unitLabel: string; readonly propertyName: string }
/** A unit with its building, as messages name it: labels such as A1 are the same in every building. */
export const quotedPlace = ({ unitLabel, propertyName }: Place, locale: 'fr' | 'en'): string =>
  `${quoted(unitLabel, locale)}, ${quoted(propertyName, locale)}`

/** A message with the name of who sends it at its end: the number that it comes from is the operator's. */
export const signedBy = (text: string, sender: string): string => `${text} (${typedPlain(sender)})`
