import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quoted, typedPlain } from '../../../core/quoted.ts'
import type { Step } from './rules.ts'

type Owed = {
  readonly number: string
  readonly unitLabel: string
  readonly balance: number
  readonly dueDate: string
  /** Null if the organization has no name. */
  readonly landlord: string | null
  readonly link: string
}
type Texts = Readonly<Record<Step, (o: Owed) => string>>

const signed = (text: string, { landlord, link }: Owed): string =>
  `${text} ${link}${landlord === null ? '' : ` (${typedPlain(landlord)})`}`
const fr = (o: Owed) => ({
  sum: formatMoney(o.balance, 'fr'),
  day: formatDate(o.dueDate, 'fr'),
  unit: quoted(o.unitLabel, 'fr'),
})
const en = (o: Owed) => ({
  sum: formatMoney(o.balance, 'en'),
  day: formatDate(o.dueDate, 'en'),
  unit: quoted(o.unitLabel, 'en'),
})

/** Messages to tenants about their rent: polite at first, direct at the end, never a threat. */
export const TEXTS: Readonly<Record<'fr' | 'en', Texts>> = {
  fr: {
    RENT_CALL: (o) =>
      signed(`Loyer ${fr(o).unit} : ${fr(o).sum} à payer avant le ${fr(o).day}. Facture ${o.number} :`, o),
    UPCOMING: (o) => signed(`Rappel : le loyer ${fr(o).unit}, ${fr(o).sum}, est à payer avant le ${fr(o).day}.`, o),
    DUE: (o) => signed(`Le loyer ${fr(o).unit}, ${fr(o).sum}, est à payer aujourd'hui.`, o),
    REMINDER: (o) =>
      signed(
        `Le loyer ${fr(o).unit} du ${fr(o).day} n'est pas réglé : il reste ${fr(o).sum}. Déjà payé ? Dites-le-nous.`,
        o,
      ),
    FINAL: (o) => signed(`Dernier rappel : ${fr(o).sum} de loyer ${fr(o).unit} restent dus depuis le ${fr(o).day}.`, o),
    FORMAL_NOTICE: (o) =>
      signed(
        `MISE EN DEMEURE : ${fr(o).sum} de loyer ${fr(o).unit}, dus depuis le ${fr(o).day}. Lettre et facture ${o.number} :`,
        o,
      ),
  },
  en: {
    RENT_CALL: (o) =>
      signed(`Rent for ${en(o).unit}: ${en(o).sum} to be paid by ${en(o).day}. Invoice ${o.number}:`, o),
    UPCOMING: (o) => signed(`Reminder: the rent for ${en(o).unit}, ${en(o).sum}, is to be paid by ${en(o).day}.`, o),
    DUE: (o) => signed(`The rent for ${en(o).unit}, ${en(o).sum}, is due today.`, o),
    REMINDER: (o) =>
      signed(`The rent for ${en(o).unit} of ${en(o).day} is not paid: ${en(o).sum} is open. Paid already? Tell us.`, o),
    FINAL: (o) => signed(`Last reminder: ${en(o).sum} of rent for ${en(o).unit} has been open since ${en(o).day}.`, o),
    FORMAL_NOTICE: (o) =>
      signed(
        `FORMAL NOTICE: ${en(o).sum} of rent for ${en(o).unit}, open since ${en(o).day}. Letter and invoice ${o.number}:`,
        o,
      ),
  },
}
