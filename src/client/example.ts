// Who is behind with the rent, and by how much; with --pay INVOICE AMOUNT [DAY] it records a payment in cash.
// LOYER=https://rent.example.cm TOKEN=… bun example.ts
import { createClient, list, ok, ProblemError } from './client.ts'

const client = createClient({ baseUrl: process.env.LOYER ?? 'http://localhost:3000', token: process.env.TOKEN })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function pay(id: string, amount: number, paidOn: string): Promise<void> {
  const body = { amount, method: 'CASH', paidOn } as const
  const payment = ok(await client.POST('/api/v1/invoices/{id}/payments', { params: { path: { id } }, body }))
  print(`${payment.id} ${payment.status}`)
}

async function arrears(): Promise<void> {
  let total = 0
  for await (const invoice of list(client, '/api/v1/invoices', { query: { status: 'OVERDUE', limit: 200 } })) {
    print(`${invoice.number}  due ${invoice.dueDate}  ${invoice.balanceAmount} ${invoice.currency}`)
    total += invoice.balanceAmount
  }
  print(`${total} XAF in all`)
}

try {
  const [option, invoice, amount, day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2)
  if (option === '--pay') await pay(invoice ?? '', Number(amount), day)
  else await arrears()
} catch (e) {
  if (!(e instanceof ProblemError)) throw e
  // Programs go by `e.problem.code`; the message names it too, with the first member that was refused.
  process.stderr.write(`${e.message}\n`)
  process.exitCode = 1
}
