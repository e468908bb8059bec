import { formatDate } from '../../../core/dates.ts'
import { quotedPlace, signedBy } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'
import type { Purpose } from '../../../core/purpose.ts'
import type { Step } from './rules.ts'

type Owed = {
  readonly number: string
  readonly unitLabel: string
  readonly propertyName: string
  /** What the invoice alone asks for: its open francs, and by when. */
  readonly open: number
  readonly dueDate: string
  readonly purpose: Purpose
  /** With what is overdue on the lease besides. */
  readonly balance: number
  readonly invoices: number
  /** What was taken off for the deposit of a lease that has ended. */
  readonly depositAmount: number
  /** What of it the tenant says is paid, and the landlord has not confirmed. */
  readonly declared: number
  /** The earliest day on which some of it was due. */
  readonly since: string
  /** What `balance` is for. */
  readonly owed: Purpose
  /** The time that a formal notice gives. */
  readonly time: { readonly use: 'HOME' | 'BUSINESS'; readonly payBefore: string }
  /** Of an invoice for a share of charges: the first and the last day that they are of. */
  readonly shared?: { readonly from: string; readonly to: string } | undefined
  /** The landlord, whose name ends the message. */
  readonly landlord: string
  /** How it can be paid by phone, if the landlord said so. */
  readonly way: string | undefined
  readonly link: string
}
type Texts = Readonly<Record<Step, (o: Owed) => string>>

/** Whether a message says one sum more than it has room for. */
const isFull = ({ depositAmount, declared }: Owed): boolean => depositAmount > 0 || declared > 0
const signed = (text: string, { landlord, link }: Owed): string =>
  signedBy(link === '' ? text : `${text} ${link}`, landlord)
/**
 * The same, with the way to pay before the link and what leads to it. Where a deposit or a declared payment is counted
 * there is no room for the way, nor in a formal notice for since when: the page behind the link and the letter have them.
 */
const payable = (text: string, o: Owed, lead = ''): string =>
  signed(`${text}${o.way === undefined || isFull(o) ? '' : ` ${o.way}.`}${o.link === '' ? '' : lead}`, o)
/** The amount behind the sum: the deposit that was taken off, or else the declared payment that was not. */
const COUNTED = {
  fr: ({ depositAmount, declared }: Owed): string => {
    if (depositAmount > 0) return ` Dépôt compté\u00a0: ${formatMoney(depositAmount, 'fr')}.`
    return declared > 0 ? ` ${formatMoney(declared, 'fr')} déclarés, à confirmer.` : ''
  },
  en: ({ depositAmount, declared }: Owed): string => {
    if (depositAmount > 0) return ` Deposit counted: ${formatMoney(depositAmount, 'en')}.`
    return declared > 0 ? ` ${formatMoney(declared, 'en')} declared, unconfirmed.` : ''
  },
} as const
/** A question that a tenant who declared a payment has already answered. */
const ASK = { fr: ' Déjà payé\u00a0? Dites-le-nous.', en: ' Paid already? Tell us.' } as const
const askIn = (locale: 'fr' | 'en', { declared }: Owed): string => (declared > 0 ? '' : ASK[locale])
/** 30/09/2026: a message that says two sums, or the way to pay, has no room for more. */
const shortDay = (day: string): string => day.split('-').reverse().join('/')
const inWords = (locale: 'fr' | 'en') => (o: Owed) => ({
  open: formatMoney(o.open, locale),
  day: o.invoices > 1 || isFull(o) ? shortDay(o.dueDate) : formatDate(o.dueDate, locale),
  sum: formatMoney(o.balance, locale),
  since: isFull(o) || o.way !== undefined ? shortDay(o.since) : formatDate(o.since, locale),
  get before() {
    return shortDay(o.time.payBefore)
  },
  place: quotedPlace(o, locale),
})
const [fr, en] = [inWords('fr'), inWords('en')]

