// The search: what is found by which words, who finds it, and what hostile words do.
import { describe, expect, test } from 'bun:test'
import { migrate } from '../../../../db/migrate.ts'
import { systemCtx } from '../../../../src/context.ts'
import { termOf } from '../../../../src/core/case-folding.ts'
import { matchOf } from '../../../../src/features/data/overview/rules.ts'
import { finishErasure } from '../../../../src/features/data/personal-data/service.ts'
import { forgetTenant } from '../../../../src/features/people/tenants/service.ts'
import { ORG, uuid } from '../../../support/app.ts'
import { cash, letting, premises, type Stage, scenario, stage, villa } from '../../../support/scenario.ts'

const at = (q: string, more = ''): string => `GET /search?q=${encodeURIComponent(q)}${more}`
const nothing: readonly unknown[] = []

/** Ana's lease with Thérèse, who has no account, and what Eve has beside it. */
const town = async (s: Stage): Promise<void> => {
  await premises()(s)
  await s.make('ana', 'PATCH /properties/{villa}', { name: 'Résidence Étoile', quartier: 'Bonamoussadi' })
  await s.make('ana', 'POST /tenants', { fullName: 'Thérèse Ngo Mbarga', phoneNumber: '+237677123456' }, 'therese')
  await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantId: '{therese}', startDate: '2026-03-01' }, 'lease')
  await s.make('ana', 'POST /bookings/{lease}/submit')
  await s.make('ana', 'POST /bookings/{lease}/activate')
  await s.t.work()
  s.nameAll()
  await s.make('ana', 'POST /invoices/{i1}/payments', {
    ...cash(60_000),
    method: 'MTN_MOMO',
    reference: 'PP260310.1200.C98322',
  })
  await s.make('eve', 'POST /properties', { ...villa, name: 'Studio Étoile' }, 'studio')
  await s.make('eve', 'POST /tenants', { fullName: 'Thérèse Owona', phoneNumber: '+237699000111' }, 'hers')
}

scenario('words, digits, numbers and references find what the caller may see', { given: town }, [
  ['tom', at('etoile'), undefined, 403],
  [
    'ana',
    at('therese'),
    undefined,
    200,
    [
      { kind: 'TENANT', id: '{therese}', title: 'Thérèse Ngo Mbarga', subtitle: '+237677123456' },
      {
        kind: 'BOOKING',
        id: '{lease}',
        title: 'Thérèse Ngo Mbarga',
        subtitle: 'A1, Résidence Étoile',
        status: 'ACTIVE',
      },
    ],
  ],
  ['eve', at('THERESE'), undefined, 200, [{ kind: 'TENANT', id: '{hers}', title: 'Thérèse Owona' }]],
  ['mia', at('thérè'), undefined, 200, [{ id: '{hers}' }, { id: '{therese}' }, { id: '{lease}' }]],
  ['zoe', at('therese'), undefined, 200, nothing],
  ['ana', at('mbarga ther'), undefined, 200, [{ id: '{therese}' }, { id: '{lease}' }]],
  ['ana', at('therese owona'), undefined, 200, nothing],
  // Digits as they are typed: with the country's code, without, in groups, the beginning of them.
  ['ana', at('677123456'), undefined, 200, [{ id: '{therese}' }]],
  ['ana', at('+237 677 12 34 56'), undefined, 200, [{ id: '{therese}' }]],
  ['ana', at('677 12'), undefined, 200, [{ id: '{therese}' }]],
  ['ana', at('6990'), undefined, 200, nothing],
  // Places and labels.
  [
    'ana',
    at('residence'),
    undefined,
    200,
    [
      { kind: 'PROPERTY', id: '{villa}', title: 'Résidence Étoile', subtitle: 'Rue 1, Douala', status: 'PUBLISHED' },
      { kind: 'UNIT', id: '{a2}' },
      {
        kind: 'UNIT',
        id: '{a1}',
        title: 'A1',
        subtitle: 'Résidence Étoile',
        propertyId: '{villa}',
        status: 'OCCUPIED',
      },
    ],
  ],
  ['ana', at('etoile a1'), undefined, 200, [{ kind: 'UNIT', id: '{a1}' }]],
  ['ana', at('bonamou'), undefined, 200, [{ kind: 'PROPERTY', id: '{villa}' }]],
  ['eve', at('etoile'), undefined, 200, [{ kind: 'PROPERTY', id: '{studio}' }]],
  // Numbers whole, begun, and without year and zeros.
  [
    'ana',
    at('2026-000001'),
    undefined,
    200,
    [
      {
        kind: 'INVOICE',
        id: '{i1}',
        title: '2026-000001',
        subtitle: 'Thérèse Ngo Mbarga, A1, Résidence Étoile',
        bookingId: '{lease}',
        status: 'PAID',
      },
      { kind: 'DOCUMENT', title: '2026-000001' },
    ],
  ],
  ['ana', at('2026-0000'), undefined, 200, [{ kind: 'INVOICE', id: '{i1}' }, { kind: 'DOCUMENT' }]],
  ['ana', at('2026-1'), undefined, 200, [{ kind: 'INVOICE', id: '{i1}' }, { kind: 'DOCUMENT' }]],
  ['ana', at('001'), undefined, 200, [{ kind: 'INVOICE', id: '{i1}' }, { kind: 'DOCUMENT' }]],
  ['ana', at('r-2026-000001'), undefined, 200, [{ kind: 'DOCUMENT', title: 'R-2026-000001', bookingId: '{lease}' }]],
  [
    'ana',
    at('pp260310.1200'),
    undefined,
    200,
    [{ kind: 'PAYMENT', id: '{p1}', title: 'PP260310.1200.C98322', status: 'CONFIRMED' }],
  ],
  ['mia', at('2026-0000'), undefined, 200, [{ kind: 'INVOICE', id: '{i1}' }, { kind: 'DOCUMENT' }]],
  ['eve', at('2026-000001'), undefined, 200, nothing],
  ['eve', at('2026-0000'), undefined, 200, nothing],
  ['eve', at('PP260310'), undefined, 200, nothing],
  ['ana', at('therese', '&limit=1'), undefined, 200, [{ kind: 'TENANT' }]],
  ['ana', at('therese', '&limit=51'), undefined, 422],
])

