// What properties cost: who records, sees and changes it, what comes again by itself, and the receipt.
import { expect, test } from 'bun:test'
import { letting, scenario, stage, villa } from '../../../support/scenario.ts'

const repair = { propertyId: '{villa}', kind: 'REPAIR', amount: 45_000, spentOn: '2026-03-05' }
const made = { audit: 'expense.create', as: 'one' } as const

scenario('the management records an expense, its owner sees it, nobody else does', { given: letting() }, [
  [
    'mia',
    'POST /expenses',
    { ...repair, unitId: '{a1}', tvaAmount: 7_263, supplier: 'Plomberie Fokou', chargeable: true },
    201,
    { paidBy: 'MANAGEMENT', status: 'RECORDED', currency: 'XAF', chargeable: true, recordedBy: '{mia}' },
    { ...made, lacks: ['ownerUserId', 'nextOn', 'repeatEvery', 'note'] },
  ],
  ['ana', 'GET /expenses/{one}', undefined, 200, { amount: 45_000 }],
  ['ana', 'GET /expenses', undefined, 200, [{ amount: 45_000, propertyName: 'Villa', unitLabel: 'A1' }]],
  ['eve', 'GET /expenses', undefined, 200, []],
  ['eve', 'GET /expenses/{one}', undefined, 404],
  ['zoe', 'GET /expenses/{one}', undefined, 404],
  ['tom', 'GET /expenses', undefined, 403],
  ['tom', 'GET /expenses/{one}', undefined, 403],
  ['tom', 'POST /expenses', repair, 403],
  ['eve', 'POST /expenses', repair, 404],
  ['zoe', 'POST /expenses', repair, 404],
  // What the management paid is for the management to change.
  ['ana', 'PATCH /expenses/{one}', { amount: 1 }, 403],
  ['ana', 'POST /expenses/{one}/cancel', {}, 403],
  ['eve', 'PATCH /expenses/{one}', { amount: 1 }, 404],
  ['zoe', 'POST /expenses/{one}/cancel', {}, 404],
  [
    'mia',
    'PATCH /expenses/{one}',
    { amount: 40_000, note: 'Remise' },
    200,
    { note: 'Remise' },
    { audit: 'expense.update' },
  ],
  ['mia', 'PATCH /expenses/{one}', { amount: 40_000 }, 200, { amount: 40_000 }],
  [
    'mia',
    'PATCH /expenses/{one}',
    { tvaAmount: null, unitId: null, note: null },
    200,
    {},
    { audit: 'expense.update', lacks: ['tvaAmount', 'unitId', 'note'] },
  ],
  ['ada', 'POST /expenses/{one}/cancel', {}, 200, { status: 'CANCELLED' }, { audit: 'expense.cancel' }],
  ['ada', 'POST /expenses/{one}/cancel', {}, 200, { status: 'CANCELLED' }],
  ['mia', 'PATCH /expenses/{one}', { amount: 1 }, 409, { code: 'invalid_state' }],
])

scenario('an owner records what they paid themselves', { given: letting() }, [
  ['ana', 'POST /expenses', repair, 201, { paidBy: 'OWNER' }, made],
  ['ana', 'POST /expenses', { ...repair, paidBy: 'MANAGEMENT' }, 422, { errors: [{ path: '/paidBy' }] }],
  ['ana', 'PATCH /expenses/{one}', { paidBy: 'MANAGEMENT' }, 422],
  ['ana', 'PATCH /expenses/{one}', { kind: 'WATER' }, 200, { kind: 'WATER' }, { audit: 'expense.update' }],
  ['mia', 'PATCH /expenses/{one}', { paidBy: 'MANAGEMENT' }, 200, {}, { audit: 'expense.update' }],
  ['ana', 'PATCH /expenses/{one}', { paidBy: 'OWNER' }, 403],
])

