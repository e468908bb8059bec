// An organization's clauses: versions, placeholders that exist, and what they become on paper.
import { describe, expect, test } from 'bun:test'
import {
  compose,
  PLACEHOLDERS,
  unknownPlaceholders,
  type Values,
} from '../../../../src/features/lease/contracts/rules.ts'
import { BUSINESS, HOME } from '../../../../src/features/lease/contracts/texts.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { createTestApp } from '../../../support/app.ts'
import { readPdf } from '../../../support/papers.ts'
import { letting, stage } from '../../../support/scenario.ts'

/** Draws all papers: a round may leave some to the next one when the machine is busy. */
async function drawAll(deps: Parameters<typeof renderDocuments>[0]): Promise<void> {
  while ((await renderDocuments(deps)) > 0);
}
const clause = (body: string, title = 'Loyer') => ({ title_fr: title, body_fr: body, title_en: title, body_en: body })

describe('what comes with the program', () => {
  for (const [kind, clauses] of Object.entries({ HOME, BUSINESS })) {
    test(`${kind}: every clause in both languages, with placeholders that exist`, () => {
      expect(clauses.length).toBeGreaterThanOrEqual(27)
      for (const c of clauses) {
        for (const text of Object.values(c)) {
          expect(text.trim()).not.toBe('')
          expect(unknownPlaceholders(text)).toEqual([])
          // Bold is closed where it is opened.
          expect(text.split('**').length % 2).toBe(1)
        }
        const used = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([m]) => m).sort()
        expect(used(c.body_en)).toEqual(used(c.body_fr))
        expect(c.body_en.split('\n- ').length).toBe(c.body_fr.split('\n- ').length)
      }
    })
    test(`${kind} can be sent back as it came`, async () => {
      const t = createTestApp()
      const { body } = await t.call('MANAGER', `GET /api/v1/lease-templates/${kind}`)
      expect(body).toMatchObject({ kind, version: 0, placeholders: [...PLACEHOLDERS] })
      const same = await t.call('MANAGER', `PUT /api/v1/lease-templates/${kind}`, { clauses: body.clauses })
      expect([same.status, same.body.version]).toEqual([200, 0])
    })
  }
  test('business premises have what homes have not', () => {
    const titles = BUSINESS.map((c) => c.title_en).join('; ')
    for (const word of ['Goodwill', 'eviction indemnity', 'withholding', 'Sale of the building', 'trade'])
      expect(titles).toContain(word)
    expect(HOME.map((c) => c.title_en).join('; ')).not.toContain('Goodwill')
  })
})

describe('markup', () => {
  const values = { rent: '60 000 FCFA', tenant: '**Tom** - {{rent}}' } as unknown as Values
  const CASES: [string, string][] = [
    ['a **b** c', 'paragraph: a [b] c'],
    ['- un\n- **deux**\n\nfin', 'item: un | item: [deux] | paragraph: fin'],
    ['a ** c', 'paragraph: a ** c'],
    ['**a** b ** c', 'paragraph: [a] b ** c'],
    ['{{rent}}, **{{tenant}}**, {{deposit}}', 'paragraph: 60 000 FCFA, [**Tom** - {{rent}}], non convenu'],
    ['**{{deposit}}** ({{depositInWords}}) ; ({{rent}})', 'paragraph: [non convenu] ; (60 000 FCFA)'],
    ['lieux (région : {{region}} ; surface : {{area}}).', 'paragraph: lieux.'],
    ['lieux (région : {{region}} ; surface : {{area}}).', 'paragraph: lieux.'],
    ['lieux (région : {{region}} ; loyer : {{rent}}).', 'paragraph: lieux (loyer : 60 000 FCFA).'],
    ['lieux (loyer : {{rent}} ; surface : {{area}}).', 'paragraph: lieux (loyer : 60 000 FCFA).'],
    [
      'lieux (loyer : {{rent}} ; dépôt : {{deposit}}).',
      'paragraph: lieux (loyer : 60 000 FCFA ; dépôt : non convenu).',
    ],
    ['{{region}}, {{tenantPhone}}, {{notice}}', 'paragraph: non renseigné, non renseigné, non convenu'],
  ]
  for (const [body, shown] of CASES)
    test(JSON.stringify(body), () => {
      const blocks = compose(body, values, { notAgreed: 'non convenu', notGiven: 'non renseigné' }).map(
        ({ kind, runs }) => `${kind}: ${runs.map((r) => (r.bold ? `[${r.text}]` : r.text)).join('')}`,
      )
      expect(blocks.join(' | ')).toBe(shown)
    })
})

