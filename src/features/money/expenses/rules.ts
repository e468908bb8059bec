import { all, type BodyRule, isText, notAhead, wrongAt } from '../../../core/body-rules.ts'
import { addMonths } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

export const EXPENSE_KINDS = [
  'REPAIR',
  'WATER',
  'POWER',
  'CLEANING',
  'GUARD',
  'TAX',
  'INSURANCE',
  'FEE',
  'OTHER',
] as const

/** Who paid: the owner themselves, or the management, which takes it off what it hands to the owner. */
export const PAYERS = ['OWNER', 'MANAGEMENT'] as const

export const EXPENSE_STATUS = ['RECORDED', 'CANCELLED'] as const
type ExpenseStatus = (typeof EXPENSE_STATUS)[number]
export const expenseMoves: Transitions<ExpenseStatus, 'cancel'> = {
  cancel: { from: ['RECORDED'], to: 'CANCELLED' },
}

/** How far back an expense is dated, and how long a series goes on. */
export const YEARS = 10

const NOT_MORE = { en: 'Cannot be more than the amount.', fr: 'Ne peut pas dépasser le montant.' }
/** The tax is part of the amount. */
export const taxRule: BodyRule = ({ amount, tvaAmount }) =>
  typeof amount === 'number' && typeof tvaAmount === 'number' && tvaAmount > amount
    ? wrongAt(NOT_MORE, '/tvaAmount')
    : []
const LONG_AGO = { en: `Within the last ${YEARS} years.`, fr: `Au plus ${YEARS} ans en arrière.` }
const dayRule = all(notAhead('spentOn'), ({ spentOn }, today) =>
  isText(spentOn) && spentOn < addMonths(today, -12 * YEARS) ? wrongAt(LONG_AGO, '/spentOn') : [],
)
/** The rules of an expense's own members. */
export const expenseRule = all(taxRule, dayRule)

/** How often an expense comes again. */
export const REPEATS = ['MONTHLY', 'QUARTERLY', 'YEARLY'] as const
type Repeat = (typeof REPEATS)[number]
const MONTHS: Readonly<Record<Repeat, number>> = { MONTHLY: 1, QUARTERLY: 3, YEARLY: 12 }

/** The day of the expense that follows `count` others after the first of `spentOn`; null once that is after `until`. */
export function nextOn(spentOn: string, every: Repeat, until: string, count: number): string | null {
  const day = addMonths(spentOn, MONTHS[every] * (count + 1))
  return day > until ? null : day
}
