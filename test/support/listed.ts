// Reports against the lists that anybody can read, over HTTP, and each CSV against its JSON.
import { dateOf, dayOf } from './ledger.ts'
import type { Json, Stage } from './scenario.ts'

type Line = Readonly<Record<string, unknown>>
const REPORTS = ['rent-roll', 'collection', 'tva-journal', 'owner-statement', 'owner-account']
const OWN = ['DEPOSIT', 'SET_OFF', 'WITHHOLDING']

/** All pages of a list. */
async function listOf(s: Stage, path: string): Promise<Line[]> {
  const all: Line[] = []
  for (let cursor = ''; ; ) {
    const { status, body, headers } = await s.ask(
      'mia',
      `GET ${path}${path.includes('?') ? '&' : '?'}limit=200${cursor}`,
    )
    if (status !== 200) throw new Error(`${path} ${status}`)
    all.push(...(body as unknown as Line[]))
    const next = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    if (next === undefined) return all
    cursor = `&cursor=${next}`
  }
}
const sum = (lines: readonly Line[], of: (line: Line) => unknown): number =>
  lines.reduce((all, line) => all + Number(of(line) ?? 0), 0)

/** The amounts in the last line of a CSV, after each was compared with the column above it. */
function totalsIn(csv: string, wrong: (what: string) => void): Set<number> {
  const [head = [], ...rows] = csv
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(';'))
  const total = rows.pop() ?? []
  const found = new Set<number>()
  for (const [at, cell] of total.entries()) {
    if (!/^-?\d+$/.test(cell)) continue
    found.add(Number(cell))
    const column = rows.reduce((all, row) => all + Number(row[at] ?? 0), 0)
    if (column !== Number(cell)) wrong(`${head[at]}: ${column}, not ${cell}`)
  }
  return found
}

/** What reports of all time say otherwise than invoices, payments, deposits and expenses in lists. */
export async function mislisted(s: Stage, today: string): Promise<string[]> {
  const wrong: string[] = []
  const invoices = await listOf(s, '/invoices')
  const payments = (await listOf(s, '/payments')).filter(({ status }) => status === 'CONFIRMED')
  const leases = await listOf(s, '/bookings')
  const deposits = (await Promise.all(leases.map(({ id }) => listOf(s, `/bookings/${id}/deposit`)))).flat()
  const expenses = (await listOf(s, '/expenses')).filter(({ status }) => status === 'RECORDED')
  const days = invoices
    .flatMap((i) => [String(i.periodStart), String(i.dueDate)])
    .concat(today)
    .sort()
  const [first, last] = [dayOf(days[0] ?? today) - 800, dayOf(days.at(-1) ?? today) + 1]
  const sums = new Map<string, number>()
  const add = (report: string, totals: Json): void => {
    for (const [key, n] of Object.entries(totals))
      sums.set(`${report} ${key}`, (sums.get(`${report} ${key}`) ?? 0) + Number(n))
  }
  /** The totals of a report, which its CSV has to give too. */
  const read = async (report: string, period: string): Promise<{ totals: Json; rows: Line[] }> => {
    const path = `GET /reports/${report}?${period}`
    const { totals, rows } = (await s.ask('mia', path)).body as { totals: Json; rows: Line[] }
    const said = new Set(Object.values(totals).map(Number))
    for (const n of totalsIn((await s.ask('mia', `${path}&format=csv`)).text, (what) => wrong.push(`${path} ${what}`)))
      if (!said.has(n)) wrong.push(`${path} CSV total ${n} is not in ${JSON.stringify(totals)}`)
    return { totals, rows }
  }
  for (let day = first; day <= last; day += 366)
    for (const report of REPORTS) {
      const { totals } = await read(report, `from=${dateOf(day)}&to=${dateOf(Math.min(day + 365, last))}`)
      add(report, totals)
    }
  // Of arrears `to` is the day of the balance, and what is due on it is not late.
  add('arrears', (await read('arrears', `to=${dateOf(last)}`)).totals)
  let costs = 0
  for (let year = Number(dateOf(first).slice(0, 4)); year <= Number(dateOf(last).slice(0, 4)); year++) {
    const { rows } = await read('profit-loss', `year=${year}`)
    costs -= sum(
      rows.filter(({ line }) => line === 'COST'),
      (row) => row.resultAmount,
    )
  }
  const standing = invoices.filter(({ status }) => status !== 'CANCELLED')
  const open = standing.filter(({ status }) => status !== 'PAID')
  const came = payments.filter(({ type, method }) => type === 'PAYMENT' && !OWN.includes(String(method)))
  const left = payments.filter(({ type, method }) => type === 'REFUND' && method !== 'SET_OFF')
  const moves = deposits.filter(({ movedBookingId }) => movedBookingId === undefined)
  const kept = (type: string) =>
    sum(
      moves.filter((d) => d.type === type),
      (d) => d.amount,
    )
  const expected: Readonly<Record<string, number>> = {
    'rent-roll grossAmount': sum(standing, (i) => i.grossAmount),
    'rent-roll creditedAmount': sum(standing, (i) => i.creditedAmount),
    'rent-roll balanceAmount': sum(standing, (i) => i.balanceAmount),
    'arrears balanceAmount': sum(open, (i) => i.balanceAmount),
    'collection invoicedAmount': sum(standing, (i) => Number(i.grossAmount) - Number(i.creditedAmount ?? 0)),
    'collection balanceAmount': sum(standing, (i) => i.balanceAmount),
    'owner-statement receivedAmount': sum(came, (p) => p.amount),
    'owner-statement refundedAmount': sum(left, (p) => p.amount),
    'owner-statement depositReturnedAmount': kept('RETURNED'),
    'tva-journal standingGrossAmount': sum(standing, (i) => Number(i.grossAmount) - Number(i.creditedAmount ?? 0)),
  }
  for (const [key, n] of Object.entries(expected))
    if (sums.get(key) !== n) wrong.push(`${key}: ${sums.get(key)}, not ${n}`)
  const spent = sum(expenses, (e) => e.amount)
  if (costs !== spent) wrong.push(`costs of all years: ${costs}, not ${spent}`)
  return wrong
}
