import { NEWS } from '../../../core/budgets.ts'
import { formatDate, spanOf } from '../../../core/dates.ts'
import { quoted, quotedPlace } from '../../../core/message-text.ts'
import { formatMoney, type PAID_BY } from '../../../core/money.ts'
import { METHOD_NAMES } from '../../../core/payment-methods.ts'
import type { PaidFor } from '../../../core/purpose.ts'
import { MOST_OF_LEASE, MOST_WAITING } from './rules.ts'

type Place = { readonly unitLabel: string; readonly propertyName: string }
type Confirmed = Place & {
  readonly amount: number
  /** WITHHELD: tax that the tenant pays to the State, never received. KEPT: taken from the deposit, CREDIT: from another lease; no money came. */
  readonly how: 'RECEIVED' | 'WITHHELD' | 'KEPT' | 'CREDIT'
  /** Who paid on the tenant's behalf. */
  readonly payer?: string | null
  /** Of CREDIT: the lease that it came from, quoted. */
  readonly from?: string | null
  /** Undefined where it is kept for later. */
  readonly paidFor: PaidFor | undefined
  /** Nothing is left to pay of what it went to: its receipt is a quittance. */
  readonly full: boolean
  readonly link: string
}

type Declared = Place & { readonly amount: number; readonly url: string }
type Taken = Declared & { readonly method: (typeof PAID_BY)[number] }
type Undone = Place & { readonly amount: number; readonly paidOn: string; readonly note: string | null }
const reason = (note: string | null, locale: 'fr' | 'en'): string =>
  note === null || note.trim() === '' ? '' : ` ${quoted(note, locale, NEWS.noteLength)}`

/** Signs of a payer's name in a message. */
const PAYER_LENGTH = 20
const PURPOSE = {
  fr: {
    CHARGES: 'au titre des charges',
    BALANCE: 'au titre du solde antérieur',
    LATER: 'en avance sur les loyers à venir',
  },
  en: {
    CHARGES: 'towards charges',
    BALANCE: 'towards the balance brought forward',
    LATER: 'in advance of coming rent',
  },
} as const

/** Messages to tenants about their payments, and to landlords about declared ones; each in the reader's language. */
export const TEXTS = {
  fr: {
    paymentDeclared: (p: Declared) =>
      `Le locataire de ${quotedPlace(p, 'fr')} déclare avoir payé ${formatMoney(p.amount, 'fr')}. À confirmer ou refuser\u00a0: ${p.url}`,
    cashToConfirm: (p: Declared) =>
      `${formatMoney(p.amount, 'fr')} en espèces pour ${quotedPlace(p, 'fr')} sont notés comme reçus par vous. À confirmer ou refuser\u00a0: ${p.url}`,
    cashTaken: (p: Taken) =>
      `Un gestionnaire dit avoir reçu ${formatMoney(p.amount, 'fr')} ${p.method === 'CASH' ? 'en espèces' : `(${METHOD_NAMES.fr[p.method].toLowerCase()})`} pour ${quotedPlace(p, 'fr')}. À confirmer ou refuser\u00a0: ${p.url}`,
    cashRefused: (p: Undone) =>
      `La somme que vous avez notée, ${formatMoney(p.amount, 'fr')} pour ${quotedPlace(p, 'fr')}, n’est pas confirmée.${reason(p.note, 'fr')}`,
    paymentRefused: (p: Undone) =>
      `Votre paiement de ${formatMoney(p.amount, 'fr')} du ${formatDate(p.paidOn, 'fr')} pour ${quotedPlace(p, 'fr')} n’est pas confirmé\u00a0: le bailleur ne l’a pas reçu.${reason(p.note, 'fr')}`,
    paymentReversed: (p: Undone) =>
      `Le paiement de ${formatMoney(p.amount, 'fr')} du ${formatDate(p.paidOn, 'fr')} pour ${quotedPlace(p, 'fr')} est annulé\u00a0: ce qu’il payait est de nouveau dû, et son reçu ne vaut plus.${reason(p.note, 'fr')}`,
    paymentConfirmed: (p: Confirmed) => {
      const sum = formatMoney(p.amount, 'fr')
      const got = {
        RECEIVED: `Nous avons bien reçu ${sum}${!p.payer ? '' : ` de ${quoted(p.payer, 'fr', PAYER_LENGTH)}, pour votre compte,`}`,
        WITHHELD: `Retenue à la source de ${sum} notée`,
        KEPT: `${sum} payés sur votre dépôt de garantie`,
        CREDIT: `${sum} payés avec votre crédit du bail de ${p.from}`,
      }[p.how]
      const { paidFor = 'LATER' } = p
      const what =
        typeof paidFor === 'string' ? PURPOSE.fr[paidFor] : `du ${spanOf(paidFor.from, paidFor.to, 'fr').join(' au ')}`
      return `${got} pour ${quotedPlace(p, 'fr')}, ${what}. ${p.full ? 'Quittance' : p.how === 'RECEIVED' ? 'Reçu' : 'Justificatif'} : ${p.link}`
    },
  },
  en: {
    paymentDeclared: (p: Declared) =>
      `The tenant of ${quotedPlace(p, 'en')} says they have paid ${formatMoney(p.amount, 'en')}. Confirm or refuse it: ${p.url}`,
    cashToConfirm: (p: Declared) =>
      `${formatMoney(p.amount, 'en')} in cash for ${quotedPlace(p, 'en')} is recorded as received by you. Confirm or refuse it: ${p.url}`,
    cashTaken: (p: Taken) =>
      `A manager says they have received ${formatMoney(p.amount, 'en')} ${p.method === 'CASH' ? 'in cash' : `(${METHOD_NAMES.en[p.method].toLowerCase()})`} for ${quotedPlace(p, 'en')}. Confirm or refuse it: ${p.url}`,
    cashRefused: (p: Undone) =>
      `The amount that you recorded, ${formatMoney(p.amount, 'en')} for ${quotedPlace(p, 'en')}, is not confirmed.${reason(p.note, 'en')}`,
    paymentRefused: (p: Undone) =>
      `Your payment of ${formatMoney(p.amount, 'en')} of ${formatDate(p.paidOn, 'en')} for ${quotedPlace(p, 'en')} is not confirmed: the landlord did not receive it.${reason(p.note, 'en')}`,
    paymentReversed: (p: Undone) =>
      `The payment of ${formatMoney(p.amount, 'en')} of ${formatDate(p.paidOn, 'en')} for ${quotedPlace(p, 'en')} is reversed: what it paid is owed again, and its receipt is void.${reason(p.note, 'en')}`,
    paymentConfirmed: (p: Confirmed) => {
      const sum = formatMoney(p.amount, 'en')
      const got = {
        RECEIVED: `We have received ${sum}${!p.payer ? '' : ` from ${quoted(p.payer, 'en', PAYER_LENGTH)}, on your behalf,`}`,
        WITHHELD: `Tax of ${sum} withheld at source has been noted`,
        KEPT: `${sum} paid from your deposit`,
        CREDIT: `${sum} paid with your credit from the lease of ${p.from}`,
      }[p.how]
      const { paidFor = 'LATER' } = p
      const what =
        typeof paidFor === 'string' ? PURPOSE.en[paidFor] : spanOf(paidFor.from, paidFor.to, 'en').join(' to ')
      return `${got} for ${quotedPlace(p, 'en')}, ${what}. ${p.full || p.how === 'RECEIVED' ? 'Receipt' : 'Statement'}: ${p.link}`
    },
  },
} as const satisfies Record<'fr' | 'en', unknown>

