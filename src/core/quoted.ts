import { NEWS } from './budgets.ts'

/** What phones make a link of without being asked: a scheme, www, and words joined by a dot (of any script). */
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/+|\bwww\./giu
const DOT = /(?<=\S)[.。｡．․](?=\S)/gu
/** What phones make a number to call of. */
const NUMBER = /\+?\d(?:[ .()-]*\d){6,}/gu

/** What somebody typed, on one line, of bounded length, without links, numbers to call, quotes or brackets. */
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

/** A name, label or note that somebody typed, within the service's own sentence: quoted, so that it cannot pass for the message. */
export const quoted = (typed: string, locale: 'fr' | 'en', most?: number): string =>
  locale === 'fr' ? `«\u00a0${typedPlain(typed, most)}\u00a0»` : `“${typedPlain(typed, most)}”`
