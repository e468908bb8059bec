// What tenants are told when charges are shared: by message, each as they chose.
import { expect, test } from 'bun:test'
import { cash, type Json, type Person, phoneOf, type Stage } from '../../../support/scenario.ts'
import { guard, house, path, provided } from '../../../support/shared-charges.ts'

/** What was said of charges to the person with this number, in plain spaces. */
const told = (s: Stage, who: Person): string[] =>
  s.t.sent
    .filter(({ to, purpose }) => to === phoneOf(who) && /charges_shared|invoice_issued/.test(purpose))
    .map(({ text }) => text.replaceAll('\u00a0', ' '))

test('tenants are told of their share: what is to be paid with its invoice, a credit, and each as they chose', async () => {
  const s = await house()
  await provided(s)
  await s.t.work()
  const choose = (who: Person, when: string) =>
    s.make(who, 'PUT /me/notifications', { kinds: [{ kind: 'CHARGES_SHARED', when }] })
  const issue = async () => {
    s.t.sent.length = 0
    await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }, 'one')
    await s.t.work()
  }
  await issue()
  // Tom's provisions were 29 999 higher; Tia pays 16 500.
  expect(told(s, 'tom')).toEqual([
    expect.stringMatching(
      /^Régularisation des charges pour « A1 », « Villa », du 1er janvier 2026 au 10 avril 2026 : 29 999 FCFA en votre faveur\. Le détail : http\S+\/portal\/charges\/\S+ \(.+\)$/,
    ),
  ])
  expect(told(s, 'tia')).toEqual([
    expect.stringMatching(
      /^Régularisation des charges pour « A2 », « Villa », du 01\/01\/2026 au 10\/04\/2026 : 16 500 FCFA à payer au plus tard le \S+\. http\S+\/i\/\S+ \(.+\)$/,
    ),
  ])
  // Whoever wants to hear nothing of charges is not told, and still of rent.
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  for (const who of ['tom', 'tia'] as const) await choose(who, 'OFF')
  await issue()
  expect([...told(s, 'tom'), ...told(s, 'tia')]).toEqual([])
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  for (const who of ['tom', 'tia'] as const) await choose(who, 'NOW')
  // One that was undone before its turn is not told.
  s.t.sent.length = 0
  await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }, 'two')
  await s.make('ana', 'POST /regularisations/{two}/cancel')
  await s.t.work()
  expect([...told(s, 'tom'), ...told(s, 'tia')]).toEqual([])
})

test('a share that credit has paid is told as paid, and one that provisions meet as even', async () => {
  const s = await house()
  const owed = async (lease: string) =>
    ((await s.ask('ana', `GET /invoices?bookingId={${lease}}&limit=50`)).body as unknown as Json[]).reduce(
      (sum, { balanceAmount }) => sum + Number(balanceAmount),
      0,
    )
  // Of 90 001 by 270 days of three units Tom has 30 001, Tia 15 000.
  await s.make('ana', 'POST /bookings/{toms}/invoices', {
    lines: [{ label: 'Provision', amount: 30_001, provision: true }],
  })
  await s.make('ana', 'POST /bookings/{tias}/payments', cash((await owed('tias')) + 500_000, { paidOn: '2026-04-10' }))
  await s.t.work()
  s.t.sent.length = 0
  const credit = Number((await s.ask('ana', 'GET /bookings/{tias}')).body.creditAmount)
  expect(credit).toBeGreaterThan(15_000)
  await s.make(
    'ana',
    path(),
    {
      periodStart: '2026-01-01',
      periodEnd: '2026-04-10',
      items: [{ ...guard, costs: [{ label: 'Gardien', amount: 90_003 }] }],
    },
    'one',
  )
  await s.t.work()
  expect([...told(s, 'tom'), ...told(s, 'tia')]).toEqual([
    expect.stringContaining('« A1 », « Villa », du 1er janvier 2026 au 10 avril 2026 : rien à payer ni à rendre.'),
    expect.stringMatching(/« A2 », .* : 16 501 FCFA, déjà payés par votre crédit\. /),
  ])
})

test('the page of the invoice names shares and provisions in the language of who opens it', async () => {
  const s = await house()
  await s.make('ana', 'POST /bookings/{tias}/invoices', { lines: [{ label: 'Avance', amount: 700, provision: true }] })
  await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] })
  await s.t.work()
  const link = /\/i\/[\w-]+/.exec(told(s, 'tia').at(-1) ?? '')?.[0]
  for (const [locale, named, never] of [
    ['fr', ['Gardiennage\u00a0: quote-part', 'Provisions déjà facturées'], ['share', 'already']],
    ['en', ['Gardiennage: share', 'Provisions already invoiced'], ['quote-part', 'déjà']],
  ] as const) {
    const shown = await (await s.t.app.handle(new Request(`http://localhost${link}?lang=${locale}`))).text()
    for (const words of named) expect(shown).toContain(words)
    for (const words of never) expect(shown).not.toContain(words)
  }
})
