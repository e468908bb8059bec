import type { PAID_BY } from './money.ts'

type Names = Readonly<Record<(typeof PAID_BY)[number], string>>

/** The ways to pay, as papers, pages and messages name them. */
export const METHOD_NAMES: Readonly<Record<'fr' | 'en', Names>> = {
  fr: {
    CASH: 'Espèces',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Virement bancaire',
    CHEQUE: 'Chèque',
    WITHHOLDING: 'Retenue à la source',
    OTHER: 'Autre moyen',
    DEPOSIT: 'Dépôt de garantie',
    SET_OFF: 'Compensation entre baux',
  },
  en: {
    CASH: 'Cash',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Bank transfer',
    CHEQUE: 'Cheque',
    WITHHOLDING: 'Tax withheld at source',
    OTHER: 'Other means',
    DEPOSIT: 'Deposit',
    SET_OFF: 'Set off between leases',
  },
}

/** Ways in which an invoice is paid without money that reaches the landlord; CREDIT: by an advance that came before. */
const NOT_RECEIVED = ['WITHHOLDING', 'DEPOSIT', 'SET_OFF'] as const
export type WayPaid = 'RECEIVED' | 'CREDIT' | (typeof NOT_RECEIVED)[number]
/** How a receipt's money came; `method`: of its payment, undefined without one. */
export const wayPaid = (method: string | undefined): WayPaid =>
  method === undefined ? 'CREDIT' : (NOT_RECEIVED.find((one) => one === method) ?? 'RECEIVED')
