import { formatDate } from '../../../core/dates.ts'
import { beforeVat, quotedPlace, readAt } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'

type Account = {
  readonly unitLabel: string
  readonly propertyName: string
  /** Deposit and credit less what is owed; below zero the tenant owes it. */
  readonly balance: number
  /** Where all of it can be read; undefined for a tenant without an account. */
  readonly url: string | undefined
}
type Ended = Account & { readonly endDate: string }
/** What the new lease takes over, in francs; what is still owed on the old one is in `balance`. */
type Renewed = Account & { readonly startDate: string; readonly depositAmount: number; readonly creditAmount: number }
type Deducted = Account & { readonly amount: number }

/** What is left between the two. */
const LEFT = {
  fr: (balance: number): string =>
    balance === 0
      ? 'rien à payer ni à rendre'
      : `${formatMoney(Math.abs(balance), 'fr')} ${balance > 0 ? 'à vous rendre' : 'à payer'}`,
  en: (balance: number): string =>
    balance === 0
      ? 'nothing to pay or to return'
      : `${formatMoney(Math.abs(balance), 'en')} ${balance > 0 ? 'to return to you' : 'to pay'}`,
} as const
const BALANCE = {
  fr: ({ balance }: Account): string => `Solde, dépôt compris\u00a0: ${LEFT.fr(balance)}.`,
  en: ({ balance }: Account): string => `Balance, deposit included: ${LEFT.en(balance)}.`,
} as const

const CARRIED = {
  fr: ({ depositAmount, creditAmount }: Renewed): string => {
    const parts = [
      ...(depositAmount > 0 ? [`Votre dépôt (${formatMoney(depositAmount, 'fr')})`] : []),
      ...(creditAmount > 0
        ? [`${depositAmount > 0 ? 'votre' : 'Votre'} avance (${formatMoney(creditAmount, 'fr')})`]
        : []),
    ]
    const verb = parts.length > 1 ? 'y sont reportés' : depositAmount > 0 ? 'y est reporté' : 'y est reportée'
    return parts.length === 0 ? '' : ` ${parts.join(' et ')} ${verb}.`
  },
  en: ({ depositAmount, creditAmount }: Renewed): string => {
    const parts = [
      ...(depositAmount > 0 ? [`deposit (${formatMoney(depositAmount, 'en')})`] : []),
      ...(creditAmount > 0 ? [`advance (${formatMoney(creditAmount, 'en')})`] : []),
    ]
    return parts.length === 0
      ? ''
      : ` Your ${parts.join(' and ')} ${parts.length > 1 ? 'are' : 'is'} carried over to it.`
  },
} as const

/** What a tenant is told at the end of a lease, in their language. */
export const SETTLEMENT_TEXTS = {
  fr: {
    leaseEnded: (l: Ended) =>
      `Votre bail pour ${quotedPlace(l, 'fr')} a pris fin le ${formatDate(l.endDate, 'fr')}. ${BALANCE.fr(l)}${readAt('Décompte final\u00a0:', l.url)}`,
    leaseRenewed: (l: Renewed) =>
      `Votre nouveau bail pour ${quotedPlace(l, 'fr')} a commencé le ${formatDate(l.startDate, 'fr')}.${CARRIED.fr(l)}${l.balance < 0 ? ` Ancien bail\u00a0: ${formatMoney(-l.balance, 'fr')} à payer.` : ''}${l.url === undefined ? '' : ` ${l.url}`}`,
    depositDeducted: (l: Deducted) =>
      `${formatMoney(l.amount, 'fr')} sont retenus sur votre dépôt de garantie pour ${quotedPlace(l, 'fr')}. ${BALANCE.fr(l)}${readAt('Motif et décompte\u00a0:', l.url)}`,
  },
  en: {
    leaseEnded: (l: Ended) =>
      `Your lease for ${quotedPlace(l, 'en')} ended on ${formatDate(l.endDate, 'en')}. ${BALANCE.en(l)}${readAt('Final statement:', l.url)}`,
    leaseRenewed: (l: Renewed) =>
      `Your new lease for ${quotedPlace(l, 'en')} began on ${formatDate(l.startDate, 'en')}.${CARRIED.en(l)}${l.balance < 0 ? ` Old lease: ${formatMoney(-l.balance, 'en')} to pay.` : ''}${l.url === undefined ? '' : ` ${l.url}`}`,
    depositDeducted: (l: Deducted) =>
      `${formatMoney(l.amount, 'en')} is being kept from your deposit for ${quotedPlace(l, 'en')}. ${BALANCE.en(l)}${readAt('Reason and statement:', l.url)}`,
  },
} as const satisfies Record<'fr' | 'en', unknown>

type Lease = {
  readonly unitLabel: string
  readonly propertyName: string
  readonly startDate: string
  readonly endDate: string | null
  readonly rentAmount: number
  readonly tvaBasisPoints: number
}
const termsFr = ({ rentAmount, tvaBasisPoints, startDate, endDate }: Lease): string =>
  `loyer de ${formatMoney(rentAmount, 'fr')} par mois${beforeVat(tvaBasisPoints, 'fr')}, du ${formatDate(startDate, 'fr')} ${endDate === null ? 'sans fin fixée' : `au ${formatDate(endDate, 'fr')}`}`
