// TVA of suppliers and TVA of leases: never one on top of the other, never given away.
import { describe, expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { imbalances } from '../../../support/ledger.ts'
import { readPdf } from '../../../support/papers.ts'
import type { Json, Stage } from '../../../support/scenario.ts'
import { house, path, period, power, type Share } from '../../../support/shared-charges.ts'

/** Tom's home bears none; Tia's shop bears 19.25 %. */
const mixed = (): Promise<Stage> => house({}, { tvaBasisPoints: 1925 })
const spend = (s: Stage, more: Json = {}) =>
  s.make(
    'ana',
    'POST /expenses',
    {
      propertyId: '{villa}',
      kind: 'GUARD',
      amount: 119_250,
      tvaAmount: 19_250,
      spentOn: '2026-02-01',
      chargeable: true,
      ...more,
    },
    'guard',
  )
const guards = { label: 'Gardiennage', key: 'EQUAL', costs: [{ expenseId: '{guard}' }] }
const figures = (body: Json) =>
  (body.shares as Share[]).map((x) =>
    [x.unitLabel, x.amount, x.items.map((i) => i.deductedAmount ?? 0).join(), x.grossAmount].join(' '),
  )

describe('a supplier’s TVA', () => {
  test('is paid by the home, not by the shop, which pays its own: one tax each', async () => {
    const s = await mixed()
    await spend(s)
    const asked = { ...period, items: [guards] }
    const { body } = await s.ask('ana', path('/preview'), asked)
    // 119 250 by 90 and 45 of 270 days. Of Tia's 19 875 are 3 208 TVA: she pays 16 667 and 3 208 of her own.
    expect(figures(body)).toEqual(['A1 39750 0 39750', 'A2 16667 3208 19875'])
    expect(body).toMatchObject({
      costAmount: 119_250,
      chargedAmount: 56_417,
      deductedAmount: 3_208,
      landlordAmount: 119_250 - 56_417 - 3_208,
      items: [{ tvaAmount: 19_250, deductedAmount: 3_208 }],
    })
    const issued = await s.make('ana', path(), asked, 'one')
    expect(figures(issued)).toEqual(figures(body))
    const [tias] = s.t.rows("select * from invoice where kind = 'CHARGES' and booking_id = ?", s.fill('{tias}'))
    expect(tias).toMatchObject({ net_amount: 16_667, tva_amount: 3_208, gross_amount: 19_875 })
    const [toms] = s.t.rows("select * from invoice where kind = 'CHARGES' and booking_id = ?", s.fill('{toms}'))
    expect(toms).toMatchObject({ net_amount: 39_750, tva_amount: 0, gross_amount: 39_750 })
    expect((await s.ask('ana', 'GET /regularisations')).body).toMatchObject([
      { costAmount: 119_250, deductedAmount: 3_208, landlordAmount: 59_625 },
    ])
    // What the shares were made of stays.
    expect((await s.ask('ana', 'PATCH /expenses/{guard}', { tvaAmount: 1 })).status).toBe(409)
    const seen = (await s.ask('tia', 'GET /bookings/{tias}/charge-shares')).body as unknown as Share[]
    expect(seen).toMatchObject([{ amount: 16_667, items: [{ amount: 16_667, deductedAmount: 3_208 }] }])
    expect((await s.ask('tom', 'GET /bookings/{toms}/charge-shares')).text).not.toContain('deductedAmount')
    expect(imbalances(s.t)).toEqual([])
    await s.make('ana', 'POST /regularisations/{one}/cancel')
    expect((await s.ask('ana', 'PATCH /expenses/{guard}', { tvaAmount: 1 })).status).toBe(200)
  })

  test('that is not known, or of costs without any, changes nothing', async () => {
    const s = await mixed()
    await spend(s, { tvaAmount: null })
    const { body } = await s.ask('ana', path('/preview'), { ...period, items: [guards] })
    expect(figures(body)).toEqual(['A1 39750 0 39750', 'A2 19875 0 23701'])
    expect(body.deductedAmount).toBe(0)
  })

  test('follows the part of an expense that is charged on, and is said of a typed cost', async () => {
    const s = await mixed()
    await spend(s)
    const half = { ...guards, costs: [{ expenseId: '{guard}', amount: 59_625 }] }
    const typed = { ...guards, costs: [{ label: 'Gardien', amount: 59_625, tvaAmount: 9_625 }] }
    for (const item of [half, typed]) {
      const { body } = await s.ask('ana', path('/preview'), { ...period, items: [item] })
      expect(figures(body)).toEqual(['A1 19875 0 19875', 'A2 8334 1604 9938'])
    }
    const before = s.dump()
    for (const cost of [
      { label: 'Gardien', amount: 10, tvaAmount: 11 },
      { expenseId: '{guard}', tvaAmount: 5 },
    ]) {
      const { status, body } = await s.ask('ana', path(), { ...period, items: [{ ...guards, costs: [cost] }] })
      expect([status, (body.errors as Json[])[0]?.path]).toEqual([422, '/items/0/costs/0/tvaAmount'])
    }
    expect(s.dump()).toBe(before)
  })

  test('is in what meters counted as in its bill, and in a given price as in the costs beside it', async () => {
    const s = await mixed()
    const bill = [{ label: 'Eneo', amount: 37_026, tvaAmount: 5_976 }]
    const counts = async (more: Json) =>
      (await s.ask('ana', path('/preview'), { ...period, items: [{ ...power, ...more }] })).body
    // 310.5 kWh: Tom 240.5, Tia 60, ten of nobody's.
    const shared = await counts({ costs: bill })
    expect(figures(shared)).toEqual(['A1 28679 0 28679', 'A2 6000 1155 7155'])
    expect((shared.shares as Share[]).map(({ items: [item] }) => item?.unitPrice)).toEqual([119.246, 100])
    expect(figures(await counts({ costs: bill, unitPrice: 119.246 }))).toEqual([
      'A1 28679 0 28679',
      'A2 6000 1155 7155',
    ])
    expect(figures(await counts({ unitPrice: 100 }))).toEqual(['A1 24050 0 24050', 'A2 6000 0 7155'])
  })

  test('is told on the paper of the shop alone', async () => {
    const s = await mixed()
    await spend(s)
    await s.make('ana', path(), { ...period, items: [guards] }, 'one')
    while ((await renderDocuments(s.deps)) > 0);
    const texts: string[] = []
    for (const { id, sha256 } of s.t.rows(
      "select * from document where data like '%calculation%' order by booking_id",
    )) {
      const pdf = await s.t.documents.open(`${id}.${sha256}`)
      const { pages } = await readPdf((await pdf?.bytes()) ?? new Uint8Array())
      texts.push(JSON.stringify(pages).replace(/\s|\\n/g, ''))
    }
    expect(texts).toHaveLength(2)
    const [home = '', shop = ''] = texts
    expect(shop).toContain('horslaTVAdesfournisseurs')
    expect(shop).toContain('VotrepartHT')
    expect(home).not.toContain('horslaTVA')
    expect(home).not.toContain('VotrepartHT')
  })
})