describe('PUT', () => {
  const REFUSED: [string, unknown, string][] = [
    [
      'a placeholder that does not exist',
      [clause('{{rent}} {{loyer}}')],
      '/clauses/0/body_fr There is no placeholder {{loyer}}.',
    ],
    ['one in a title', [clause('x', '{{Rent}}')], '/clauses/0/title_fr There is no placeholder {{Rent}}.'],
    ['a brace too few', [clause('{{rent}')], '/clauses/0/body_fr A brace opens or closes nothing.'],
    [
      'a name of the object itself',
      [clause('{{constructor}}')],
      '/clauses/0/body_fr There is no placeholder {{constructor}}.',
    ],
    ['no clause', [], '/clauses'],
    ['a language missing', [{ title_fr: 'a', body_fr: 'b', title_en: 'c' }], '/clauses/0/body_en'],
    ['an unknown member', [{ ...clause('x'), html: 'y' }], '/clauses/0/html'],
    ['direction marks', [clause('a\u202eb')], '/clauses/0/body_fr'],
    [
      'a paper of a thousand lines and one',
      Array.from({ length: 10 }, (_, i) => clause('- a\n'.repeat(i === 0 ? 100 : 99))),
      '/clauses The clauses have more than 1000 paragraphs',
    ],
    [
      'placeholders that a long address would make a book of',
      Array.from({ length: 10 }, (_, i) => clause('{{address}}'.repeat(i === 0 ? 101 : 100))),
      '/clauses The clauses have more than 1000 placeholders',
    ],
  ]
  for (const [name, clauses, told] of REFUSED)
    test(name, async () => {
      const t = createTestApp()
      const answer = await t.call<{ errors: { path: string; message: string }[] }>(
        'ADMIN',
        'PUT /api/v1/lease-templates/HOME',
        { clauses },
        { 'accept-language': 'en' },
      )
      expect(answer.status).toBe(422)
      const [first] = answer.body.errors
      expect(`${first?.path} ${first?.message}`).toStartWith(told)
      expect(t.rows('select * from lease_template')).toEqual([])
      const preview = await t.call('ADMIN', 'POST /api/v1/lease-templates/HOME/preview', { clauses })
      expect(preview.status).toBe(422)
    })

  test('a thousand lines are drawn', async () => {
    const t = createTestApp()
    const clauses = Array.from({ length: 10 }, () => clause('- a\n'.repeat(99)))
    expect((await t.call('ADMIN', 'PUT /api/v1/lease-templates/HOME', { clauses })).status).toBe(200)
    expect((await t.call('ADMIN', 'POST /api/v1/lease-templates/HOME/preview', { clauses })).status).toBe(200)
  })

  test('versions follow each other, each kind its own, of one organization only; If-Match holds', async () => {
    const t = createTestApp()
    const put = (body: string, headers = {}, as = 'ADMIN') =>
      t.call(as, 'PUT /api/v1/lease-templates/HOME', { clauses: [clause(body)] }, headers)
    const first = await put('{{rent}}')
    expect([first.status, first.body.version]).toEqual([200, 1])
    expect((await put('{{rent}}')).body.version).toBe(1)
    const etag = first.headers.get('etag') ?? ''
    expect((await put('{{deposit}}', { 'if-match': etag })).body.version).toBe(2)
    expect((await put('{{notice}}', { 'if-match': etag })).status).toBe(412)
    expect((await t.call('OWNER', 'GET /api/v1/lease-templates/HOME')).body).toMatchObject({ version: 2 })
    expect((await t.call('OWNER', 'GET /api/v1/lease-templates/BUSINESS')).body.version).toBe(0)
    expect((await t.call('ADMIN.x~other', 'GET /api/v1/lease-templates/HOME')).body.version).toBe(0)
    expect((await t.call('ADMIN', 'GET /api/v1/lease-templates/LAND')).status).toBe(404)
    expect(t.rows('select version from lease_template order by version').map((r) => r.version)).toEqual([1, 2])
    expect(t.rows("select count(*) n from audit_entry where action = 'lease_template.update'")[0]?.n).toBe(2)
  })
})

test('a lease keeps the clauses it went out with; the next one has the new ones', async () => {
  const s = await stage({ given: letting({ noticeMonths: 3, depositAmount: 120_000 }, 'PENDING') })
  await s.make('ada', 'PUT /lease-templates/HOME', { clauses: [clause('Nouveau **texte** pour {{tenant}}.')] })
  await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2026-04-01' }, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit')
  await drawAll(s.deps)
  const texts: string[] = []
  for (const { id, sha256 } of s.rows('select id, sha256 from document order by id'))
    texts.push((await readPdf((await (await s.documents.open(`${id}.${sha256}`))?.bytes()) ?? new Uint8Array())).text)
  const [before = '', after = ''] = texts
  expect(before).toContain('27. Annexes, originaux et signatures')
  expect(before).toContain('Dépôt de garantie : 120 000 FCFA (cent vingt mille francs CFA)')
  expect(before).toContain('Préavis : 3 mois')
  expect(before).not.toContain('Nouveau texte')
  expect(after).toContain('Nouveau texte pour tia Test.')
  expect(after).not.toContain('27. Annexes')
}, 60_000)

test('business premises, in English', async () => {
  const s = await stage({ given: letting({ locale: 'en', tvaBasisPoints: 1925 }, 'PENDING', 'OFFICE') })
  await drawAll(s.deps)
  const [row] = s.rows('select id, sha256, size_bytes from document')
  const bytes = await (await s.documents.open(`${row?.id}.${row?.sha256}`))?.bytes()
  const { text, pages } = await readPdf(bytes ?? new Uint8Array())
  for (const said of ['Business lease agreement', '19.25%', 'FCFA 71,550', 'eviction indemnity', 'AUDCG', 'not agreed'])
    expect(text).toContain(said)
  for (const unsaid of ['{{', 'non convenu', 'undefined']) expect(text).not.toContain(unsaid)
  expect(pages.length).toBeLessThan(8)
  expect(Number(row?.size_bytes)).toBeLessThan(60 * 1024)
}, 60_000)

test('the preview is a PDF that says what it is', async () => {
  const t = createTestApp()
  const answer = await t.app.handle(
    new Request('http://localhost/api/v1/lease-templates/BUSINESS/preview', {
      method: 'POST',
      headers: { authorization: 'Bearer OWNER', 'content-type': 'application/json' },
      body: JSON.stringify({ clauses: [clause('Pour **{{rent}}** et {{agent}}.')], locale: 'fr' }),
    }),
  )
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const { text } = await readPdf(new Uint8Array(await answer.arrayBuffer()))
  for (const said of ['APERÇU', 'Pour 250 000 FCFA et Agence Modèle.', 'usage professionnel'])
    expect(text).toContain(said)
  expect(t.rows('select * from document')).toEqual([])
}, 60_000)