/** The ids that somebody finds, by the names of the stage. */
async function found(s: Stage, who: 'ana' | 'eve' | 'mia' | 'zoe', q: string): Promise<string[]> {
  const { body } = await s.ask(who, at(q))
  const nameOf = new Map([...s.names].map(([name, id]) => [id, name]))
  return (body as unknown as { id: string }[]).map(({ id }) => nameOf.get(id) ?? id)
}

test('the index follows every change: names, labels, owners, states, and what is gone', async () => {
  const s = await stage({ given: town })
  await s.make('ana', 'PATCH /properties/{villa}', { name: 'Cité Verte' })
  expect(await found(s, 'ana', 'etoile')).toEqual([])
  expect(await found(s, 'ana', 'cite verte')).toEqual(['villa', 'a2', 'a1'])
  await s.make('ana', 'PATCH /units/{a1}', { label: 'Rez-de-chaussée' })
  expect(await found(s, 'ana', 'chaussee')).toEqual(['a1', 'lease'])
  await s.make('ana', 'PATCH /tenants/{therese}', { fullName: 'Rose Ngo', phoneNumber: '+237655000222' })
  expect(await found(s, 'ana', 'therese')).toEqual([])
  expect(await found(s, 'ana', '677123456')).toEqual([])
  expect(await found(s, 'ana', 'rose')).toEqual(['therese', 'lease'])
  // Another owner takes the house, its units, its lease and the sight of its tenant.
  await s.make('mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' })
  expect(await found(s, 'eve', 'cite')).toEqual(['villa', 'a2', 'a1'])
  expect(await found(s, 'eve', 'rose')).toEqual(['therese', 'lease'])
  // Ana entered the tenant.
  expect(await found(s, 'ana', 'rose')).toEqual(['therese'])
  expect(await found(s, 'ana', 'cite')).toEqual([])
  s.t.store.client.prepare("delete from unit where label = 'A2'").run()
  expect(await found(s, 'mia', 'cite')).toEqual(['villa', 'a1'])
})

