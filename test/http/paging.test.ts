// Keyset paging: every row once, cursors that belong to one list, caller, order and filter, and the query's limits.
import { describe, expect, test } from 'bun:test'
import { type Answer, createTestApp, type TestApp } from '../support/app.ts'
import { fill, listRoutes } from '../support/routes.ts'
import { received } from '../support/sample.ts'
import { samples, worldApp } from '../support/world.ts'

type Row = { id: string; name?: string }
const { t, w, other } = await worldApp(['organization', 'other'])
const idOf = new Map(samples(w).map(({ line, mine }) => [line, mine ?? '']))
// One open check of oneself at a time: that list never has a second page.
const lists = listRoutes(t.app)
  .filter(({ line }) => !line.endsWith('/mine'))
  .map(({ line }) => fill(line, idOf.get(line)))
// Enough for the shortest list, payments of one invoice, and more for the others.
for (const name of ['P1', 'P2', 'P3', 'P4', 'P5'])
  await t.call(w.as.ada, 'POST /api/v1/properties', { name, addressLine: 'R', city: 'C' })

await t.call(w.as.ana, `POST /api/v1/bookings/${w.bookings.ACTIVE}/deposit`, received)
await t.call(w.as.mia, 'POST /api/v1/webhook-endpoints', { url: 'https://second.example.cm/hooks' })

const nextOf = ({ headers }: Answer<unknown>): string | undefined =>
  /^<http:\/\/localhost:3000(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
const cursorOf = (answer: Answer<unknown>): string =>
  new URL(nextOf(answer) ?? '/', 'http://localhost').searchParams.get('cursor') ?? ''
/** All pages of a list, following Link; `between` runs before each further page. */
async function walk(
  app: TestApp,
  as: string,
  line: string,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | undefined = line.slice(4); next; ) {
    const page: Answer<Row[]> = await app.call<Row[]>(as, `GET ${next}`)
    expect([next, page.status]).toEqual([next, 200])
    ids.push(...page.body.map(({ id }) => id))
    next = nextOf(page)
    if (next) await between()
  }
  return ids
}

