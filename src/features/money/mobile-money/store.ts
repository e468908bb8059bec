import { and, desc, eq } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving, shown } from '../../../../db/query.ts'
import { moneyMessage } from '../../../../db/schema/mobile-money.ts'
import type { Operator } from './rules.ts'

export type MoneyMessageRow = typeof moneyMessage.$inferSelect
export const insertMessage = inserting('moneyMessage.insert', moneyMessage)
export const saveMessage = saving(
  'money_message',
  moneyMessage,
  'operator',
  'transactionId',
  'amount',
  'currency',
  'payerNumber',
  'payerName',
  'paidOn',
  'time',
  'recordedBy',
  'balance',
)
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
    ),
)
export const findByTransaction = (db: Db, orgId: string, operator: Operator, transactionId: string) =>
  byTransaction(db).get({ orgId, operator, transactionId })

const ofPayer = query('moneyMessage.ofPayer', ['orgId', 'payerNumber'], (db, p) =>
  db
    .select({
      transactionId: moneyMessage.transactionId,
      amount: moneyMessage.amount,
      paidOn: moneyMessage.paidOn,
      time: moneyMessage.time,
      balance: moneyMessage.balance,
    })
    .from(moneyMessage)
    .where(and(eq(moneyMessage.orgId, p.orgId), eq(moneyMessage.payerNumber, p.payerNumber)))
    .orderBy(desc(moneyMessage.paidOn))
    .limit(200),
)
/** What one payer's latest messages say. */
export const messagesOf = (db: Db, orgId: string, payerNumber: string) => ofPayer(db).all({ orgId, payerNumber })

export const listMessages = list({
  name: 'moneyMessages',
  table: moneyMessage,
  org: moneyMessage.orgId,
  id: moneyMessage.id,
  columns: shown(moneyMessage, 'time', 'balance'),
  filters: { status: { column: moneyMessage.status, base: true } },
  ranges: { updatedSince: { column: moneyMessage.updatedAt, op: '>=' } },
  scopes: { owner: { column: moneyMessage.recordedBy }, limited: { column: moneyMessage.recordedBy } },
})
