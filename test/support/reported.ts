// Reports of all time against the rows that they are made of.
import { dateOf, dayOf } from './ledger.ts'
import { type Fee, misaccounted } from './owning.ts'
import type { Stage } from './scenario.ts'

type Line = Readonly<Record<string, string | number | undefined>>
/** Reports of all time against the rows: rent roll, collection, the owner's statement and account, profit and loss say the same to the franc. */
export async function misreported(s: Stage, today: string, fees: readonly Fee[]): Promise<string[]> {
  const [all = {}] = s.rows(
    `select coalesce(min(period_start), '${today}') first, coalesce(max(period_start), '${today}') last from invoice`,
  )
  const [first, last] = [dayOf(String(all.first)) - 800, Math.max(dayOf(String(all.last)), dayOf(today))]
  const sums = new Map<string, number>()
  const wrong: string[] = []
  let held = 0
  let deposits = 0
  for (let day = first; day <= last; day += 366) {
    const period = `from=${dateOf(day)}&to=${dateOf(Math.min(day + 365, last))}`
    const of = async (name: string): Promise<Line> => {
      const { status, body } = await s.ask('mia', `GET /reports/${name}?${period}`)
      if (status !== 200) wrong.push(`${name} ${status}`)
      return body.totals as Line
    }
    const [roll, collection, owner] = [await of('rent-roll'), await of('collection'), await of('owner-statement')]
    const add = (key: string, n: unknown): void => void sums.set(key, (sums.get(key) ?? 0) + Number(n))
    for (const key of ['grossAmount', 'creditedAmount', 'amountPaid', 'balanceAmount']) add(`roll ${key}`, roll[key])
    add('collected', collection.paidAmount)
    add('invoiced', collection.invoicedAmount)
    for (const key of [
      'receivedAmount',
      'refundedAmount',
      'withheldAmount',
      'depositDeductedAmount',
      'ownerAmount',
      'setOffAmount',
    ])
      add(key, owner[key])
    held += Number(owner.creditAddedAmount)
    deposits += Number(owner.depositReceivedAmount) - Number(owner.depositDeductedAmount)
    deposits += Number(owner.depositMovedAmount) - Number(owner.depositReturnedAmount)
    if (deposits !== Number(owner.depositHeldAmount)) wrong.push(`deposits held by ${period}: ${deposits}`)
    if (held !== Number(owner.creditHeldAmount)) wrong.push(`credit held by ${period}: ${held}`)
  }
  const sum = (sql: string): number => Number(s.rows(`select coalesce(sum(${sql}`)[0]?.n)
  const standing = "0) n from invoice where status <> 'CANCELLED'"
  const withheld = sum(
    "amount), 0) n from payment where status = 'CONFIRMED' and type = 'PAYMENT' and method = 'WITHHOLDING'",
  )
  const expected: Readonly<Record<string, number>> = {
    'roll grossAmount': sum(`gross_amount), ${standing}`),
    'roll creditedAmount': sum(`credited_amount), ${standing}`),
    'roll amountPaid': sum(`amount_paid - credited_amount), ${standing}`),
    'roll balanceAmount': sum(`gross_amount - amount_paid), ${standing}`),
    collected: sum(`amount_paid - credited_amount), ${standing}`),
    invoiced: sum(`gross_amount - credited_amount), ${standing}`),
    receivedAmount: sum(
      "amount), 0) n from payment where status = 'CONFIRMED' and type = 'PAYMENT' and method not in ('DEPOSIT', 'SET_OFF', 'WITHHOLDING')",
    ),
    withheldAmount: withheld,
    depositDeductedAmount:
      sum("amount), 0) n from deposit_entry where type = 'DEDUCTED'") -
      sum("amount), 0) n from deposit_entry where type = 'RECEIVED' and payment_id is not null"),
    refundedAmount: sum(
      "amount), 0) n from payment where status = 'CONFIRMED' and type = 'REFUND' and method <> 'SET_OFF'",
    ),
    setOffAmount: 0,
    ownerAmount:
      sum(`amount_paid - credited_amount), ${standing}`) -
      withheld +
      // Kept for a damage: what was kept for invoices is in what they were paid.
      sum("amount), 0) n from deposit_entry where type = 'DEDUCTED' and payment_id is null"),
  }
  for (const [key, n] of Object.entries(expected))
    if (sums.get(key) !== n) wrong.push(`${key}: ${sums.get(key)}, not ${n}`)
  if (held !== sum('credit_amount), 0) n from booking')) wrong.push(`credit held ${held}`)
  return [...wrong, ...(await misaccounted(s, fees, { first: dateOf(first), last: dateOf(last), today }))]
}
