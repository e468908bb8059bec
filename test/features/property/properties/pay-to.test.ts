// Where the rent goes: who may change it and how freshly signed in, who is told, and what tenants see of it for 30 days.
import { describe, expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { type Json, letting, type Person, phoneOf, scenario, stage } from '../../../support/scenario.ts'

const way = (number: string) => [{ method: 'ORANGE_MONEY', number }]
const [OLD, NEW] = [way('+237690000011'), way('+237699000022')]

describe('a sign-in of the last five minutes', () => {
  const TABLE: [who: Person, request: string, body: Json, asksFresh: boolean][] = [
    ['ana', 'PATCH /properties/{villa}', { payTo: NEW }, true],
    ['mia', 'PATCH /properties/{villa}', { payTo: NEW }, true],
    ['ada', 'PATCH /admin/organization', { payTo: NEW }, true],
    ['mia', 'PATCH /properties/{villa}', { managementFees: [{ from: '2026-03-01', basisPoints: 1000 }] }, true],
    ['mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' }, true],
    ['ana', 'PATCH /tenants/{kofi}', { phoneNumber: '+237677000099' }, true],
    ['ana', 'PATCH /properties/{villa}', { name: 'Villa Rose' }, false],
    ['ana', 'PATCH /tenants/{kofi}', { niu: 'P0123456789X' }, false],
    ['ada', 'PATCH /admin/organization', { name: 'Agence' }, false],
  ]
  for (const [who, request, body, asksFresh] of TABLE)
    test(`${who} ${request} ${Object.keys(body)}: ${asksFresh ? 'asked for' : 'not asked for'}`, async () => {
      const s = await stage({ given: letting() })
      await s.make('ana', 'POST /tenants', { fullName: 'Kofi Mbarga', phoneNumber: '+237677000002' }, 'kofi')
      await s.ask(who, 'GET /me')
      // The token stays valid; its sign-in grows old.
      s.t.time.now += 301_000
      const { status, body: answer, headers } = await s.ask(who, request, body)
      expect([status, answer.code]).toEqual(asksFresh ? [403, 'reauthentication_required'] : [200, undefined])
      expect(headers.get('www-authenticate')?.includes('max_age="300"') ?? false).toBe(asksFresh)
      if (asksFresh) expect(s.rows(`select * from audit_entry where action like '%.update'`)).toEqual([])
    })
})

scenario(
  'its owner and every administrator are told at once; who entered the first number is not',
  { given: letting() },
  [
    [
      'ana',
      'PATCH /properties/{villa}',
      { payTo: OLD },
      200,
      { payTo: OLD },
      { audit: 'property.update', lacks: ['payToChangedAt'] },
    ],
    ['days', 0, { sent: 'pay_to_changed' }],
    [
      'mia',
      'PATCH /properties/{villa}',
      { payTo: NEW },
      200,
      { payToChangedAt: '2026-03-10T08:00:00.000Z' },
      { audit: 'property.update' },
    ],
    ['days', 0, { sent: 'pay_to_changed ×2' }],
    // The same again is no change.
    ['mia', 'PATCH /properties/{villa}', { payTo: NEW }, 200, {}],
    ['tom', 'GET /organization', undefined, 200, { places: [{ payTo: NEW, payToChangedOn: '2026-03-10' }] }],
    ['tom', 'GET /properties/{villa}', undefined, 200, {}, { lacks: ['payTo', 'payToChangedAt'] }],
    // Tia rents nothing there.
    ['tia', 'GET /organization', undefined, 200, {}, { lacks: ['payToChangedOn', 'places'] }],
  ],
)

test('the message names the last digits, who did it and where to correct it; never the whole number', async () => {
  const s = await stage({ given: letting() })
  await s.make('ana', 'PATCH /properties/{villa}', { payTo: OLD })
  await s.t.work()
  s.t.sent.length = 0
  await s.make('mia', 'PATCH /properties/{villa}', { payTo: NEW })
  await s.t.work()
  expect(s.t.sent.map(({ to }) => to).sort()).toEqual([phoneOf('ada'), phoneOf('ana')].sort())
  for (const { text } of s.t.sent) {
    expect(text.replace(/\s/g, ' ')).toStartWith(
      'Le loyer de « Villa » se paie désormais ainsi : Orange Money +237•••••••22 (avant : Orange Money +237•••••••11). Modifié par mia Test. Si ce changement n’est pas voulu, corrigez-le aussitôt : http',
    )
    expect(text).toContain(`/console/properties/${s.names.get('villa')}`)
    expect(text).not.toMatch(/690000011|699000022/)
  }
})

test('a new number of the organization is told to the owners whose tenants pay there', async () => {
  const s = await stage({ given: letting() })
  await s.make('ada', 'PATCH /admin/organization', { payTo: OLD })
  await s.make('ada', 'PATCH /admin/organization', { payTo: NEW })
  await s.t.work()
  expect((await s.ask('tom', 'GET /organization')).body).toMatchObject({ places: [{ payToChangedOn: '2026-03-10' }] })
  // Ana is told of both; Ada of the second; Eve owns nothing.
  const told = s.t.sent.map(({ to }) => to).sort()
  expect(told).toEqual([phoneOf('ada'), phoneOf('ana'), phoneOf('ana')].sort())
  await s.make('ana', 'PATCH /properties/{villa}', { payTo: OLD })
  s.t.sent.length = 0
  await s.t.work()
  s.t.sent.length = 0
  await s.make('ada', 'PATCH /admin/organization', { payTo: OLD })
  await s.t.work()
  expect(s.t.sent.map(({ to }) => to)).toEqual([phoneOf('ada')])
  expect((await s.ask('tom', 'GET /organization')).body).toMatchObject({ places: [{ payToChangedOn: '2026-03-10' }] })
})

test('the tenant’s pages and the paper say so for 30 days', async () => {
  const s = await stage({ given: letting() })
  await s.make('ana', 'PATCH /properties/{villa}', { payTo: OLD })
  const said = async (): Promise<unknown> => (await s.ask('tom', 'GET /overview')).body.payToChangedOn
  expect(await said()).toBeUndefined()
  await s.make('ana', 'PATCH /properties/{villa}', { payTo: NEW })
  expect(await said()).toBe('2026-03-10')
  s.t.advance(29)
  expect(await said()).toBe('2026-03-10')
  s.t.advance(1)
  expect(await said()).toBeUndefined()
})

test('an invoice drawn meanwhile says it beside the number', async () => {
  const s = await stage({ given: letting({ startDate: '2026-02-25' }) })
  await s.make('ana', 'PATCH /properties/{villa}', { payTo: OLD })
  await s.make('ana', 'PATCH /properties/{villa}', { payTo: NEW })
  s.t.advance(16)
  await s.t.work()
  while ((await renderDocuments(s.t.deps)) > 0);
  const [paper] = s.rows(`select id from document where kind = 'INVOICE' order by id desc limit 1`)
  const { body } = await s.ask('ana', `GET /documents/${paper?.id}/download-url`)
  const file = await s.t.app.handle(new Request(new URL(String(body.url), 'http://localhost')))
  const text = (await readPdf(new Uint8Array(await file.arrayBuffer()))).text.replace(/\s+/g, ' ')
  expect(text).toMatch(
    /Où payer Orange Money \+237699000022 Modifié le 10 mars 2026\. Si vous n’en avez pas été averti/,
  )
})