scenario('what makes no expense', { given: letting() }, [
  ...[
    [{ amount: 0 }, '/amount'],
    [{ amount: 1.5 }, '/amount'],
    [{ kind: 'GOLD' }, '/kind'],
    [{ spentOn: '2026-03-11' }, '/spentOn'],
    [{ spentOn: '2016-03-09' }, '/spentOn'],
    [{ tvaAmount: 45_001 }, '/tvaAmount'],
    [{ currency: 'EUR' }, '/currency'],
    [{ unitId: '{nobody}' }, '/unitId'],
    [{ supplier: 'x'.repeat(121) }, '/supplier'],
    [{ repeat: { every: 'MONTHLY', until: '2026-03-05' } }, '/repeat/until'],
    [{ repeat: { every: 'MONTHLY', until: '2036-03-06' } }, '/repeat/until'],
    [{ spentOn: '9999-12-31', repeat: { every: 'MONTHLY', until: '2026-12-31' } }, '/spentOn'],
    [{ repeat: { every: 'DAILY', until: '2026-12-31' } }, '/repeat/every'],
  ].map(
    ([more, path]) =>
      ['mia', 'POST /expenses', { ...repair, ...(more as object) }, 422, { errors: [{ path }] }] as const,
  ),
  ['mia', 'POST /expenses', { ...repair, receiptMediaId: '{nobody}' }, 404],
])

/** The day and the number of every expense of a series, the first included. */
const daysOf = (s: Awaited<ReturnType<typeof stage>>): string[] =>
  s.t
    .rows('select spent_on, repeat_number, amount from expense order by spent_on, id')
    .map((r) => `${r.spent_on} #${r.repeat_number ?? 0} ${r.amount}`)

test('a series comes again on its day, each once, until its end', async () => {
  const s = await stage({ now: '2026-03-10T08:00:00Z', given: letting() })
  const series = { ...repair, kind: 'GUARD', amount: 60_000, spentOn: '2026-01-31' }
  await s.make('mia', 'POST /expenses', { ...series, repeat: { every: 'MONTHLY', until: '2026-05-31' } }, 'guard')
  expect(daysOf(s)).toEqual(['2026-01-31 #0 60000'])
  await s.t.work()
  await s.t.work()
  expect(daysOf(s)).toEqual(['2026-01-31 #0 60000', '2026-02-28 #1 60000'])
  const { body } = await s.ask('mia', 'GET /expenses/{guard}')
  expect(body).toMatchObject({ repeatEvery: 'MONTHLY', repeatUntil: '2026-05-31', nextOn: '2026-03-31' })
  // What is changed in the first holds for those to come.
  await s.make('mia', 'PATCH /expenses/{guard}', { amount: 65_000 })
  s.t.advance(400)
  await s.t.work()
  await s.t.work()
  expect(daysOf(s).slice(1)).toEqual([
    '2026-02-28 #1 60000',
    '2026-03-31 #2 65000',
    '2026-04-30 #3 65000',
    '2026-05-31 #4 65000',
  ])
  expect((await s.ask('mia', 'GET /expenses/{guard}')).body.nextOn).toBeUndefined()
  const [copy] = s.t.rows('select id from expense where repeat_number = 4')
  const refused = await s.ask('mia', `PATCH /expenses/${copy?.id}`, {
    repeat: { every: 'YEARLY', until: '2030-01-01' },
  })
  expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
})

test('a series ends when it is cancelled or taken back, and with its property', async () => {
  const s = await stage({ given: letting() })
  await s.make('mia', 'POST /properties', villa, 'other')
  const repeat = { every: 'QUARTERLY', until: '2028-01-01' }
  for (const name of ['cancelled', 'taken']) await s.make('mia', 'POST /expenses', { ...repair, repeat }, name)
  await s.make('mia', 'POST /expenses', { ...repair, propertyId: '{other}', repeat }, 'archived')
  await s.make('mia', 'POST /expenses/{cancelled}/cancel')
  await s.make('mia', 'PATCH /expenses/{taken}', { repeat: null })
  await s.make('mia', 'POST /properties/{other}/archive')
  s.t.advance(300)
  await s.t.work()
  expect(daysOf(s)).toEqual(Array(3).fill('2026-03-05 #0 45000'))
  expect(s.t.rows('select id from expense where next_on is not null')).toEqual([])
})

test('a day further on is a year further on, also from 29 February', async () => {
  const s = await stage({ now: '2026-03-10T08:00:00Z', given: letting() })
  const tax = { ...repair, kind: 'TAX', spentOn: '2024-02-29', repeat: { every: 'YEARLY', until: '2028-12-31' } }
  await s.make('mia', 'POST /expenses', tax)
  await s.t.work()
  expect(daysOf(s)).toEqual(['2024-02-29 #0 45000', '2025-02-28 #1 45000', '2026-02-28 #2 45000'])
})

test('an Idempotency-Key records it once', async () => {
  const s = await stage({ given: letting() })
  const key = { 'idempotency-key': 'guard-march' }
  const first = await s.ask('mia', 'POST /expenses', repair, key)
  const again = await s.ask('mia', 'POST /expenses', repair, key)
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  expect(daysOf(s)).toHaveLength(1)
})