const NOUNS = {
  fr: {
    RENT: { name: 'Loyer', the: 'le loyer', is: 'est', of: 'de loyer' },
    CHARGES: { name: 'Charges', the: 'les charges', is: 'sont', of: 'de charges' },
    BALANCE: { name: 'Ancien solde', the: 'l’ancien solde', is: 'est', of: 'd’ancien solde' },
    RENT_AND_MORE: { name: 'Loyer et charges', the: 'loyer et charges', is: 'sont', of: 'de loyer et charges' },
  },
  en: {
    RENT: { name: 'Rent', the: 'the rent', is: 'is', of: 'of rent' },
    CHARGES: { name: 'Charges', the: 'the charges', is: 'are', of: 'of charges' },
    BALANCE: { name: 'Earlier balance', the: 'the earlier balance', is: 'is', of: 'of earlier balance' },
    RENT_AND_MORE: { name: 'Rent and charges', the: 'rent and charges', is: 'are', of: 'of rent and charges' },
  },
} as const
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
/** Since when older debts are owed; there is no room for it beside the way to pay, a deposit or a declared payment. */
const sinceIn = (o: Owed, text: string): string => (o.way === undefined && !isFull(o) ? text : '')
/** The coming rent and what is owed already: the total of both. */
const frBoth = (o: Owed): string =>
  payable(
    `${NOUNS.fr[o.purpose].name} pour ${fr(o).place}\u00a0: ${fr(o).open} à payer au plus tard le ${fr(o).day}. Avec l’arriéré${sinceIn(o, ` (dû depuis le ${shortDay(o.since)})`)}\u00a0: ${fr(o).sum}.${COUNTED.fr(o)}`,
    o,
  )
const enBoth = (o: Owed): string =>
  payable(
    `${NOUNS.en[o.purpose].name} for ${en(o).place}: ${en(o).open} to pay by ${en(o).day} at the latest. With arrears${sinceIn(o, ` since ${shortDay(o.since)}`)}: ${en(o).sum}.${COUNTED.en(o)}`,
    o,
  )

