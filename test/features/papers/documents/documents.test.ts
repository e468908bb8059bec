// Papers are made by events, once each, and stand or fall with what they are of: decisions sections 4 to 7.
import { describe, expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { cash, letting, type Person, type Stage, stage } from '../../../support/scenario.ts'

type Paper = Readonly<Record<string, string>> & { readonly sizeBytes: number }
/** Every document of the organization, oldest first: `kind variant`, and why it no longer stands. */
const papersOf = (s: Stage): string[] =>
  s
    .rows('select kind, variant, void_reason from document order by id')
    .map((d) => [d.kind, d.variant, d.void_reason].filter((w) => w !== null).join(' '))

async function listed(s: Stage, who: Person = 'ana', query = ''): Promise<Paper[]> {
  return (await s.ask(who, `GET /documents?order=asc${query}`)).body as unknown as Paper[]
}
export async function renderAll(s: Pick<Stage, 'deps'>): Promise<void> {
  while ((await renderDocuments(s.deps)) > 0);
}

type Step = readonly [by: Person, request: string, body?: object] | number
/** What happens, and the papers that are there afterwards. Rent is 60,000 from 10 March, due on the 15th. */
const TABLE: [
  name: string,
  options: { terms?: object; upTo?: 'DRAFT' | 'PENDING' },
  steps: Step[],
  papers: string[],
][] = [
  ['a draft has none', { upTo: 'DRAFT' }, [['ana', 'PATCH /bookings/{lease}', { dueDay: 5 }]], []],
  ['a lease goes out for signing', { upTo: 'PENDING' }, [], ['LEASE_CONTRACT PROPOSED']],
  [
    'a change of what is out for signing puts another in its place; none changes nothing',
    { upTo: 'PENDING' },
    [
      ['ana', 'PATCH /bookings/{lease}', { dueDay: 5 }],
      ['ana', 'PATCH /bookings/{lease}', { dueDay: 5 }],
      ['ana', 'POST /bookings/{lease}/submit'],
    ],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT PROPOSED'],
  ],
  [
    'cancelled before it began',
    { upTo: 'PENDING' },
    [['ana', 'POST /bookings/{lease}/cancel']],
    ['LEASE_CONTRACT PROPOSED CANCELLED'],
  ],
  [
    'in force, and its first invoice',
    {},
    [['ana', 'POST /bookings/{lease}/activate']],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE'],
  ],
  [
    'a charge: the invoice is made out again under its number',
    {},
    [['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 4500 }]],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE REPLACED', 'INVOICE'],
  ],
  [
    'an invoice cancelled, twice',
    {},
    [
      ['ana', 'POST /invoices/{i1}/cancel'],
      ['ana', 'POST /invoices/{i1}/cancel'],
    ],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE CANCELLED', 'INVOICE CREDIT_NOTE'],
  ],
  [
    'a part, then the rest: a receipt, then a quittance',
    {},
    [
      ['ana', 'POST /invoices/{i1}/payments', cash(20_000)],
      ['ana', 'POST /invoices/{i1}/payments', cash(40_000)],
    ],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE', 'RECEIPT PARTIAL', 'RECEIPT FULL'],
  ],
  [
    'declared: no receipt until it is confirmed, none for what is rejected',
    {},
    [
      ['tom', 'POST /invoices/{i1}/payments', cash(1_000)],
      ['ana', 'POST /payments/{p1}/reject'],
      ['tom', 'POST /invoices/{i1}/payments', cash(60_000)],
      ['ana', 'POST /payments/{p2}/confirm'],
      ['ana', 'POST /payments/{p2}/confirm'],
    ],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE', 'RECEIPT FULL'],
  ],
  [
    'the last part reversed: its quittance is void, the receipt of the first part stands',
    {},
    [
      ['ana', 'POST /invoices/{i1}/payments', cash(20_000)],
      ['ana', 'POST /invoices/{i1}/payments', cash(40_000)],
      ['ana', 'POST /payments/{p2}/reverse'],
    ],
    [
      'LEASE_CONTRACT PROPOSED REPLACED',
      'LEASE_CONTRACT UNSIGNED',
      'INVOICE',
      'RECEIPT PARTIAL',
      'RECEIPT FULL REVERSED',
    ],
  ],
  [
    'the first part reversed: the quittance falls too, and the second payment gets a receipt for a part',
    {},
    [
      ['ana', 'POST /invoices/{i1}/payments', cash(20_000)],
      ['ana', 'POST /invoices/{i1}/payments', cash(40_000)],
      ['ana', 'POST /payments/{p1}/reverse'],
    ],
    [
      'LEASE_CONTRACT PROPOSED REPLACED',
      'LEASE_CONTRACT UNSIGNED',
      'INVOICE',
      'RECEIPT PARTIAL REVERSED',
      'RECEIPT FULL REVERSED',
      'RECEIPT PARTIAL',
    ],
  ],
  [
    'an advance: one receipt for all that it pays',
    {},
    [['ana', 'POST /bookings/{lease}/payments', cash(150_000)], 31, 31],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE', 'INVOICE', 'RECEIPT FULL', 'INVOICE'],
  ],
  [
    'what credit settles later gets its own quittance',
    {},
    [['ana', 'POST /bookings/{lease}/payments', cash(90_000)], 31, ['ana', 'POST /bookings/{lease}/terminate']],
    [
      'LEASE_CONTRACT PROPOSED REPLACED',
      'LEASE_CONTRACT UNSIGNED',
      'INVOICE',
      'RECEIPT FULL REPLACED',
      'INVOICE CANCELLED',
      'INVOICE CREDIT_NOTE',
      'INVOICE',
      'RECEIPT FULL',
      'STATEMENT',
    ],
  ],
  [
    'the end of the lease: a statement, once for each change; what was credited stands on a new receipt',
    {},
    [
      ['ana', 'POST /invoices/{i1}/payments', cash(60_000)],
      ['ana', 'POST /bookings/{lease}/terminate', { reason: 'Départ' }],
      ['ana', 'POST /bookings/{lease}/terminate'],
      ['ana', 'POST /bookings/{lease}/payments', { ...cash(1_000), type: 'REFUND' }],
    ],
    [
      'LEASE_CONTRACT PROPOSED REPLACED',
      'LEASE_CONTRACT UNSIGNED',
      'INVOICE',
      'RECEIPT FULL REPLACED',
      'INVOICE CREDIT_NOTE',
      'RECEIPT FULL',
      'STATEMENT REPLACED',
      'RECEIPT REFUND',
      'STATEMENT',
    ],
  ],
  [
    'unpaid at its end: the invoice of the days that were lived takes the place of the whole one',
    {},
    [['ana', 'POST /bookings/{lease}/terminate']],
    [
      'LEASE_CONTRACT PROPOSED REPLACED',
      'LEASE_CONTRACT UNSIGNED',
      'INVOICE CANCELLED',
      'INVOICE CREDIT_NOTE',
      'INVOICE',
      'STATEMENT',
    ],
  ],
  [
    'a lease that ends by itself',
    { terms: { endDate: '2026-03-31', autoRenew: false } },
    [31],
    ['LEASE_CONTRACT PROPOSED REPLACED', 'LEASE_CONTRACT UNSIGNED', 'INVOICE', 'STATEMENT'],
  ],
]
describe('which papers there are', () => {
  for (const [name, { terms, upTo }, steps, papers] of TABLE)
    test(name, async () => {
      const s = await stage({ given: letting({ startDate: '2026-03-10', ...terms }, upTo) })
      for (const step of steps)
        if (typeof step === 'number') {
          s.advance(step)
          await s.work()
        } else await s.make(step[0], step[1], step[2] as never)
      expect(papersOf(s)).toEqual(papers)
      // Numbers of each series run without a gap, and no two papers have the same code.
      const all = await listed(s)
      expect(new Set(all.map((d) => d.verificationCode)).size).toBe(papers.length)
      // A lease has one number through its life, which says its version.
      const leases = all.filter((d) => d.number?.startsWith('L-2026')).map((d) => d.number)
      expect(leases).toEqual(leases.map((_, i) => `L-2026-000001${i === 0 ? '' : `-v${i + 1}`}`))
      for (const series of ['R-2026', 'S-2026', 'AV-2026'])
        expect(
          all.flatMap((d) => (d.number?.startsWith(series) ? [Number(d.number.slice(series.length + 1))] : [])),
        ).toEqual(all.filter((d) => d.number?.startsWith(series)).map((_, i) => i + 1))
    })
})

describe('the file', () => {
  test('drawn from what was true at the event, frozen, downloaded by a signed link', async () => {
    const s = await stage({ given: letting({ startDate: '2026-03-10', noticeMonths: 3 }) })
    await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000, { method: 'MTN_MOMO', reference: 'R1' }))
    // What changes afterwards is no part of it.
    await s.make('ana', 'PATCH /properties/{villa}', { name: 'Autre nom' })
    await renderAll(s)
    const [, lease, invoice, receipt] = await listed(s, 'tom')
    if (!lease || !invoice || !receipt) throw new Error('three papers')
    const said = {
      [lease.id ?? '']: ['Villa', '60 000 FCFA', 'soixante mille francs CFA', '3 mois', 'non convenu', 'Bailleur'],
      [invoice.id ?? '']: [
        '2026-000001',
        '60 000 FCFA',
        'Total à payer',
        '10 mars 2026',
        '9 avril 2026',
        '15 mars 2026',
      ],
      [receipt.id ?? '']: ['Quittance de loyer', 'MTN MoMo', 'R1', 'soixante mille francs CFA', '2026-000001'],
    }
    for (const [id, words] of Object.entries(said)) {
      const paper = (await s.ask('tom', `GET /documents/${id}`)).body
      expect(paper).toMatchObject({
        status: 'READY',
        templateVersion: id === invoice.id ? 8 : 6,
        contentType: 'application/pdf',
      })
      const { url } = (await s.ask('tom', `GET /documents/${id}/download-url`)).body
      const answer = await s.app.handle(new Request(String(url)))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="${paper.filename}"; filename*=UTF-8''${paper.filename}`,
      )
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(String(paper.sha256))
      expect(bytes.length).toBe(Number(paper.sizeBytes))
      expect(bytes.length).toBeLessThan(60 * 1024)
      const { text } = await readPdf(bytes)
      for (const word of [...words, String(paper.number), `/verify/${paper.verificationCode}`])
        expect(text).toContain(word)
      expect(text).not.toContain('Autre nom')
    }
    expect((await s.ask('ana', 'GET /payments/{p1}')).body.documentId).toBe(String(receipt.id))
    // A link for one paper opens no other, and no upload.
    const { url } = (await s.ask('tom', `GET /documents/${lease.id}/download-url`)).body
    for (const forged of [
      String(url).replace(String(lease.id), String(invoice.id)),
      String(url).replace('&of=document', ''),
    ])
      expect((await s.app.handle(new Request(forged))).status).toBe(403)
  }, 60_000)

  test('not there yet: 409; drawn once, however often the service looks', async () => {
    const s = await stage({ given: letting({}, 'PENDING') })
    const [lease] = await listed(s)
    expect(lease?.status).toBe('PENDING')
    const early = await s.ask('ana', `GET /documents/${lease?.id}/download-url`)
    expect([early.status, early.body.code, early.body.currentStatus]).toEqual([409, 'invalid_state', 'PENDING'])
    await renderAll(s)
    const [ready] = await listed(s)
    await renderAll(s)
    expect(await listed(s)).toEqual([ready as Paper])
  }, 60_000)

  test('changed on disk: not that is handed out, but what was drawn', async () => {
    const s = await stage({ given: letting({}, 'PENDING') })
    await renderAll(s)
    const [lease] = await listed(s)
    const { url } = (await s.ask('ana', `GET /documents/${lease?.id}/download-url`)).body
    const path = [...new Bun.Glob(`**/${lease?.id}.*`).scanSync({ cwd: s.mediaFolder, absolute: true })][0] ?? ''
    const bytes = await Bun.file(path).bytes()
    const changed = bytes.slice()
    changed[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1
    await Bun.write(path, changed)
    const answer = await s.app.handle(new Request(String(url)))
    expect([answer.status, Buffer.compare(await answer.bytes(), bytes)]).toEqual([200, 0])
  }, 60_000)
})
