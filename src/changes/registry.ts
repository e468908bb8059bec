import { announce } from '../features/data/events/service.ts'
import { checkLeases } from '../features/lease/contracts/service.ts'
import { followUp } from '../features/money/billing/service.ts'
import { billOpeningBalance } from '../features/money/openings/service.ts'
import { keepDemoAccounts } from '../features/system/demo/service.ts'
import type { Listener } from './record.ts'

/** The listeners of recorded changes, called in this order. */
export const listeners: readonly Listener[] = [keepDemoAccounts, announce, checkLeases, billOpeningBalance, followUp]
