import { announce } from '../features/data/events/service.ts'
import { checkLeases } from '../features/lease/contracts/service.ts'
import { tellOfAdjustments } from '../features/money/adjustments/service.ts'
import { billOpeningBalance } from '../features/money/billing/opening.ts'
import { followUp } from '../features/money/billing/service.ts'
import { keepBooks } from '../features/money/ledger/books.ts'
import { keepDemoAccounts } from '../features/system/demo/service.ts'
import type { Listener } from './record.ts'

/** The listeners of recorded changes, called in this order. */
export const listeners: readonly Listener[] = [
  keepDemoAccounts,
  keepBooks,
  announce,
  checkLeases,
  billOpeningBalance,
  followUp,
  tellOfAdjustments,
]
