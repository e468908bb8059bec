import { and, eq } from 'drizzle-orm'
import { list } from '../../../db/list.ts'
import type { Db } from '../../../db/open.ts'
import { query } from '../../../db/query.ts'
import { inserting, reading, saving } from '../../../db/rows.ts'
import { moneyMessage } from '../../../db/schema/mobile-money.ts'
import type { Operator } from './rules.ts'

export type MessageRow = typeof moneyMessage.$inferSelect
export const insertMessage = inserting('moneyMessage.insert', moneyMessage)
export const saveMessage = saving('moneyMessage.save', moneyMessage, ['status', 'paymentId', 'updatedAt'])
export const findMessage = reading('moneyMessage.byId', moneyMessage)

const byTransaction = query('moneyMessage.byTransaction', ['orgId', 'operator', 'transactionId'], (db, p) =>
  db
    .select()
    .from(moneyMessage)
    .where(
      and(
        eq(moneyMessage.orgId, p.orgId),
        eq(moneyMessage.operator, p.operator),
        eq(moneyMessage.transactionId, p.transactionId),
      ),
    )
    .prepare(),
)
export const findByTransaction = (db: Db, orgId: string, operator: Operator, transactionId: string) =>
  byTransaction(db).get({ orgId, operator, transactionId })

const twin = query('moneyMessage.twin', ['orgId', 'payerNumber', 'paidOn', 'time', 'amount'], (db, p) =>
  db
    .select({ id: moneyMessage.id })
    .from(moneyMessage)
    .where(
      and(
        eq(moneyMessage.orgId, p.orgId),
        eq(moneyMessage.payerNumber, p.payerNumber),
        eq(moneyMessage.paidOn, p.paidOn),
        eq(moneyMessage.time, p.time),
        eq(moneyMessage.amount, p.amount),
      ),
    )
    .limit(1)
    .prepare(),
)
/** Whether the same payer sent the same amount in the very same second: nobody does that twice. */
export const hasTwin = (
  db: Db,
  m: { orgId: string; payerNumber: string; paidOn: string; time: string; amount: number },
) => twin(db).get(m) !== undefined

export const listMessages = list({
  name: 'moneyMessages',
  table: moneyMessage,
  org: moneyMessage.orgId,
  id: moneyMessage.id,
  columns: {
    id: moneyMessage.id,
    orgId: moneyMessage.orgId,
    operator: moneyMessage.operator,
    transactionId: moneyMessage.transactionId,
    amount: moneyMessage.amount,
    currency: moneyMessage.currency,
    payerNumber: moneyMessage.payerNumber,
    payerName: moneyMessage.payerName,
    paidOn: moneyMessage.paidOn,
    status: moneyMessage.status,
    paymentId: moneyMessage.paymentId,
    recordedBy: moneyMessage.recordedBy,
    createdAt: moneyMessage.createdAt,
  },
  filters: { status: { column: moneyMessage.status, base: true } },
  ranges: { updatedSince: { column: moneyMessage.updatedAt, op: '>=' } },
  scopes: { owner: { column: moneyMessage.recordedBy } },
})