test('a new owner sees what the property cost, and the owner before no more', async () => {
  const s = await stage({ given: letting() })
  await s.make('mia', 'POST /expenses', repair, 'one')
  await s.make('ada', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' })
  expect((await s.ask('eve', 'GET /expenses/{one}')).status).toBe(200)
  expect((await s.ask('ana', 'GET /expenses/{one}')).status).toBe(404)
  expect((await s.ask('ana', 'GET /expenses')).body).toEqual([] as never)
})

test('a receipt is a document of the property: landlords see it, tenants do not, and it is kept', async () => {
  const s = await stage({ given: letting() })
  const file = (ownerType: string, ownerId: string, as: string) =>
    s.make(
      'mia',
      'POST /media',
      { ownerType, ownerId, kind: 'DOCUMENT', filename: 'recu.pdf', contentType: 'application/pdf', sizeBytes: 100 },
      as,
    )
  await file('PROPERTY', '{villa}', 'receipt')
  await file('USER', '{mia}', 'private')
  // As if their bytes had arrived.
  s.t.store.client.exec(`update media_object set status = 'AVAILABLE', sha256 = '${'a'.repeat(64)}', purge_at = null`)
  const mine = await s.ask('mia', 'POST /expenses', { ...repair, receiptMediaId: '{private}' })
  expect([mine.status, mine.body.code]).toEqual([422, 'validation_failed'])
  const others = await s.ask('ana', 'POST /expenses', { ...repair, receiptMediaId: '{receipt}' })
  expect(others.status).toBe(404)
  await s.make('mia', 'POST /expenses', { ...repair, receiptMediaId: '{receipt}' }, 'one')
  expect((await s.ask('ana', 'GET /media/{receipt}')).status).toBe(200)
  for (const who of ['eve', 'tom', 'zoe'] as const) expect((await s.ask(who, 'GET /media/{receipt}')).status).toBe(404)
  const kept = await s.ask('mia', 'DELETE /media/{receipt}')
  expect([kept.status, kept.body.code]).toEqual([409, 'invalid_state'])
  await s.make('mia', 'PATCH /expenses/{one}', { receiptMediaId: null })
  expect((await s.ask('mia', 'DELETE /media/{receipt}')).status).toBe(204)
})

test('an organization has room for so many, and a series ends there', async () => {
  const s = await stage({ given: letting() })
  await s.make('mia', 'POST /expenses', { ...repair, repeat: { every: 'MONTHLY', until: '2027-01-01' } }, 'one')
  s.t.store.client.exec("update row_count set n = 500000 where kind = 'expense'")
  const full = await s.ask('mia', 'POST /expenses', repair)
  expect([full.status, full.body.code]).toEqual([409, 'quota_exceeded'])
  s.t.advance(60)
  await s.t.work()
  expect(daysOf(s)).toHaveLength(1)
  expect((await s.ask('mia', 'GET /expenses/{one}')).body.nextOn).toBeUndefined()
})

const paidFor = { ...repair, repairId: '{leak}' }
scenario('the cost of a repair is an expense, once', { given: letting() }, [
  [
    'ana',
    'POST /requests',
    { bookingId: '{lease}', title: 'Fuite' },
    201,
    {},
    { audit: 'repair.create', jobs: 'repair.reported', as: 'leak' },
  ],
  ['eve', 'POST /expenses', paidFor, 404],
  ['tom', 'POST /expenses', paidFor, 403],
  ['ana', 'POST /expenses', { ...repair, repairId: '{nobody}' }, 404],
  ['ana', 'POST /expenses', paidFor, 201, { repairId: '{leak}', amount: 45_000 }, made],
  ['ana', 'POST /expenses', paidFor, 409, { code: 'duplicate', errors: [{ path: '/repairId' }] }],
  ['mia', 'GET /expenses?repairId={leak}', undefined, 200, [{ id: '{one}' }]],
  ['eve', 'GET /expenses?repairId={leak}', undefined, 200, []],
  ['ana', 'POST /expenses/{one}/cancel', {}, 200, { status: 'CANCELLED' }, { audit: 'expense.cancel' }],
  ['ana', 'GET /expenses?repairId={leak}', undefined, 200, []],
  ['ana', 'POST /expenses', paidFor, 201, { repairId: '{leak}' }, { ...made, as: 'two' }],
])
