// Reports on random worlds: every sum is that of the API's own lists.
import { describe, expect, test } from 'bun:test'
import { misaccountedLeases, misbooked, misfigured } from '../../../support/books.ts'
import { keptOf, randomShares, randomTurns } from '../../../support/living.ts'
import { cash, type Json, type Stage, stage } from '../../../support/scenario.ts'
import { seeded, seedsFor } from '../../../support/seeded.ts'

type Line = Readonly<Record<string, string | number | undefined>>
type Answered = { readonly rows: Line[]; readonly totals: Line }

async function report(s: Stage, who: 'ana' | 'mia', query: string): Promise<Answered> {
  return (await s.ask(who, `GET /reports/${query}`)).body as unknown as Answered
}

describe('sums are those of the lists', () => {
  for (const seed of seedsFor(6))
    test(`random world ${seed}`, async () => {
      const s = await stage({ now: '2026-01-05T08:00:00.000Z', given: async (x) => void (await randomWorld(x, seed)) })
      for (const who of ['ana', 'mia'] as const) await compare(s, who)
      expect([...misbooked(s), ...(await misfigured(s, MONTHS)), ...(await misaccountedLeases(s, 'mia'))]).toEqual([])
      for (const [what, where] of HELD) if (s.rows(`select 1 from ${where} limit 1`).length > 0) held.add(what)
    })
  test('the worlds held everything', () => expect(HELD.filter(([what]) => !held.has(what))).toEqual([]))
})
const MONTHS = Array.from({ length: 12 }, (_, n) => {
  const last = new Date(Date.UTC(2026, n + 1, 0)).toISOString().slice(0, 10)
  return [`${last.slice(0, 8)}01`, last] as const
})
const held = new Set<string>()
const HELD = [
  ['regularisations in force', "regularisation where status = 'ISSUED' and deducted_amount > 0"],
  ['regularisations undone', "regularisation where status = 'CANCELLED'"],
  ['provisions given back', "credit_note where reason = 'REGULARISED'"],
  ['rent given back', "credit_note where reason = 'ENDED'"],
  ['a part of a rent waived', "credit_note where reason = 'WAIVED'"],
  ['credit notes withdrawn', 'credit_note where withdrawn_on is not null'],
  ['deposits kept for damages', "deposit_entry where type = 'DEDUCTED' and payment_id is null"],
  ['deposits kept for invoices', "payment where method = 'DEPOSIT'"],
  [
    'deposits kept for another property',
    "payment p join allocation a on a.payment_id = p.id and a.amount > 0 join invoice i on i.id = a.target_id where p.method = 'DEPOSIT' and i.property_id <> p.property_id",
  ],
  ['notices', 'booking where notice is not null'],
  ['changes of the rent', "rent_change where status = 'IN_FORCE'"],
  ['credit between leases', "payment where method = 'SET_OFF'"],
] as const