test('a name that an owner may not know is no word for them, and not told where the lease is found', async () => {
  const s = await stage({ given: premises() })
  await s.make('eve', 'POST /tenants', { fullName: 'Clarisse Secrète', phoneNumber: '+237677123456' }, 'clarisse')
  await s.make('mia', 'POST /bookings', { unitId: '{a1}', tenantId: '{clarisse}', startDate: '2026-03-01' }, 'lease')
  s.t.store.client.prepare('update booking set vouched = 0').run()
  expect(await found(s, 'ana', 'clarisse')).toEqual([])
  expect(await found(s, 'mia', 'clarisse')).toEqual(['clarisse', 'lease'])
  expect(await found(s, 'eve', 'clarisse')).toEqual(['clarisse'])
  const { text } = await s.ask('ana', at('a1'))
  expect(text).toContain(s.fill('{lease}'))
  expect(text).not.toMatch(/Clarisse|677123456/)
  await s.make('mia', 'POST /bookings/{lease}/submit')
  expect(await found(s, 'ana', 'clarisse')).toEqual(['clarisse', 'lease'])
  await s.make('mia', 'POST /bookings/{lease}/cancel')
  expect(await found(s, 'ana', 'clarisse')).toEqual([])
})

test('another organization with the same words: they are neither found nor gone through', async () => {
  const s = await stage({ given: town })
  await s.make('zoe', 'POST /tenants', { fullName: 'Thérèse Ailleurs', phoneNumber: '+237677123456' }, 'elsewhere')
  for (const q of ['therese', 'thér', '677123456']) {
    expect(await found(s, 'zoe', q)).toEqual(['elsewhere'])
    for (const who of ['ana', 'mia'] as const) expect(await found(s, who, q)).not.toContain('elsewhere')
  }
  expect(await found(s, 'mia', 'ailleurs')).toEqual([])
  expect(await found(s, 'zoe', 'ngo')).toEqual([])
  // Each organization has words of its own: two tenants and a lease in one, one tenant in the other.
  s.t.store.client.exec("create virtual table temp.terms using fts5vocab('main', 'search', 'row')")
  const terms = s.rows(
    "select term, doc from temp.terms where term like '%therese' order by doc desc, term like 'tenant%'",
  )
  expect(terms).toEqual([
    { term: termOf('tenant', ORG, 'therese'), doc: 2 },
    { term: termOf('booking', ORG, 'therese'), doc: 1 },
    { term: termOf('tenant', uuid('elsewhere'), 'therese'), doc: 1 },
  ])
})

test('a number without its year is of the year that it is in Douala, an hour before London', async () => {
  const late = await stage({ now: '2026-12-31T23:30:00.000Z', given: letting({ startDate: '2027-01-01' }) })
  const { body } = await late.ask('ana', at('001'))
  expect(body as unknown).toMatchObject([{ kind: 'INVOICE', title: '2027-000001' }, { kind: 'DOCUMENT' }])
})

describe('hostile words', async () => {
  const s = await stage({ given: town })
  const words = [
    '',
    '   ',
    '"',
    '"""',
    '*',
    "'",
    ';--',
    'a" OR "b',
    'NEAR(a b)',
    'NOT',
    'a NOT b',
    'AND',
    'OR OR OR',
    '-',
    '^a',
    '{words} : a',
    'keys:a',
    'a:b',
    '(',
    ')))',
    '+',
    '\\',
    '%',
    '_',
    '\u0000',
    'a\u0000b',
    '\u202e',
    '😀',
    '\u0301',
    '𞤀𞤁',
    'x'.repeat(500),
    'a '.repeat(250),
    '"'.repeat(500),
    '9'.repeat(500),
    '*'.repeat(500),
  ]
  test.each(words.map((word) => [word]))('%j is no error and finds nothing of others', async (word) => {
    const { status, body } = await s.ask('eve', at(word))
    expect(status).toBe(200)
    const ids = (body as unknown as { id: string }[]).map(({ id }) => id)
    expect(ids.filter((id) => [s.fill('{villa}'), s.fill('{therese}'), s.fill('{lease}')].includes(id))).toEqual([])
  })
  test('none, and one too long', async () => {
    expect((await s.ask('ana', 'GET /search')).body as unknown).toEqual([])
    expect((await s.ask('ana', at('x'.repeat(501)))).status).toBe(422)
  })
  test('the ids in the keys are no words', async () => {
    for (const id of ['{villa}', '{ana}']) {
      const key = s.fill(id).replaceAll('-', '')
      for (const q of [key, `p${key}`, `keys:p${key}`]) expect(await found(s, 'eve', q)).toEqual([])
    }
  })
})

