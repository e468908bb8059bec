// Who rents and who owns, as walks have them: a company, co-tenants, the fee of a management, what it spends and hands over.
import { dateOf, dayOf } from './ledger.ts'
import { type Json, phoneOf, type Stage } from './scenario.ts'
import type { Move, Walk } from './walking.ts'

/** Tom for himself, and a company for which Tia signs. */
export const TENANTS: readonly [Json, Json] = [{ tenantUserId: '{tom}' }, { tenantId: '{sahel}' }]
const SAHEL = { kind: 'COMPANY', fullName: 'Sahel SARL', representativeName: 'Tia', phoneNumber: phoneOf('tia') }
export const tenancy = (s: Stage): Promise<Json> => s.make('ana', 'POST /tenants', SAHEL, 'sahel')
export const BESIDE = {
  parties: [
    { role: 'CO_TENANT', fullName: 'Bella', phoneNumber: '+237677000001' },
    { role: 'GUARANTOR', fullName: 'Essomba', phoneNumber: '+237677000002' },
  ],
}

export type Fee = {
  readonly from: string
  readonly basisPoints?: number
  readonly monthlyAmount?: number
  readonly tvaBasisPoints: number
}
/** Fees that change, costs that the management pays, money that it hands over; some of it recorded by mistake. */
export function owning(w: Walk): Move[] {
  const { random, ask, day, some } = w
  const amount = (): number => random.pick([1, 999, 30_000, 90_001])
  async function fees(): Promise<void> {
    const given: Fee[] = Array.from({ length: random.int(0, 3) }, () => ({
      from: day(-900, 60),
      ...(random.int(0, 1) ? { basisPoints: random.pick([1, 750, 1000]) } : { monthlyAmount: random.pick([0, 9_999]) }),
      tvaBasisPoints: random.pick([0, 1925]),
    }))
    const { id } = await ask('mia', 'PATCH /properties/{villa}', { managementFees: given })
    if (id) w.fees = given.sort((a, b) => (a.from < b.from ? -1 : 1))
  }
  const paid = () => ({ propertyId: '{villa}', amount: amount() })
  const repeat = () => (random.int(0, 3) ? {} : { repeat: { every: 'MONTHLY', until: day(30, 300) } })
  return [
    [1, fees],
    [
      2,
      () => {
        const kind = random.pick(['REPAIR', 'TAX', 'WATER'])
        return ask('mia', 'POST /expenses', {
          ...paid(),
          ...repeat(),
          kind,
          spentOn: day(-60, 0),
          paidBy: 'MANAGEMENT',
        })
      },
    ],
    [1, () => ask('mia', `POST /expenses/${some('expense')}/cancel`)],
    [2, () => ask('mia', 'POST /owner-transfers', { ...paid(), method: 'CASH', paidOn: day(-60, 0) })],
    [1, () => ask('mia', `POST /owner-transfers/${some('owner_transfer')}/cancel`, { reason: 'Erreur' })],
  ]
}

/** Half up, as every part of an amount is. */
const part = (amount: number, basisPoints: number): number => Math.floor((amount * basisPoints + 5_000) / 10_000)

/** What the management and the taxman take of what came in, and each month, until a day: payment by payment, day by day. */
function feesUntil(s: Stage, fees: readonly Fee[], last: string): { readonly fee: number; readonly tva: number } {
  let [fee, tva] = [0, 0]
  const inForce = (day: string) => fees.findLast(({ from }) => from <= day)
  const take = (sign: number, net: number, rate = 0): void => {
    fee += sign * net
    tva += sign * part(net, rate)
  }
  for (const { type, amount, on } of s.rows(`select type, amount, paid_on "on" from payment
    where status = 'CONFIRMED' and method not in ('WITHHOLDING', 'DEPOSIT', 'SET_OFF')`)) {
    const { basisPoints = 0, tvaBasisPoints = 0 } = inForce(String(on)) ?? {}
    take(type === 'REFUND' ? -1 : 1, part(Number(amount), basisPoints), tvaBasisPoints)
  }
  for (let day = dayOf(fees[0]?.from ?? last); day <= dayOf(last); day++) {
    const { monthlyAmount = 0, tvaBasisPoints } = inForce(dateOf(day)) ?? {}
    if (dateOf(day).endsWith('-01')) take(1, monthlyAmount, tvaBasisPoints)
  }
  return { fee, tva }
}

/** The owner's account against the rows, from its first fee on, and the profit of all years; returns the differences. */
export async function misaccounted(
  s: Stage,
  fees: readonly Fee[],
  { first, last, today }: { readonly first: string; readonly last: string; readonly today: string },
): Promise<string[]> {
  const wrong: string[] = []
  const hold = (what: string, is: number, should: number): void =>
    void (is === should || wrong.push(`${what}: ${is}, not ${should}`))
  const totals = async (report: string): Promise<Record<string, number>> => {
    const { status, body } = await s.ask('mia', `GET /reports/${report}`)
    return status === 200 ? (body.totals as Record<string, number>) : { [`${report} ${status}`]: Number.NaN }
  }
  const sum = (table: string, where: string): number =>
    Number(s.rows(`select coalesce(sum(amount), 0) n from ${table} where status = 'RECORDED' and ${where}`)[0]?.n)
  const begun = fees[0]?.from ?? last
  let [due, owned] = [0, 0]
  const seen = { fee: 0, tva: 0, spent: 0, handed: 0 }
  for (let day = dayOf(begun); fees.length > 0 && day <= dayOf(last); day += 366) {
    const period = `from=${dateOf(day)}&to=${dateOf(Math.min(day + 365, dayOf(last)))}`
    const statement = await totals(`owner-statement?${period}`)
    const of = (key: string): number => Number(statement[`${key}Amount`])
    const [fee, tva, spent, handed] = [of('managementFee'), of('managementFeeTva'), of('expenses'), of('transferred')]
    hold(`carried ${period}`, of('carried'), due)
    due += of('owner') - fee - tva - spent - handed
    hold(`due ${period}`, of('due'), due)
    hold(`account ${period}`, Number((await totals(`owner-account?${period}`)).dueAmount), due)
    seen.fee += fee
    seen.tva += tva
    seen.spent += spent
    seen.handed += handed
  }
  const { fee, tva } = feesUntil(s, fees, today)
  if (fees.length > 0 && begun <= last) {
    hold('fees', seen.fee, fee)
    hold('TVA of fees', seen.tva, tva)
    hold('spent', seen.spent, sum('expense', `paid_by = 'MANAGEMENT' and spent_on >= '${begun}'`))
    hold('handed over', seen.handed, sum('owner_transfer', `paid_on >= '${begun}'`))
  }
  const from = begun < first ? begun : first
  let profit = 0
  for (let year = Number(from.slice(0, 4)); year <= Number(last.slice(0, 4)); year++) {
    profit += Number((await totals(`profit-loss?year=${year}`)).resultAmount)
    owned += Number((await totals(`owner-statement?from=${year}-01-01&to=${year}-12-31`)).ownerAmount)
  }
  hold('profit', profit, owned - fee - tva - sum('expense', 'true'))
  return wrong
}