/** Messages to tenants about their rent: polite at first, direct at the end, never a threat. */
export const TEXTS: Readonly<Record<'fr' | 'en', Texts>> = {
  fr: {
    RENT_CALL: (o) => {
      if (o.balance === 0)
        return signed(
          `${o.shared ? 'Régularisation des charges' : NOUNS.fr[o.purpose].name} pour ${fr(o).place}\u00a0: ${fr(o).open}. Votre dépôt de garantie couvre cette somme\u00a0: rien à payer.`,
          o,
        )
      if (o.shared) {
        const text = `Régularisation des charges pour ${fr(o).place}, du ${shortDay(o.shared.from)} au ${shortDay(o.shared.to)}\u00a0: ${fr(o).open} à payer au plus tard le ${shortDay(o.dueDate)}.`
        return payable(text + COUNTED.fr(o), o)
      }
      if (o.invoices > 1) return frBoth(o)
      const text = `${NOUNS.fr[o.purpose].name} pour ${fr(o).place}\u00a0: ${fr(o).open} à payer au plus tard le ${fr(o).day}.${COUNTED.fr(o)}`
      return payable(text, o, ` Facture ${o.number}\u00a0:`)
    },
    UPCOMING: (o) => {
      if (o.invoices > 1) return frBoth(o)
      const { the, is } = NOUNS.fr[o.purpose]
      const text = `Rappel\u00a0: ${the} pour ${fr(o).place}, ${fr(o).open}, ${is} à payer au plus tard le ${fr(o).day}.${COUNTED.fr(o)}`
      return payable(text, o)
    },
    DUE: (o) => {
      if (o.invoices > 1) return frBoth(o)
      const { the, is } = NOUNS.fr[o.purpose]
      return payable(
        `${capital(the)} pour ${fr(o).place}, ${fr(o).open}, ${is} à payer aujourd’hui au plus tard.${COUNTED.fr(o)}`,
        o,
      )
    },
    REMINDER: (o) =>
      payable(
        o.invoices === 1 && o.owed === 'RENT'
          ? `Le loyer pour ${fr(o).place}, dû le ${fr(o).since}, n’est pas réglé\u00a0: il reste ${fr(o).sum}.${COUNTED.fr(o)}${askIn('fr', o)}`
          : `${fr(o).sum} ${NOUNS.fr[o.owed].of} pour ${fr(o).place} restent dus depuis le ${fr(o).since}.${COUNTED.fr(o)}${askIn('fr', o)}`,
        o,
      ),
    FINAL: (o) =>
      payable(
        `Dernier rappel\u00a0: ${fr(o).sum} ${NOUNS.fr[o.owed].of} pour ${fr(o).place} restent dus depuis le ${fr(o).since}.${COUNTED.fr(o)}`,
        o,
      ),
    FORMAL_NOTICE: (o) =>
      signed(
        `MISE EN DEMEURE\u00a0: ${fr(o).sum} ${o.depositAmount > 0 ? `pour ${fr(o).place}` : `${NOUNS.fr[o.owed].of} pour ${fr(o).place}, dus depuis le ${shortDay(o.since)}`}, à payer ${o.time.use === 'HOME' ? `sous huit jours, au plus tard le ${fr(o).before}` : 'sous un mois à compter de la réception'}.${COUNTED.fr(o)}`,
        o,
      ),
  },
  en: {
    RENT_CALL: (o) => {
      if (o.balance === 0)
        return signed(
          `${o.shared ? 'Charges' : NOUNS.en[o.purpose].name} for ${en(o).place}: ${en(o).open}. Your deposit covers this sum: nothing to pay.`,
          o,
        )
      if (o.shared) {
        const text = `Charges for ${en(o).place} worked out for ${shortDay(o.shared.from)} to ${shortDay(o.shared.to)}: ${en(o).open} to pay by ${shortDay(o.dueDate)} at the latest.`
        return payable(text + COUNTED.en(o), o)
      }
      if (o.invoices > 1) return enBoth(o)
      const text = `${NOUNS.en[o.purpose].name} for ${en(o).place}: ${en(o).open} to pay by ${en(o).day} at the latest.${COUNTED.en(o)}`
      return payable(text, o, ` Invoice ${o.number}:`)
    },
    UPCOMING: (o) => {
      if (o.invoices > 1) return enBoth(o)
      const { the, is } = NOUNS.en[o.purpose]
      return payable(
        `Reminder: ${the} for ${en(o).place}, ${en(o).open}, ${is} to be paid by ${en(o).day} at the latest.${COUNTED.en(o)}`,
        o,
      )
    },
    DUE: (o) => {
      if (o.invoices > 1) return enBoth(o)
      const { the, is } = NOUNS.en[o.purpose]
      return payable(
        `${capital(the)} for ${en(o).place}, ${en(o).open}, ${is} to be paid today at the latest.${COUNTED.en(o)}`,
        o,
      )
    },
    REMINDER: (o) =>
      payable(
        o.invoices === 1 && o.owed === 'RENT'
          ? `The rent for ${en(o).place}, due on ${en(o).since}, has not been paid: ${en(o).sum} is owed.${COUNTED.en(o)}${askIn('en', o)}`
          : `${en(o).sum} ${NOUNS.en[o.owed].of} for ${en(o).place} has been owed since ${en(o).since}.${COUNTED.en(o)}${askIn('en', o)}`,
        o,
      ),
    FINAL: (o) =>
      payable(
        `Last reminder: ${en(o).sum} ${NOUNS.en[o.owed].of} for ${en(o).place} has been owed since ${en(o).since}.${COUNTED.en(o)}`,
        o,
      ),
    FORMAL_NOTICE: (o) =>
      signed(
        `FORMAL NOTICE: ${en(o).sum} ${o.depositAmount > 0 ? `for ${en(o).place}` : `${NOUNS.en[o.owed].of} for ${en(o).place}, owed since ${shortDay(o.since)}`}, to pay within ${o.time.use === 'HOME' ? `eight days, by ${en(o).before} at the latest` : 'one month of receipt'}.${COUNTED.en(o)}`,
        o,
      ),
  },
}

type Lost = { readonly unitLabel: string; readonly propertyName: string; readonly to: string }

/** Messages to landlords about messages to their tenants that did not arrive. */
export const UNDELIVERED_TEXTS = {
  fr: {
    undelivered: (m: Lost) =>
      `Un message au locataire de ${quotedPlace(m, 'fr')} n’a pas pu être remis au ${m.to}. Prévenez-le autrement et vérifiez son numéro.`,
  },
  en: {
    undelivered: (m: Lost) =>
      `A message to the tenant of ${quotedPlace(m, 'en')} could not be delivered to ${m.to}. Tell them another way and check their number.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
