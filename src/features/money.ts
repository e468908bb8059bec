import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { accounting } from './money/accounting/routes.ts'
import { adjustments } from './money/adjustments/routes.ts'
import { charges, regularisations } from './money/charges/routes.ts'
import { deposits } from './money/deposits/routes.ts'
import { expenses } from './money/expenses/routes.ts'
import { invoices } from './money/invoices/routes.ts'
import { corrections, departures, endings, settlements } from './money/leaving/routes.ts'
import { ownerTransfers } from './money/owner-transfers/routes.ts'
import { advances, mobileMoney, payments } from './money/payments/routes.ts'
import { rentChange, rentChanges, riders } from './money/rents/routes.ts'
import { transfers } from './money/transfers/routes.ts'
import { waivers } from './money/waivers/routes.ts'

/** The money of leases: invoices, payments, deposits, and the accounts at their end. */
export const money = (deps: Deps, http: Http) =>
  new Elysia({ name: 'money' })
    .use(advances(deps, http))
    .use(endings(http))
    .use(settlements(http))
    .use(corrections(http))
    .use(departures(http))
    .use(rentChanges(deps, http))
    .use(rentChange(deps, http))
    .use(riders(deps, http))
    .use(invoices(deps, http))
    .use(waivers(http))
    .use(payments(deps, http))
    .use(mobileMoney(deps, http))
    .use(transfers(deps, http))
    .use(deposits(deps, http))
    .use(adjustments(deps, http))
    .use(accounting(deps, http))
    .use(charges(http))
    .use(expenses(deps, http))
    .use(ownerTransfers(deps, http))
    .use(regularisations(deps, http))