/** A dozen leases, and half a year of everything that can happen to them. */
async function randomWorld(s: Pick<Stage, 'make' | 'ask' | 't'>, seed: number): Promise<void> {
  const r = seeded(seed)
  for (const owner of ['ana', 'eve'] as const)
    for (let n = 0; n < 2; n++) {
      const house = `${owner}${n}`
      await s.make(owner, 'POST /properties', { name: house, addressLine: 'Rue', city: 'Douala' }, house)
      for (const label of ['1', '2', '3'])
        await s.make(owner, `POST /properties/{${house}}/units`, { label, rentAmount: 50_000 }, `${house}${label}`)
      const fee = n === 0 ? { basisPoints: r.int(1, 2_000) } : { monthlyAmount: r.int(1, 30_000) }
      const managementFees = [{ from: '2026-01-01', ...fee, tvaBasisPoints: r.pick([0, 1925]) }]
      await s.make('mia', `PATCH /properties/{${house}}`, { managementFees })
    }
  const leases: [owner: 'ana' | 'eve', name: string][] = []
  for (let month = 0; month < 6; month++) {
    for (const owner of ['ana', 'eve'] as const) {
      const unit = `${owner}${r.int(0, 1)}${r.int(1, 3)}`
      const name = `${unit}m${month}`
      const startDate = `2026-0${month + 1}-${String(r.int(1, 28)).padStart(2, '0')}`
      const terms = {
        unitId: `{${unit}}`,
        tenantUserId: r.pick(['{tom}', '{tia}']),
        startDate,
        rentAmount: r.int(1, 200_000),
        tvaBasisPoints: r.pick([0, 1000, 1925]),
        ...(r.int(0, 2) === 0 ? { openingBalance: r.int(1, 90_000) } : {}),
      }
      await s.make(owner, 'POST /bookings', terms, name)
      const submitted = await s.ask(owner, `POST /bookings/{${name}}/submit`, { blanks: true })
      if (submitted.status === 200) {
        await s.make(owner, `POST /bookings/{${name}}/activate`)
        leases.push([owner, name])
      }
    }
    s.t.advance(30)
    await s.t.work()
    for (const owner of ['ana', 'eve'] as const) {
      await randomCosts(s, r, owner)
      if (r.int(0, 1)) await randomShares(s, r, owner, `${owner}${r.int(0, 1)}`)
    }
    for (const [owner, name] of leases) {
      const today = new Date(s.t.time.now).toISOString().slice(0, 10)
      const paid = cash(r.int(1, 150_000), { paidOn: today, method: r.pick(['CASH', 'WITHHOLDING', 'MTN_MOMO']) })
      const open = (await s.ask(owner, `GET /invoices?bookingId={${name}}`)).body as unknown as Json[]
      const some = open[r.int(0, open.length)]
      if (r.int(0, 2) > 0) await s.ask(owner, `POST /bookings/{${name}}/payments`, paid)
      if (some && r.int(0, 3) === 0) await s.ask(owner, `POST /invoices/${some.id}/cancel`)
      if (some && r.int(0, 3) === 0)
        await s.ask(owner, `POST /invoices/${some.id}/charges`, { label: 'Eau', amount: 1_234 })
      if (some && r.int(0, 3) === 0)
        await s.ask(owner, `POST /invoices/${some.id}/waive`, { amount: r.int(1, 30_000), reason: 'Travaux' })
      if (r.int(0, 4) === 0) await s.ask(owner, `POST /bookings/{${name}}/terminate`)
      if (r.int(0, 2) === 0)
        await s.ask(owner, `POST /bookings/{${name}}/payments`, { ...paid, amount: r.int(1, 5_000), type: 'REFUND' })
      const payments = (await s.ask(owner, `GET /payments?bookingId={${name}}`)).body as unknown as Json[]
      const [last] = payments
      if (last && r.int(0, 5) === 0) await s.ask(owner, `POST /payments/${last.id}/reverse`)
      await randomTurns(s, r, owner, name)
    }
  }
}

/** What a property costs, who paid it, what its owner is handed; some of it recorded by mistake. */
async function randomCosts(s: Pick<Stage, 'make' | 't'>, r: ReturnType<typeof seeded>, owner: 'ana' | 'eve') {
  const today = new Date(s.t.time.now).toISOString().slice(0, 10)
  const about = { propertyId: `{${owner}${r.int(0, 1)}}`, amount: r.int(1, 90_000) }
  const kind = r.pick(['REPAIR', 'WATER', 'TAX'])
  const repeat = r.int(0, 3) === 0 ? { repeat: { every: 'MONTHLY', until: '2026-12-31' } } : {}
  const payer = r.pick(['mia', owner] as const)
  await s.make(payer, 'POST /expenses', { ...about, ...repeat, kind, spentOn: today }, 'cost')
  if (r.int(0, 3) === 0) await s.make(payer, 'POST /expenses/{cost}/cancel')
  await s.make('mia', 'POST /owner-transfers', { ...about, method: 'CASH', paidOn: today }, 'handed')
  if (r.int(0, 3) === 0) await s.make('mia', 'POST /owner-transfers/{handed}/cancel', { reason: 'Erreur' })
}

