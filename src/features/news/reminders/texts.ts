import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quotedPlace, signedBy } from '../../../core/quoted.ts'
import type { Step } from './rules.ts'

type Owed = {
  readonly number: string
  readonly unitLabel: string
  readonly propertyName: string
  readonly balance: number
  readonly dueDate: string
  /** Who lets: the message ends with their name. */
  readonly landlord: string
  /** How it can be paid by phone, if the landlord said so. */
  readonly way: string | undefined
  readonly link: string
}
type Texts = Readonly<Record<Step, (o: Owed) => string>>

const signed = (text: string, { landlord, link }: Owed): string => signedBy(`${text} ${link}`, landlord)
/** The same, with the way to pay before the link and what leads to it. */
const payable = (text: string, o: Owed, lead = ''): string =>
  signed(`${text}${o.way === undefined ? '' : ` ${o.way}.`}${lead}`, o)
const inWords = (locale: 'fr' | 'en') => (o: Owed) => ({
  sum: formatMoney(o.balance, locale),
  day: formatDate(o.dueDate, locale),
  place: quotedPlace(o, locale),
})
const [fr, en] = [inWords('fr'), inWords('en')]

/** Messages to tenants about their rent: polite at first, direct at the end, never a threat. */
export const TEXTS: Readonly<Record<'fr' | 'en', Texts>> = {
  fr: {
    RENT_CALL: (o) =>
      payable(`Loyer ${fr(o).place} : ${fr(o).sum} à payer au plus tard le ${fr(o).day}.`, o, ` Facture ${o.number} :`),
    UPCOMING: (o) =>
      payable(`Rappel : le loyer ${fr(o).place}, ${fr(o).sum}, est à payer au plus tard le ${fr(o).day}.`, o),
    DUE: (o) => payable(`Le loyer ${fr(o).place}, ${fr(o).sum}, est à payer aujourd'hui.`, o),
    REMINDER: (o) =>
      payable(
        `Le loyer ${fr(o).place} du ${fr(o).day} n'est pas réglé : il reste ${fr(o).sum}. Déjà payé ? Dites-le-nous.`,
        o,
      ),
    FINAL: (o) =>
      payable(`Dernier rappel : ${fr(o).sum} de loyer ${fr(o).place} restent dus depuis le ${fr(o).day}.`, o),
    FORMAL_NOTICE: (o) =>
      signed(
        `MISE EN DEMEURE : ${fr(o).sum} de loyer ${fr(o).place}, dus depuis le ${fr(o).day}. Lettre et facture ${o.number} :`,
        o,
      ),
  },
  en: {
    RENT_CALL: (o) =>
      payable(`Rent for ${en(o).place}: ${en(o).sum} to be paid by ${en(o).day}.`, o, ` Invoice ${o.number}:`),
    UPCOMING: (o) => payable(`Reminder: the rent for ${en(o).place}, ${en(o).sum}, is to be paid by ${en(o).day}.`, o),
    DUE: (o) => payable(`The rent for ${en(o).place}, ${en(o).sum}, is due today.`, o),
    REMINDER: (o) =>
      payable(
        `The rent for ${en(o).place} of ${en(o).day} is not paid: ${en(o).sum} is open. Paid already? Tell us.`,
        o,
      ),
    FINAL: (o) =>
      payable(`Last reminder: ${en(o).sum} of rent for ${en(o).place} has been open since ${en(o).day}.`, o),
    FORMAL_NOTICE: (o) =>
      signed(
        `FORMAL NOTICE: ${en(o).sum} of rent for ${en(o).place}, open since ${en(o).day}. Letter and invoice ${o.number}:`,
        o,
      ),
  },
}