test('of many alike each kind has its place, and a whole word comes before a beginning', async () => {
  const s = await stage({ given: letting() })
  const labels = Array.from({ length: 60 }, (_x, i) => `B${i + 10}`)
  await s.make('ana', 'POST /properties/{villa}/units', { labels: ['B1', ...labels], rentAmount: 1 })
  const { body } = await s.ask('ana', at('b1'))
  const hits = body as unknown as { kind: string; title: string }[]
  expect(hits[0]?.title).toBe('B1')
  const { body: many } = await s.ask('ana', at('villa'))
  const kinds = (many as unknown as { kind: string }[]).map(({ kind }) => kind)
  expect([kinds.length, new Set(kinds)]).toEqual([20, new Set(['PROPERTY', 'UNIT'])])
})

test('a start that makes the triggers anew fills the index anew, and loses nothing', async () => {
  const s = await stage({ given: town })
  // As an earlier version kept it: words of all organizations together.
  s.t.store.client.unsafeMode(true).exec(`drop trigger unit_searched; drop table search; drop table search_content;
    create virtual table search using fts5(keys, words, staff, ref unindexed, tokenize = 'unicode61 remove_diacritics 2',
      prefix = '1 2 3', content = '', contentless_delete = 1, contentless_unindexed = 1)`)
  expect(await found(s, 'ana', 'therese')).toEqual([])
  migrate(s.t.store.client, ':memory:')
  expect(await found(s, 'ana', 'therese')).toEqual(['therese', 'lease'])
  expect(await found(s, 'ana', 'etoile')).toEqual(['villa', 'a2', 'a1'])
})

test('who is erased leaves no word in the index', async () => {
  const bytes = (s: Stage): string =>
    s
      .rows('select block from search_data')
      .map(({ block }) => Buffer.from(block as Uint8Array).toString('latin1'))
      .join('\n')
  const s = await stage({ given: premises() })
  await s.make('mia', 'POST /bookings', { unitId: '{a1}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'draft')
  await s.t.deps.write(ORG, (tx) => tx.$client.prepare("update tenant set full_name = 'Quetzalcoatl'").run())
  expect(await found(s, 'mia', 'quetzal')).toHaveLength(2)
  expect(bytes(s)).toContain('etzalcoatl')
  await s.make('mia', 'POST /bookings/{draft}/cancel')
  await s.t.deps.write(ORG, (tx) => {
    forgetTenant(systemCtx(s.t.deps, tx, ORG, 'test'), s.fill('{tom}'), { fr: 'Locataire', en: 'Tenant' })
  })
  expect(await found(s, 'mia', 'quetzal')).toEqual([])
  s.t.store.client.prepare("update app_user set status = 'ERASED' where id = ?").run(s.fill('{tom}'))
  await finishErasure({ ...s.t.deps, identity: { deleteAccount: async () => {} } as never }, ORG, s.fill('{tom}'))
  expect(bytes(s)).not.toContain('etzalcoatl')
  expect(await found(s, 'mia', 'villa')).not.toEqual([])
})

test.each([
  ['Thérèse Ngo', ['therese', 'ngo']],
  ['a a A a', ['a']],
  ['t th the Thérèse', ['therese']],
  ['a1 A10', ['a10']],
  ['r a b c d', ['r', 'a', 'b']],
  ['a b ngo c d', ['a', 'b', 'ngo', 'c']],
])('of %s the words that tell something are looked up', (q, words) => {
  const all = words.map((word) => `"unit1f${word}" *`).join(' AND ')
  const scope = { kind: 'all', userId: 'u' } as const
  expect(matchOf(q, { table: 'unit', orgId: '1-f', scope, whole: false })).toBe(`{words staff}:(${all})`)
})