/** Half up, as every part of an amount is. */
const part = (amount: number, basisPoints: number) => Math.floor((amount * basisPoints + 5_000) / 10_000)
type Fee = { readonly basisPoints?: number; readonly monthlyAmount?: number; readonly tvaBasisPoints: number }

/** Accounts with owners are those of the lists, with the fee on each payment; a balance goes from month to month. */
async function compareAccounts(s: Stage, who: 'ana' | 'mia', payments: Line[]): Promise<void> {
  const list = async (name: string) => (await s.ask(who, `GET /${name}?limit=200`)).body as unknown as Line[]
  const standing = (rows: Line[]) => rows.filter(({ status }) => status === 'RECORDED')
  const costs = standing(await list('expenses'))
  const handed = standing(await list('owner-transfers'))
  const sum = (rows: Line[]) => rows.reduce((n, { amount }) => n + Number(amount), 0)
  const today = new Date(s.t.time.now).toISOString().slice(0, 10)
  let [due, result] = [0, 0]
  for (let month = 1; month <= 12; month++) {
    const begins = `2026-${String(month).padStart(2, '0')}`
    const last = new Date(Date.UTC(2026, month, 0)).toISOString().slice(0, 10)
    const within = (day: unknown) => String(day).startsWith(begins)
    let [fee, tva] = [0, 0]
    for (const { id, managementFees } of (await list('properties')) as unknown as {
      id: string
      managementFees: Fee[]
    }[]) {
      const [{ basisPoints = 0, monthlyAmount = 0, tvaBasisPoints } = { tvaBasisPoints: 0 }] = managementFees
      const nets = payments
        .filter((p) => p.propertyId === id && p.status === 'CONFIRMED' && within(p.paidOn))
        .filter(({ method }) => !['WITHHOLDING', 'DEPOSIT', 'SET_OFF'].includes(String(method)))
        .map(({ type, amount }) => [type === 'REFUND' ? -1 : 1, part(Number(amount), basisPoints)] as const)
      for (const [sign, net] of [...nets, [1, `${begins}-01` <= today ? monthlyAmount : 0] as const]) {
        fee += sign * net
        tva += sign * part(net, tvaBasisPoints)
      }
    }
    const spent = sum(costs.filter((c) => c.paidBy === 'MANAGEMENT' && within(c.spentOn)))
    const out = sum(handed.filter((h) => within(h.paidOn)))
    const period = `from=${begins}-01&to=${last}`
    const { totals } = await report(s, who, `owner-statement?${period}`)
    const owner = Number(totals.ownerAmount)
    const left = due + owner - fee - tva - spent - out
    expect(totals).toMatchObject({
      carriedAmount: due,
      managementFeeAmount: fee,
      managementFeeTvaAmount: tva,
      expensesAmount: spent,
      transferredAmount: out,
      dueAmount: left,
    })
    expect((await report(s, who, `owner-account?${period}`)).totals.dueAmount).toBe(left)
    due = left
    result += owner - fee - tva
  }
  expect(sum(costs)).toBeGreaterThan(0)
  const whole = await report(s, who, 'owner-statement?from=2026-01-01&to=2026-12-31')
  expect(whole.totals.dueAmount).toBe(due)
  expect((await report(s, who, 'profit-loss?year=2026')).totals.resultAmount).toBe(result - sum(costs))
}