describe.each(lists.map((line) => [line]))('%s', (line) => {
  const all = async (query: string): Promise<string[]> =>
    (await t.call<Row[]>(w.as.ada, `${line}?limit=200&${query}`)).body.map(({ id }) => id)

  test('pages of one, two and three show every row once, in order', async () => {
    const whole = await all('')
    expect(whole).toEqual([...whole].sort().reverse())
    expect(whole.length).toBeGreaterThan(1)
    for (const limit of [1, 2, 3]) {
      expect([limit, await walk(t, w.as.ada, `${line}?limit=${limit}`)]).toEqual([limit, whole])
      expect([limit, await walk(t, w.as.ada, `${line}?limit=${limit}&order=asc`)]).toEqual([
        limit,
        [...whole].reverse(),
      ])
    }
  })

  test('pages of what changed since, in the order of change', async () => {
    const since = 'updatedSince=2026-03-01T00:00:00Z'
    const rows = await all(since)
    expect(await walk(t, w.as.ada, `${line}?limit=2&${since}`)).toEqual(rows)
    expect((await all(`${since}&order=asc`)).sort()).toEqual([...rows].sort())
  })

  test('the last page has no Link, a full one that is not the last has', async () => {
    const count = (await all('')).length
    expect(nextOf(await t.call(w.as.ada, `${line}?limit=${count}`))).toBeUndefined()
    expect(nextOf(await t.call(w.as.ada, `${line}?limit=${count - 1}`))).toContain('cursor=')
  })

  test('X-Total-Count counts all pages, and only when asked', async () => {
    const count = String((await all('')).length)
    const page = await t.call(w.as.ada, `${line}?limit=1&count=true`)
    expect(page.headers.get('x-total-count')).toBe(count)
    expect((await t.call(w.as.ada, `${nextOf(page) && `GET ${nextOf(page)}`}`)).headers.get('x-total-count')).toBe(
      count,
    )
    for (const query of ['', '?count=false'])
      expect((await t.call(w.as.ada, `${line}${query}`)).headers.has('x-total-count')).toBe(false)
  })

  test('a cursor is good for nobody and nothing else', async () => {
    const cursor = cursorOf(await t.call(w.as.ada, `${line}?limit=1`))
    expect(cursor).not.toBe('')
    const [data = '', tag = ''] = cursor.split('.')
    const elsewhere = lists.find((other) => other !== line) ?? ''
    const foreign = Buffer.from(JSON.stringify([other.properties.PUBLISHED])).toString('base64url')
    const tries: [name: string, as: string, line: string][] = [
      ['another order', w.as.ada, `${line}?order=asc&cursor=${cursor}`],
      ['another filter', w.as.ada, `${line}?updatedSince=2026-03-01T00:00:00Z&cursor=${cursor}`],
      ['another list', w.as.ada, `${elsewhere}?cursor=${cursor}`],
      ['another organization', other.as.ada, `${line}?cursor=${cursor}`],
      ['another administrator', 'ADMIN.ali', `${line}?cursor=${cursor}`],
      ['another key', w.as.ada, `${line}?cursor=${foreign}.${tag}`],
      ['another tag', w.as.ada, `${line}?cursor=${data}.${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`],
      ['a shorter tag', w.as.ada, `${line}?cursor=${data}.${tag.slice(0, 4)}`],
      ['no tag', w.as.ada, `${line}?cursor=${data}`],
      ['no data', w.as.ada, `${line}?cursor=.${tag}`],
      ['nothing', w.as.ada, `${line}?cursor=`],
      ['an offset', w.as.ada, `${line}?cursor=50`],
      ['a long text', w.as.ada, `${line}?cursor=${'A'.repeat(5_000)}`],
      ['a cut surrogate', w.as.ada, `${line}?cursor=%ED%A0%80`],
    ]
    for (const [name, as, wrong] of tries) {
      const refused = await t.call(as, wrong)
      // The object that the list belongs to is looked for first.
      const status = name === 'another organization' && /[0-9a-f-]{36}/.test(line) ? 404 : 422
      expect([name, refused.status]).toEqual([name, status])
    }
    expect((await t.call(w.as.ada, `${line}?cursor=${cursor}`)).status).toBe(200)
  })

  const queries: [query: string, status: number][] = [
    ['limit=1', 200],
    ['limit=200', 200],
    ['limit=050', 200],
    ['limit=0', 422],
    ['limit=201', 422],
    ['limit=-1', 422],
    ['limit=1.5', 422],
    ['limit=1e2', 422],
    ['limit=0x10', 422],
    ['limit=%201', 422],
    ['limit=', 422],
    ['limit=9999999999999999999999', 422],
    ['limit=%D9%A1', 422],
    ['order=asc', 200],
    ['order=DESC', 422],
    ['order=', 422],
    ['count=1', 422],
    ['count=TRUE', 422],
    ['updatedSince=2026-03-10T08:00:00Z', 200],
    ['updatedSince=2026-03-10T08:00:00.123456789%2B01:00', 200],
    ['updatedSince=0001-01-01T00:00:00%2B23:59', 422],
    ['updatedSince=9999-12-31T23:59:59-23:59', 422],
    ['updatedSince=2026-03-10', 422],
    ['updatedSince=2026-03-10T08:00:00', 422],
    ['updatedSince=2026-02-30T08:00:00Z', 422],
    ['updatedSince=2026-03-10T24:00:00Z', 422],
    ['updatedSince=1773129600', 422],
    ['limit=1&limit=2', 422],
    ['limit=1&limit=1', 422],
    ['limit=1&l%69mit=1', 422],
    ['x=1&x=2', 422],
    ['=&=', 422],
    ['unknown=1', 200],
    ['__proto__=1&constructor=1', 200],
    ['__proto__[polluted]=1', 200],
    ['limit[]=1', 200],
    ['limit;order=asc', 200],
    ['&&&', 200],
    ['', 200],
  ]
  test('the limits of the query', async () => {
    for (const [query, status] of queries) {
      const answer = await t.call<{ errors: { path: string }[] }>(w.as.ada, `${line}?${query}`)
      const wrong = `/${(query.split('=')[0] ?? '').replace('l%69mit', 'limit')}`
      expect([query, answer.status]).toEqual([query, status])
      if (status === 422) expect([query, answer.body.errors.map(({ path }) => path)]).toEqual([query, [wrong]])
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('while rows are added', async () => {
  const { t, w } = await worldApp()
  const add = () => t.call<Row>(w.as.mia, 'POST /api/v1/properties', { name: 'New', addressLine: 'R', city: 'C' })
  const ids = async () => (await t.call<Row[]>(w.as.mia, 'GET /api/v1/properties?limit=200')).body.map(({ id }) => id)

  test('newest first: what was there is shown once, what came later is not', async () => {
    const before = await ids()
    expect(await walk(t, w.as.mia, 'GET /api/v1/properties?limit=2', add)).toEqual(before)
    expect((await ids()).length).toBeGreaterThan(before.length)
  })

  test('oldest first: what came later is shown once, at the end', async () => {
    let added = 0
    const walked = await walk(t, w.as.mia, 'GET /api/v1/properties?limit=3&order=asc', async () => {
      if (added++ < 4) await add()
    })
    expect(walked).toEqual((await ids()).reverse())
  })

  test('a row that is changed does not come twice, nor go missing', async () => {
    const before = await ids()
    const edit = () => t.call(w.as.mia, `PATCH /api/v1/properties/${before.at(-1)}`, { quartier: 'Z' })
    expect(await walk(t, w.as.mia, 'GET /api/v1/properties?limit=4', edit)).toEqual(before)
  })

  test('a filter holds over all pages', async () => {
    const drafts = await walk(t, w.as.mia, 'GET /api/v1/properties?limit=2&status=DRAFT')
    expect(drafts).toEqual(
      t
        .rows("select id from property where org_id = ? and status = 'DRAFT' order by id desc", w.orgId)
        .map(({ id }) => String(id)),
    )
  })
})

test('50 rows when nobody says how many', async () => {
  const t = createTestApp()
  for (let i = 0; i < 60; i++)
    await t.call('OWNER.lot', 'POST /api/v1/properties', { name: `${i}`, addressLine: 'R', city: 'C' })
  expect((await t.call<Row[]>('OWNER.lot', 'GET /api/v1/properties')).body).toHaveLength(50)
})
