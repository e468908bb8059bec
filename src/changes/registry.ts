import { announce } from '../features/data/events/service.ts'
import { checkLeases } from '../features/lease/contracts/service.ts'
import { billOpeningBalance } from '../features/money/billing/service.ts'
import type { Listener } from './record.ts'

/** Who hears of the changes that are recorded, in this order. */
export const listeners: readonly Listener[] = [announce, checkLeases, billOpeningBalance]
