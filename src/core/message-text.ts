import { NEWS } from './budgets.ts'

/** Text that phones turn into links by themselves: a scheme, www, and words joined by a dot (in any script). */
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/+|\bwww\./giu
const DOT = /(?<=\S)[.。｡．․](?=\S)/gu
/** Seven digits of any script with little between them, as phones turn into a number to call; and codes to dial. */
const NUMBER = /\+?\p{Nd}(?:(?:[^\p{L}\p{Nd},]|,(?!\s)){0,3}\p{Nd}){6,}/gu
const DIALLED = /[*#]+\p{Nd}[\p{Nd}*#]*#/gu
const DATE = /\b(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/(?:19|20)\d\d\b/g
/** A number becomes an ellipsis, unless its digits without dates are too few for a phone number. */
const hidden = (number: string): string =>
  (number.replace(DATE, '').match(/\p{Nd}/gu) ?? []).length < 7 ? number : '…'

/** User input on one line, of limited length, without links, phone numbers, quotes or brackets. */
export function typedPlain(typed: string, most: number = NEWS.nameLength): string {
  const plain = typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, ' ')
    .replace(/(?:\p{DI}|\u20e3)+/gu, '')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(SCHEME, ' ')
    .replace(NUMBER, hidden)
    .replace(DIALLED, '…')
    .replace(DOT, '. ')
    .replace(/[«»‹›“”„‟"❝❞〝〞〟]/gu, "'")
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

/** What a rent leaves out, in a message; nothing where no VAT is added to it. */
export const beforeVat = (basisPoints: number, locale: 'fr' | 'en'): string =>
  basisPoints === 0 ? '' : locale === 'fr' ? ' avant TVA' : ' before VAT'

/** Where more can be read, at the end of a message; nothing without such a page. */
export const readAt = (lead: string, url: string | undefined): string => (url === undefined ? '' : ` ${lead} ${url}`)

/** A message with the name of its sender at the end, because it comes from the number of the operator. */
export const signedBy = (text: string, sender: string): string => `${text} (${typedPlain(sender)})`
