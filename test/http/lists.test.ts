// reliability T-04: a list shows the caller's own rows and no other, whatever is filtered; the oracle is plain SQL.
import { describe, expect, test } from 'bun:test'
import { type Filter, LISTS, type List, type Name, shared } from '../support/lists.ts'
import { listRoutes } from '../support/routes.ts'
import { type World, worldApp } from '../support/world.ts'

const { t, w: first, others } = await worldApp(['organization', 'second', 'third'])
const worlds = [first, ...others]
const NIL = '00000000-0000-0000-0000-000000000000'

test('every list is here', () => {
  expect(LISTS.map(({ line }) => line).sort()).toEqual(
    listRoutes(t.app)
      .map(({ line }) => line)
      .sort(),
  )
})

/** Ids that the caller may see, newest first. */
function expected(list: List, w: World, name: Name, [, where, values = []]: Filter): string[] {
  const scope =
    name === 'mia' || name === 'ada' ? list.all : name === 'tom' || name === 'tia' ? list.tenant : list.owner
  const conditions = [
    ...(scope === undefined ? [] : [scope.replaceAll('?1', '?').replaceAll('?', `'${w.userIds[name]}'`)]),
    'org_id = ?',
    ...(list.of ? [list.parent ? `${list.parent} = ?` : "invoice_ids like '%' || ? || '%'"] : []),
    where,
  ]
  const rows = t.rows(
    `select id from ${list.table} where ${conditions.map((c) => `(${c})`).join(' and ')} order by id desc`,
    w.orgId,
    ...(list.of ? [list.of(w)] : []),
    ...values,
  )
  return rows.map(({ id }) => String(id))
}

describe.each(LISTS.map((list) => [list.line, list] as const))('%s', (line, list) => {
  test.each(worlds.map((w) => [w.org, w] as const))('%s', async (_org, w) => {
    const foreign = worlds[(worlds.indexOf(w) + 1) % 3] ?? w
    let seen = 0
    for (const filter of [...shared(w), ...list.filters(w, foreign)])
      for (const name of list.who) {
        const path = line.replace(':id', list.of?.(w) ?? '')
        const answer = await t.call<{ id: string }[]>(w.as[name], `${path}?count=true&limit=200&${filter[0]}`)
        const ids = expected(list, w, name, filter)
        expect([name, filter[0], answer.status, answer.body.map(({ id }) => id).sort()]).toEqual([
          name,
          filter[0],
          200,
          ids.sort(),
        ])
        expect(answer.headers.get('x-total-count')).toBe(String(ids.length))
        seen += ids.length
      }
    expect(seen).toBeGreaterThan(0)
  })
})

test('an empty organization sees empty lists', async () => {
  for (const { line } of listRoutes(t.app).filter(({ path }) => !path.includes(':'))) {
    const { status, text } = await t.call('ADMIN.nova~empty', `${line}?action=booking.create&role=OWNER`)
    expect([line, status, text]).toEqual([line, 200, '[]'])
  }
  expect((await t.call('ADMIN.nova~empty', `GET /api/v1/invoices/${NIL}/payments`)).status).toBe(404)
})