export const TOO_MANY = {
  en: `A lease can have at most ${MOST_OF_LEASE} payments. Draw up a new lease that continues it.`,
  fr: `Un bail compte au plus ${MOST_OF_LEASE} paiements. Établissez-en un nouveau, qui le prolonge.`,
}
export const TOO_MANY_WAIT = {
  en: `${MOST_WAITING} payments of this lease wait for an answer already. Have them confirmed, or withdraw some.`,
  fr: `${MOST_WAITING} paiements de ce bail attendent déjà une réponse. Faites-les confirmer, ou retirez-en.`,
}

export const BY_ITSELF = {
  en: 'Credit and debts of a tenant are offset automatically. Reverse the payment that the credit came from.',
  fr: 'Le crédit et les dettes d’un locataire se compensent d’eux-mêmes. Annulez le paiement d’où vient le crédit.',
}

export const IS_SHARE = {
  en: 'This payment is one share of a transfer. Reverse the transfer: all of its shares, or none.',
  fr: 'Ce paiement est une part d’un versement. Annulez le versement\u00a0: toutes ses parts, ou aucune.',
}

/** Why more than the balance of an invoice is refused, and what to do with the rest. `balance` in francs. */
export const overpaid = (balance: number) => ({
  en: `The amount is more than what is left to pay on this invoice, ${formatMoney(balance, 'en')}. Record the rest as an advance on the lease; it pays the coming months.`,
  fr: `Ce montant dépasse le reste à payer de cette facture, ${formatMoney(balance, 'fr')}. Enregistrez le surplus comme une avance sur le bail\u00a0: il paiera les mois à venir.`,
})

export const MAYBE_COUNTED = {
  en: 'A payment of this amount and of these days is recorded by the operator’s id already. It may be the same money: refuse the declaration then, or say that it is another payment.',
  fr: 'Un paiement de ce montant et de ces jours est déjà enregistré par l’identifiant de l’opérateur. C’est peut-être le même argent\u00a0: refusez alors la déclaration, ou dites que c’est un autre paiement.',
}

/** In francs. */
export const otherSum = (declared: number, said: number) => ({
  en: `The tenant declared ${formatMoney(declared, 'en')}, not ${formatMoney(said, 'en')}. Refuse the declaration, then record what came.`,
  fr: `Le locataire a déclaré ${formatMoney(declared, 'fr')}, et non ${formatMoney(said, 'fr')}. Refusez la déclaration, puis notez ce qui est venu.`,
})
