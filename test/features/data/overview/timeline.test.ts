// What happened in a lease, in one list: all of it, in order, page by page, and for each party its own side.
import { describe, expect, test } from 'bun:test'
import { worldApp } from '../../../support/world.ts'

const { t, w } = await worldApp()
type Entry = { id: string; kind: string; at: string } & Record<string, { id: string } | undefined>
const PATH = `/api/v1/bookings/${w.bookings.ACTIVE}/timeline`
const LISTS: Readonly<Record<string, string>> = {
  INVOICE: `/api/v1/invoices?bookingId=${w.bookings.ACTIVE}`,
  DOCUMENT: `/api/v1/documents?bookingId=${w.bookings.ACTIVE}`,
  MESSAGE: `/api/v1/bookings/${w.bookings.ACTIVE}/messages?`,
  SIGNATURE: `/api/v1/bookings/${w.bookings.ACTIVE}/signatures?`,
}
const read = async (who: string, query = '') => t.call<Entry[]>(who, `GET ${PATH}?limit=200${query}`)

describe('the timeline of a lease', () => {
  test.each([
    ['ana', w.as.ana],
    ['mia', w.as.mia],
    ['ada', w.as.ada],
    ['tom', w.as.tom],
  ])('says what the lists say, to %s', async (_name, who) => {
    const { body } = await read(who)
    expect(body.map(({ id }) => id)).toEqual(
      body
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    expect(new Set(body.map(({ kind }) => kind)).size).toBeGreaterThan(3)
    for (const [kind, path] of Object.entries(LISTS)) {
      const rows = (await t.call<{ id: string }[]>(who, `GET ${path}&limit=200`)).body
      const mine = body.filter((entry) => entry.kind === kind)
      expect([kind, mine.map(({ id }) => id).toSorted()]).toEqual([kind, rows.map(({ id }) => id).toSorted()])
      for (const entry of mine) expect(entry[kind.toLowerCase()]?.id).toBe(entry.id)
    }
    const payments = body.filter(({ kind }) => kind === 'PAYMENT')
    expect(payments.map(({ id }) => id).toSorted()).toEqual(Object.values(w.payments).toSorted())
  })

  test('page by page, from either end, and from a time', async () => {
    const all = (await read(w.as.ana)).body.map(({ id }) => id)
    for (const order of ['desc', 'asc']) {
      const seen: string[] = []
      let path = `${PATH}?limit=3&order=${order}`
      for (let n = 0; n < 50 && path !== ''; n++) {
        const page = await t.call<Entry[]>(w.as.ana, `GET ${path}`)
        seen.push(...page.body.map(({ id }) => id))
        path = /<https?:\/\/[^/]+([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
      }
      expect(seen).toEqual(order === 'asc' ? all.toReversed() : all)
    }
    expect((await read(w.as.ana, '&updatedSince=2030-01-01T00:00:00Z')).body).toEqual([])
    expect((await read(w.as.ana, '&updatedSince=2020-01-01T00:00:00Z')).body).toHaveLength(all.length)
    const counted = await read(w.as.ana, '&count=true')
    expect(counted.headers.get('x-total-count')).toBe(String(all.length))
    const foreign = await t.call(w.as.ana, `GET ${PATH}?cursor=${'x'.repeat(40)}`)
    expect(foreign.status).toBe(422)
  })

  test.each([
    ['another owner of the organization', w.as.eve],
    ['another tenant', w.as.tia],
    ['another organization', 'ADMIN.zoe~elsewhere'],
  ])('is not there for %s', async (_who, who) => {
    const { status, body } = await t.call(who, `GET ${PATH}`)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test('tells a tenant nothing of who had the lease in hand', async () => {
    const { text } = await read(w.as.tom)
    for (const hidden of [w.hers.booking, 'Tia']) expect(text).not.toContain(hidden)
  })
})