const termsEn = ({ rentAmount, tvaBasisPoints, startDate, endDate }: Lease): string =>
  `rent of ${formatMoney(rentAmount, 'en')} a month${beforeVat(tvaBasisPoints, 'en')}, from ${formatDate(startDate, 'en')} ${endDate === null ? 'without a fixed end' : `to ${formatDate(endDate, 'en')}`}`

/** What the parties of a lease are told when a mistake in it was put right. */
export const CORRECTION_TEXTS = {
  fr: {
    corrected: (l: Lease) =>
      `Le bail pour ${quotedPlace(l, 'fr')} est corrigé\u00a0: ${termsFr(l)}. Les factures déjà émises sont annulées et remplacées. Ce n’est pas ce que vous avez convenu\u00a0? Dites-le sans attendre.`,
    notYours: (l: Lease) =>
      `Un bail pour ${quotedPlace(l, 'fr')} était établi à votre nom par erreur. Il est corrigé et ne vous concerne plus\u00a0: vous ne devez rien.`,
    toSign: (l: Lease) =>
      `Le bail pour ${quotedPlace(l, 'fr')} est corrigé\u00a0: ${termsFr(l)}. Il est à signer de nouveau\u00a0; les factures déjà émises sont annulées.`,
  },
  en: {
    corrected: (l: Lease) =>
      `The lease for ${quotedPlace(l, 'en')} has been corrected: ${termsEn(l)}. Invoices already issued are cancelled and replaced. Not what you agreed? Tell us at once.`,
    notYours: (l: Lease) =>
      `A lease for ${quotedPlace(l, 'en')} was in your name by mistake. It has been corrected and no longer concerns you: you owe nothing.`,
    toSign: (l: Lease) =>
      `The lease for ${quotedPlace(l, 'en')} has been corrected: ${termsEn(l)}. It needs to be signed again; invoices already issued are cancelled.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>

type LeasePlace = { readonly unitLabel: string; readonly propertyName: string }
const fr = (l: LeasePlace): string => quotedPlace(l, 'fr')
const en = (l: LeasePlace): string => quotedPlace(l, 'en')

/** What the parties are told of a notice to leave, each in their language; `account`: the tenant has one. */
export const NOTICE_TEXTS = {
  fr: {
    given: {
      LANDLORD: (l: LeasePlace, day: string, account: boolean) =>
        `Votre bailleur vous donne congé pour ${fr(l)}\u00a0: le bail prend fin le ${formatDate(day, 'fr')}. ${account ? 'Le congé est dans vos documents' : 'Le congé écrit vous est remis contre décharge'}.`,
      TENANT: (l: LeasePlace, day: string, account: boolean) =>
        `Votre congé pour ${fr(l)} est enregistré\u00a0: le bail prend fin le ${formatDate(day, 'fr')}. Ce n’est pas vous\u00a0? ${account ? 'Retirez-le' : 'Dites-le à votre bailleur'} avant cette date.`,
    },
    asked: (l: LeasePlace, day: string, account: boolean) =>
      `Votre bailleur demande à mettre fin au bail pour ${fr(l)} le ${formatDate(day, 'fr')}. Le bail ne prend fin ce jour-là que si vous l’acceptez par écrit. ${account ? 'Le congé est dans vos documents' : 'Le congé écrit vous est remis contre décharge'}.`,
    toOwner: (l: LeasePlace, day: string, tenant: string) =>
      `${tenant} donne congé pour ${fr(l)}\u00a0: le bail prend fin le ${formatDate(day, 'fr')}.`,
    withdrawn: (l: LeasePlace, day: string) =>
      `Le congé donné pour ${fr(l)} au ${formatDate(day, 'fr')} est retiré\u00a0: le bail continue.`,
  },
  en: {
    given: {
      LANDLORD: (l: LeasePlace, day: string, account: boolean) =>
        `Your landlord has given you notice for ${en(l)}: the lease ends on ${formatDate(day, 'en')}. ${account ? 'The notice is among your documents' : 'You will be handed the written notice to sign for'}.`,
      TENANT: (l: LeasePlace, day: string, account: boolean) =>
        `Your notice for ${en(l)} has been recorded: the lease ends on ${formatDate(day, 'en')}. Wasn’t it you? ${account ? 'Withdraw it' : 'Tell your landlord'} before that day.`,
    },
    asked: (l: LeasePlace, day: string, account: boolean) =>
      `Your landlord asks to end the lease for ${en(l)} on ${formatDate(day, 'en')}. It ends on that day only if you accept in writing. ${account ? 'The notice is among your documents' : 'You will be handed the written notice to sign for'}.`,
    toOwner: (l: LeasePlace, day: string, tenant: string) =>
      `${tenant} has given notice for ${en(l)}: the lease ends on ${formatDate(day, 'en')}.`,
    withdrawn: (l: LeasePlace, day: string) =>
      `The notice given for ${en(l)} for ${formatDate(day, 'en')} has been withdrawn: the lease continues.`,
  },
} as const
