// A demo begins at any hour: what its people did today is never in the future.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { loadConfig } from '../../../../src/config.ts'
import { seedDemo } from '../../../../src/features/system/demo/seed.ts'
import { silentLog } from '../../../../src/log.ts'
import { buildDeps } from '../../../../src/wiring.ts'
import { cleaner, temporaryFolder } from '../../../support/folder.ts'
import { createVendor } from '../../../support/vendor.ts'

afterAll(cleaner())

// Douala is an hour ahead of UTC.
test.each([
  ['in the first hour of a day', '2026-03-10T23:30:00Z', '2026-03-11'],
  ['in the last hour of a day', '2026-03-11T22:30:00Z', '2026-03-11'],
])(
  'begun %s',
  async (_name, at, today) => {
    const config = loadConfig({ LOYER_DATA: join(temporaryFolder('demo'), 'data'), LOYER_MODE: 'sandbox' })
    const { deps, close } = await buildDeps(config, silentLog)
    await seedDemo({ ...deps, clock: { ...deps.clock, now: () => Date.parse(at) } })
    const paid = deps.store.client.prepare('select max(paid_on) as last, count(*) as n from payment').get()
    expect(paid).toMatchObject({ last: today, n: expect.any(Number) })
    expect(deps.store.client.prepare('select count(*) from payment where paid_on > ?').pluck().get(today)).toBe(0)
    const shared =
      'select r.status, s.amount, i.status as invoice from regularisation r, regularisation_share s, invoice i'
    const of = ' where s.regularisation_id = r.id and i.id = s.invoice_id order by s.amount'
    expect(deps.store.client.prepare(shared + of).all()).toEqual([
      { status: 'ISSUED', amount: 60_000, invoice: 'PAID' },
      { status: 'ISSUED', amount: 120_000, invoice: 'PAID' },
    ])
    const rows = (sql: string) => deps.store.client.prepare(sql).all()
    // Both signed how the home was at the beginning; the end still waits for the tenant.
    expect(
      rows(`select i.kind, i.status, (select group_concat(s.party order by s.party) from inspection_signature s
        where s.inspection_id = i.id and s.status = 'VALID') as signed from inspection i order by i.id`),
    ).toEqual([
      { kind: 'ENTRY', status: 'SIGNED', signed: 'LANDLORD,TENANT' },
      { kind: 'EXIT', status: 'PROPOSED', signed: null },
    ])
    // The caretaker sees one house of three, and wrote down the cash paid there, and nothing else.
    expect(
      rows(`select u.last_name as name, p.name as house, y.method, p.id = y.property_id as there, count(*) > 5 as often
        from app_user u, assignment a, property p, payment y
        where u.limited and a.user_id = u.id and p.id = a.property_id and y.recorded_by = u.id group by 1, 2, 3, 4`),
    ).toEqual([{ name: 'Ondoua', house: 'Résidence Bonamoussadi', method: 'CASH', there: 1, often: 1 }])
    await close()
  },
  60_000,
)

test('with a vendor a demo sends nothing to the numbers that it invents, which somebody may have; to others it does', async () => {
  const vendor = await createVendor()
  const config = loadConfig({
    LOYER_DATA: join(temporaryFolder('demo'), 'data'),
    LOYER_MODE: 'sandbox',
    MESSAGING: 'http',
    MESSAGING_HTTP_URL: vendor.url,
  })
  const { deps, close } = await buildDeps(config, silentLog)
  await seedDemo(deps)
  const tables = deps.store.client.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  const text = tables.map((name) => JSON.stringify(deps.store.client.prepare(`select * from "${name}"`).all())).join('')
  const invented = new Set(text.match(/\+237\d{9}/g))
  expect(invented.size).toBeGreaterThan(10)
  const sent = (to: string) =>
    deps.messenger.send(
      { orgId: null, to, channel: 'SMS', purpose: 'rent_reminder', locale: 'fr', text: 'Bonjour' },
      { id: crypto.randomUUID(), lifeSeconds: 600 },
    )
  for (const to of invented) expect([to, (await sent(to)).took, vendor.seen.length]).toEqual([to, true, 0])
  await sent('+237650000001')
  expect(vendor.seen).toHaveLength(1)
  await close()
  await vendor.close()
}, 60_000)