async function compare(s: Stage, who: 'ana' | 'mia'): Promise<void> {
  const [from, to] = ['2026-02-01', '2026-06-30']
  const period = `from=${from}&to=${to}`
  const [invoices, payments] = (await Promise.all([
    s.ask(who, 'GET /invoices?limit=200'),
    s.ask(who, 'GET /payments?limit=200'),
  ]).then((all) => all.map(({ body }) => body))) as unknown as [Line[], Line[]]
  expect(invoices.length).toBeGreaterThan(10)
  expect(invoices.length).toBeLessThan(200)
  expect(payments.length).toBeLessThan(200)
  const sum = (list: Line[], member: string) => list.reduce((n, row) => n + Number(row[member] ?? 0), 0)
  const within = (date: unknown) => String(date) >= from && String(date) <= to
  const standing = invoices.filter((i) => i.status !== 'CANCELLED')
  const billed = standing.filter((i) => within(i.periodStart))

  await compareAccounts(s, who, payments)

  const roll = await report(s, who, `rent-roll?${period}`)
  expect(roll.totals).toMatchObject({
    grossAmount: sum(billed, 'grossAmount'),
    creditedAmount: sum(billed, 'creditedAmount'),
    amountPaid: sum(billed, 'amountPaid') - sum(billed, 'creditedAmount'),
  })
  expect(new Set(roll.rows.flatMap((r) => r.invoiceId ?? []))).toEqual(new Set(billed.map((i) => i.id as string)))
  expect(sum(roll.rows, 'balanceAmount')).toBe(sum(billed, 'balanceAmount'))

  const today = new Date(s.t.time.now).toISOString().slice(0, 10)
  const late = standing.filter((i) => Number(i.balanceAmount) > 0 && String(i.dueDate) < today)
  const debts = await report(s, who, 'arrears')
  expect(debts.totals).toMatchObject({ rows: late.length, balanceAmount: sum(late, 'balanceAmount') })
  expect(late.filter((i) => i.status !== 'OVERDUE')).toEqual([])

  const collected = await report(s, who, `collection?${period}`)
  expect(collected.totals).toMatchObject({
    invoices: billed.length,
    invoicedAmount: sum(billed, 'grossAmount') - sum(billed, 'creditedAmount'),
    paidAmount: sum(billed, 'amountPaid') - sum(billed, 'creditedAmount'),
    balanceAmount: sum(billed, 'balanceAmount'),
  })

  // The start page says of a month what the collection report says of it.
  for (let month = 1; month <= 6; month++) {
    const of = `2026-0${month}`
    const { body: home } = await s.ask(who, `GET /overview?month=${of}`)
    const { totals } = await report(s, who, `collection?from=${of}-01`)
    for (const member of ['invoicedAmount', 'paidAmount', 'balanceAmount']) expect(home[member]).toBe(totals[member])
  }

  const journal = await report(s, who, `tva-journal?${period}`)
  const issued = invoices.filter((i) => within(String(i.createdAt).slice(0, 10)))
  const rows = (kind: string) => journal.rows.filter((r) => r.kind === kind)
  expect(rows('INVOICE').map((r) => r.invoiceNumber)).toEqual(issued.map((i) => i.number).sort())
  expect(sum(rows('INVOICE'), 'tvaAmount')).toBe(sum(issued, 'tvaAmount'))
  const notes: Line[] = []
  for (const { id } of invoices)
    notes.push(...((await s.ask(who, `GET /invoices/${id}/credit-notes`)).body as unknown as Line[]))
  const waived = notes.filter((n) => n.reason === 'WAIVED' && n.withdrawnOn === undefined)
  expect(roll.totals.waivedAmount).toBe(
    sum(
      waived.filter((n) => billed.some((i) => i.id === n.invoiceId)),
      'grossAmount',
    ),
  )
  expect((await report(s, who, 'profit-loss?year=2026')).totals.waivedAmount).toBe(sum(waived, 'grossAmount'))
  // What was taken off an invoice counts on the day of its credit note.
  const noted = notes.filter((n) => within(n.issuedOn))
  expect(
    rows('CREDIT_NOTE')
      .map((r) => r.creditNoteNumber)
      .sort(),
  ).toEqual(noted.map((n) => n.number).sort())
  const withdrawn = notes.filter((n) => n.withdrawnOn !== undefined)
  const back = withdrawn.filter((n) => within(n.withdrawnOn))
  expect(
    rows('CREDIT_NOTE_WITHDRAWN')
      .map((r) => r.creditNoteNumber)
      .sort(),
  ).toEqual(back.map((n) => n.number).sort())
  expect(sum(notes, 'grossAmount') - sum(withdrawn, 'grossAmount')).toBe(
    sum(
      invoices.filter((i) => i.status === 'CANCELLED'),
      'grossAmount',
    ) + sum(standing, 'creditedAmount'),
  )
  for (const [member, of] of [
    ['standingTvaAmount', 'tvaAmount'],
    ['standingGrossAmount', 'grossAmount'],
  ] as const)
    expect(journal.totals[member]).toBe(sum(issued, of) - sum(noted, of) + sum(back, of))
  for (const r of journal.rows)
    expect(Number(r.standingNetAmount) + Number(r.standingTvaAmount)).toBe(Number(r.standingGrossAmount))

  // The credit of tenants is the owner's money only once an invoice has taken it, whatever month that is told in.
  let [owner, withheld, held] = [0, 0, 0]
  for (let month = 1; month <= 12; month++) {
    const mm = String(month).padStart(2, '0')
    const last = month === 2 ? 28 : [4, 6, 9, 11].includes(month) ? 30 : 31
    const { totals, rows } = await report(s, who, `owner-statement?from=2026-${mm}-01&to=2026-${mm}-${last}`)
    const n = (member: string) => Number(totals[member])
    expect(n('creditHeldAmount')).toBe(held + n('creditAddedAmount'))
    expect(n('ownerAmount')).toBe(
      n('receivedAmount') -
        n('refundedAmount') +
        n('setOffAmount') +
        n('depositDeductedAmount') -
        n('creditAddedAmount'),
    )
    for (const row of rows) expect(Number(row.creditHeldAmount)).toBeGreaterThanOrEqual(0)
    held = n('creditHeldAmount')
    owner += n('ownerAmount')
    withheld += n('withheldAmount')
  }
  const leases = (await s.ask(who, 'GET /bookings?limit=200')).body as unknown as Line[]
  expect(held).toBe(sum(leases, 'creditAmount'))
  const kept = await keptOf(s, who, leases)
  expect(owner).toBe(sum(standing, 'amountPaid') - sum(standing, 'creditedAmount') - withheld + kept)
  // So it is of each property: what a deposit paid of another one's invoices is collected there.
  for (const { id } of (await s.ask(who, 'GET /properties?limit=200')).body as unknown as Line[]) {
    const { totals } = await report(s, who, `owner-statement?from=2026-01-01&to=2026-12-31&propertyId=${id}`)
    const here = standing.filter(({ propertyId }) => propertyId === id)
    const rented = leases.filter(({ propertyId }) => propertyId === id)
    expect(Number(totals.ownerAmount) + Number(totals.withheldAmount)).toBe(
      sum(here, 'amountPaid') - sum(here, 'creditedAmount') + (await keptOf(s, who, rented)),
    )
  }

  const statement = await report(s, who, `owner-statement?${period}`)
  const money = payments.filter(
    (p) => p.status === 'CONFIRMED' && within(p.paidOn) && p.method !== 'SET_OFF' && p.method !== 'DEPOSIT',
  )
  const of = (type: string, withheld: boolean) =>
    sum(
      money.filter((p) => p.type === type && (type === 'REFUND' || (p.method === 'WITHHOLDING') === withheld)),
      'amount',
    )
  expect(statement.totals).toMatchObject({
    netAmount: sum(billed, 'netAmount'),
    tvaAmount: sum(billed, 'tvaAmount'),
    grossAmount: sum(billed, 'grossAmount'),
    receivedAmount: of('PAYMENT', false),
    withheldAmount: of('PAYMENT', true),
    refundedAmount: of('REFUND', false),
    balanceAmount: sum(
      standing.filter((i) => String(i.periodStart) <= to),
      'balanceAmount',
    ),
  })
}
