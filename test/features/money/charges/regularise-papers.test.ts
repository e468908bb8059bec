// The paper of a share: readings, consumption, price, key, provisions; and whom the photo of a meter is shown to.
import { expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { jpegOf, upload } from '../../../support/files.ts'
import { readPdf } from '../../../support/papers.ts'
import { type Json, letting, stage } from '../../../support/scenario.ts'

test('the invoice shows how it comes about, and the tenant the photo, once it is charged', async () => {
  const s = await stage({ now: '2026-03-01T08:00:00Z', given: letting() })
  await s.make('ana', 'POST /meters', { unitId: '{a1}', kind: 'WATER', number: 'W-7' }, 'm')
  await s.make('ana', 'POST /meter-readings', { meterId: '{m}', value: 1_000 })
  s.t.advance(31)
  await s.t.work()
  const file = {
    ownerType: 'USER',
    ownerId: s.fill('{ana}'),
    kind: 'PHOTO',
    filename: 'm.jpg',
    contentType: 'image/jpeg',
  }
  const photo = String((await upload(s.t, s.wordOf('ana'), file, await jpegOf(40, 30))).body.id)
  await s.make('ana', 'POST /meter-readings', { meterId: '{m}', value: 1_012.5, mediaObjectId: photo })
  const seenBy = async (who: 'tom' | 'tia' | 'eve' | 'mia') =>
    (await s.ask(who, `GET /media/${photo}/download-url`)).status
  expect(await seenBy('tom')).toBe(404)
  await s.make('ana', 'POST /bookings/{lease}/invoices', {
    lines: [{ label: 'Provision', amount: 1_000, provision: true }],
  })
  const asked = {
    periodStart: '2026-03-01',
    periodEnd: '2026-04-01',
    items: [
      { label: 'Eau', key: 'METERS', meterKind: 'WATER', unitPrice: 364 },
      { label: 'Gardiennage', key: 'EQUAL', costs: [{ label: 'Gardien', amount: 60_000 }] },
    ],
  }
  await s.make('ana', 'POST /properties/{villa}/regularisations', asked, 'one')
  expect([await seenBy('tom'), await seenBy('tia'), await seenBy('eve'), await seenBy('mia')]).toEqual([
    200, 404, 404, 200,
  ])
  expect((await s.ask('ana', `DELETE /media/${photo}`)).status).toBe(409)
  while ((await renderDocuments(s.deps)) > 0);
  const [row] = s.rows("select * from document where data like '%calculation%' order by id desc limit 1")
  const papers = (await s.ask('tom', 'GET /documents?kind=INVOICE')).body as unknown as {
    variant?: string
    filename?: string
  }[]
  const named = papers.map(({ variant, filename }) => `${variant} ${filename?.replace(/-[\d-]+/, '')}`)
  // Rent is an invoice without a word beside it.
  expect([...new Set(named)].sort()).toEqual(['CHARGES facture-de-charges.pdf', 'undefined facture.pdf'])
  const pdf = await s.documents.open(`${row?.id}.${row?.sha256}`)
  const bytes = (await pdf?.bytes()) ?? new Uint8Array()
  if (process.env.KEEP) await Bun.write(process.env.KEEP, bytes)
  const { pages } = await readPdf(bytes)
  const text = pages
    .map((page: unknown) => JSON.stringify(page))
    .join(' ')
    .replace(/\s|\\n/g, '')
  for (const words of [
    'W-7',
    '1000',
    '1012,5',
    '12,5m³×364FCFA',
    '1sur2,32jours',
    'Gardiennage',
    'Provision',
    'Votrepart',
  ])
    expect(text).toContain(words)
  // Taken back: the tenant sees it no more.
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect(await seenBy('tom')).toBe(404)
  const shares = (await s.ask('tom', 'GET /bookings/{lease}/charge-shares')).body as unknown as Json[]
  expect(shares).toEqual([])
})
