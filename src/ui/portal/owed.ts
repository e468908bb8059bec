import { api, data, type Schemas } from '../shared/api.ts'

type Invoice = Schemas['Invoice']
export type Owed = {
  readonly amount: number
  /** The oldest first: it is paid first. */
  readonly open: readonly Invoice[]
  readonly paid: readonly Invoice[]
  readonly checking: readonly Schemas['Payment'][]
  /** The last day that is paid for, when nothing before it is open. */
  readonly coveredUntil: string | undefined
}

/** What a tenant owes, from their invoices and declarations. */
export async function readOwed(): Promise<Owed> {
  const [invoices, checking] = await Promise.all([
    data(api.GET('/api/v1/invoices', { params: { query: { limit: 100 } } })),
    data(api.GET('/api/v1/payments', { params: { query: { status: 'PENDING' } } })),
  ])
  const open = invoices
    .filter(({ status }) => status === 'ISSUED' || status === 'OVERDUE')
    .sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1))
  const paid = invoices.filter(({ status }) => status === 'PAID')
  const covered = paid
    .map(({ periodEnd }) => periodEnd)
    .sort()
    .at(-1)
  const gap = open.some(({ periodStart }) => covered !== undefined && periodStart < covered)
  const amount = open.reduce((sum, { balanceAmount }) => sum + balanceAmount, 0)
  return { amount, open, paid, checking, coveredUntil: gap ? undefined : covered }
}
