// What the links in messages open: the receipt of a payment, and the papers of an invoice and its lease.
import { describe, expect, test } from 'bun:test'
import { receiptPath } from '../../../../src/features/money/invoices/rules.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { type TestApp, uuid } from '../../../support/app.ts'
import { readPdf } from '../../../support/papers.ts'
import { ADA, ANA, start } from '../../../support/reminded.ts'
import { traces } from '../../../support/world.ts'

const get = async (t: TestApp, path: string, method = 'GET') => {
  const answer = await t.app.handle(new Request(`http://localhost${path}`, { method }))
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const text = new TextDecoder().decode(bytes).replace(/\s+/g, ' ')
  return { status: answer.status, headers: answer.headers, text, bytes }
}
async function drawn({ deps }: TestApp): Promise<void> {
  while ((await renderDocuments(deps)) > 0);
}
type Begun = Awaited<ReturnType<typeof start>>
const said = (s: Begun): string => {
  const text = s.t.sent.findLast(({ purpose }) => purpose === 'payment_confirmed')?.text ?? ''
  return text.replace(/\s/g, ' ')
}
const linkIn = (text: string): string => /\/r\/[\w-]{42}/.exec(text)?.[0] ?? ''
const paid = async (s: Begun, amount: number, more: object = {}) => {
  const body = { amount, method: 'CASH', paidOn: '2026-03-10', ...more }
  const made = await s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/payments`, body)
  await s.t.work()
  return String(made.body.id)
}
const PHONE = { phoneNumber: '+237677123456' }
const CONTACT = { phoneNumber: '+237233421100' }

describe('the message about a payment', () => {
  const TABLE: [name: string, how: [amount: number, more?: object], says: string[], never: string[]][] = [
    [
      'in full',
      [60_000],
      ['Nous avons bien reçu 60 000 FCFA pour « A1 », « Villa », du 10 mars 2026 au 9 avril 2026. Quittance : http'],
      ['Reçu :'],
    ],
    ['a part', [20_000], ['Nous avons bien reçu 20 000 FCFA pour « A1 », « Villa »', 'Reçu : http'], ['Quittance']],
    [
      'withheld for the State, which the landlord never received',
      [20_000, { method: 'WITHHOLDING' }],
      ['Retenue à la source de 20 000 FCFA notée pour « A1 », « Villa »', 'Justificatif : http'],
      ['bien reçu', 'Merci', 'Reçu'],
    ],
  ]
  for (const [name, [amount, more], says, never] of TABLE)
    test(name, async () => {
      const s = await start(PHONE, CONTACT)
      await paid(s, amount, more)
      for (const words of says) expect(said(s)).toContain(words)
      for (const words of never) expect(said(s)).not.toContain(words)
      expect(said(s)).toEndWith('(Agence Owona)')
      const { status, text } = await get(s.t, linkIn(said(s)))
      expect([status, text.includes('Paiement reçu')]).toEqual([200, !never.includes('bien reçu')])
    })

  test('an advance on coming months says their span; in the language of the tenant', async () => {
    const s = await start({ ...PHONE, locale: 'en' })
    const body = { amount: 180_000, method: 'CASH', paidOn: '2026-03-10' }
    await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/payments`, body)
    await s.t.work()
    expect(said(s)).toContain(
      'We have received FCFA 180,000 for “A1”, “Villa”, 10 March 2026 to 9 June 2026. Receipt: ',
    )
  })
})

describe('the page of a payment', () => {
  test('shows what was received, offers the quittance and the lease, and nothing of the tenant', async () => {
    const s = await start(PHONE, CONTACT)
    const id = await paid(s, 60_000, { method: 'MTN_MOMO', reference: '7712345678' })
    const path = linkIn(said(s))
    const early = await get(s.t, path)
    expect(early.text).toContain('La quittance est en préparation.')
    await drawn(s.t)
    const before = traces(s.t)
    for (const [query, words] of [
      [
        '',
        [
          '60 000 FCFA reçus',
          'Agence Owona',
          'tel:+237233421100',
          'https://wa.me/237233421100',
          'A1, Villa',
          'MTN MoMo',
          '7712345678',
          'Reste à payer',
          'Quittance R-2026-000001 (PDF)',
          'Bail (PDF)',
        ],
      ],
      [
        '?lang=en',
        ['FCFA 60,000 received', 'Agent', 'from 10 March 2026 to 9 April 2026', 'Receipt R-2026-000001 (PDF)'],
      ],
    ] as const) {
      const { status, text, headers } = await get(s.t, path + query)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      for (const word of words) expect(text).toContain(word)
      for (const hidden of ['Marie', '677123456', id, s.booking, '<script']) expect(text).not.toContain(hidden)
    }
    expect(traces(s.t)).toBe(before)
    const file = await get(s.t, `${path}/R-2026-000001.pdf`)
    const place = new URL(file.headers.get('location') ?? '')
    const pdf = await get(s.t, place.pathname + place.search)
    // A phone shows it at once instead of putting it among the downloads.
    expect([file.status, pdf.status, pdf.headers.get('content-disposition')?.slice(0, 6)]).toEqual([303, 200, 'inline'])
    expect((await readPdf(pdf.bytes)).text).toContain('Quittance de loyer')
  }, 60_000)

  const DAY = 24 * 3_600_000
  const ENDS: [name: string, steps: (s: Begun, id: string) => unknown, status: number][] = [
    ['its last day', (s) => (s.t.time.now += 60 * DAY - 1), 200],
    ['over', (s) => (s.t.time.now += 60 * DAY), 410],
    [
      'the payment was taken back',
      (s, id) => s.t.call(ANA, `POST /api/v1/payments/${id}/reverse`, { reason: 'Erreur' }),
      410,
    ],
  ]
  for (const [name, steps, status] of ENDS)
    test(name, async () => {
      const s = await start(PHONE)
      const id = await paid(s, 60_000)
      const path = linkIn(said(s))
      await steps(s, id)
      const shown = await get(s.t, path)
      expect(shown.status).toBe(status)
      expect((await get(s.t, `${path}/R-2026-000001.pdf`)).status).toBe(status === 200 ? 303 : status)
      // The link itself, which the page repeats for the other language, is random letters.
      const told = shown.text.replaceAll(path, '')
      if (status === 410) for (const never of ['60 000', 'A1', 'Owona']) expect(told).not.toContain(never)
    })

  test('nobody opens what they were not given', async () => {
    const s = await start(PHONE)
    const id = await paid(s, 60_000)
    const path = linkIn(said(s))
    const rentMessage =
      /\/i\/([\w-]{42})/.exec(s.t.sent.find(({ text }) => text.includes('/i/'))?.text ?? '')?.[1] ?? ''
    const waiting = await s.t.call('TENANT.marie', 'GET /api/v1/me')
    expect(waiting.status).toBe(200)
    for (const guess of [
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
      `${path}A`,
      receiptPath(s.t.masterKey, uuid('nobody')),
      receiptPath(new Uint8Array(32).fill(1), id),
      // The links of invoices are made with another key.
      `/r/${rentMessage}`,
      path.replace('/r/', '/i/'),
      `${path}/invoice2.pdf`,
      `${path}/..%2f..%2fetc`,
    ]) {
      const { status, text } = await get(s.t, guess)
      expect([guess, status]).toEqual([guess, 404])
      expect(text).not.toContain('60 000')
    }
    // The invoice is not among the papers of a payment's page: it leads back to the page.
    expect((await get(s.t, `${path}/invoice.pdf`)).headers.get('location')).toBe(path)
    for (const method of ['POST', 'DELETE']) expect((await get(s.t, path, method)).status).toBe(401)
  })
})

describe('the page of an invoice', () => {
  const invoiceLink = (s: Begun): string =>
    /\/i\/[\w-]{42}/.exec(s.t.sent.find(({ text }) => text.includes('/i/'))?.text ?? '')?.[0] ?? ''

  test('offers receipts and the lease, also when it is paid; those of other leases never', async () => {
    const s = await start(PHONE)
    await paid(s, 20_000)
    await paid(s, 40_000)
    await drawn(s.t)
    const path = invoiceLink(s)
    const { text } = await get(s.t, path)
    expect(text).toContain('Facture payée')
    for (const file of ['invoice', 'R-2026-000001', 'R-2026-000002', 'lease'])
      expect(text).toContain(`href="${path}/${file}.pdf"`)
    expect(text).toContain('Reçu R-2026-000001')
    expect(text).toContain('Quittance R-2026-000002')
    expect((await get(s.t, `${path}/R-2026-000003.pdf`)).headers.get('location')).toBe(path)
    const lease = await get(s.t, `${path}/lease.pdf`)
    expect(lease.headers.get('location')).toContain('disposition=inline')
  }, 60_000)

  test('says that a declared payment waits for a word, and no longer once it is refused', async () => {
    const s = await start(PHONE, { confirmCash: true })
    const shown = async () => (await get(s.t, invoiceLink(s))).text
    const WAITS = 'Un paiement de 20 000 FCFA est déclaré : votre bailleur doit encore le confirmer.'
    expect(await shown()).not.toContain('est déclaré')
    const receivedBy = (await s.t.call<{ id: string }>(ADA, 'GET /api/v1/me')).body.id
    const id = await paid(s, 20_000, { receivedBy })
    for (const words of ['60 000 FCFA à payer', WAITS]) expect(await shown()).toContain(words)
    expect(await shown()).not.toContain('À payer au plus tard')
    await s.t.call(ADA, `POST /api/v1/payments/${id}/reject`, { reason: 'Rien reçu' })
    expect(await shown()).toContain('À payer au plus tard')
    expect(await shown()).not.toContain('est déclaré')
  })

  test('a cancelled invoice names the one that took its place, and offers its papers', async () => {
    const s = await start(PHONE)
    const shown = async (query = '') => (await get(s.t, invoiceLink(s) + query)).text
    const corrected = await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/correct`, { rentAmount: 56_000 })
    expect(corrected.status).toBe(200)
    await drawn(s.t)
    expect(await shown()).toContain(
      'La facture 2026-000002 la remplace : 56 000 FCFA à payer au plus tard le 15 mars 2026.',
    )
    expect(await shown('?lang=en')).toContain('Invoice 2026-000002 takes its place: FCFA 56,000 to be paid by')
    expect(await shown()).toContain(`href="${invoiceLink(s)}/invoice.pdf"`)
    expect(await shown()).not.toContain('Il n’y a rien à payer')
    const [next] = (await s.t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?bookingId=${s.booking}`)).body
    await paid({ ...s, invoice: String(next?.id) }, 56_000)
    expect(await shown()).toContain('La facture 2026-000002 la remplace ; elle est payée.')
  }, 60_000)

  test('a number that was mistyped: its links lead nowhere once it is put right, those to the right one do', async () => {
    const s = await start(PHONE)
    await paid(s, 20_000)
    await drawn(s.t)
    const links = [invoiceLink(s), linkIn(said(s))]
    for (const link of links) expect((await get(s.t, link)).status).toBe(200)
    const [{ id } = { id: '' }] = (await s.t.call<{ id: string }[]>(ANA, 'GET /api/v1/tenants')).body
    const changed = await s.t.call(ANA, `PATCH /api/v1/tenants/${id}`, { phoneNumber: '+237677123457' })
    expect(changed.status).toBe(200)
    for (const link of links)
      for (const path of [link, `${link}/lease.pdf`, `${link}/R-2026-000001.pdf`]) {
        const { status, text } = await get(s.t, path)
        expect([path, status]).toEqual([path, 404])
        for (const never of ['20 000', 'A1', 'Owona']) expect(text.replaceAll(link, '')).not.toContain(never)
      }
    await paid(s, 10_000)
    await s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/remind`, {})
    await s.t.work()
    expect(said(s)).toContain('10 000')
    const sent = s.t.sent.findLast(({ text }) => text.includes('/i/'))
    expect(sent?.to).toBe('+237677123457')
    const next = /\/i\/[\w-]{42}/.exec(sent?.text ?? '')?.[0] ?? ''
    for (const link of [next, linkIn(said(s))]) expect((await get(s.t, link)).status).toBe(200)
    // Any other change of the tenant leaves the links alone.
    await s.t.call(ANA, `PATCH /api/v1/tenants/${id}`, { locale: 'en', fullName: 'Marie N.' })
    expect((await get(s.t, next)).status).toBe(200)
  }, 60_000)

  const WAYS = [
    { method: 'BANK_TRANSFER', number: '10005 00001 12345678901 42', holder: 'Agence Owona' },
    { method: 'MTN_MOMO', number: '677 98 76 54', holder: 'Paul <Owona>' },
    { method: 'CASH', note: 'Au bureau, rue Njo-Njo' },
  ]
  test('says where to pay while something is left: page, message and paper, those of the property first', async () => {
    const s = await start(PHONE, { payTo: WAYS })
    const call = s.t.sent.at(-1)?.text.replace(/\s/g, ' ') ?? ''
    // The first way that can be used by phone, with whose name appears; no account number in a message.
    expect(call).toContain('au plus tard le 15 mars 2026. MTN MoMo 677 98 76 54 (Paul <Owona>). Facture 2026-000001 :')
    expect(call).not.toContain('10005')
    const path = invoiceLink(s)
    const open = await get(s.t, path)
    for (const word of [
      'Où payer',
      '677 98 76 54',
      'Paul &lt;Owona&gt;',
      'Virement bancaire',
      'Au bureau, rue Njo-Njo',
    ])
      expect(open.text).toContain(word)
    // and where to tell that it is paid
    expect(open.text).toContain(`href="${path}/declare">J’ai payé</a>`)
    const told = await get(s.t, `${path}/declare`)
    expect([told.status, told.headers.get('location')]).toEqual([303, `/portal/declare/${s.invoice}`])
    await drawn(s.t)
    const file = new URL((await get(s.t, `${path}/invoice.pdf`)).headers.get('location') ?? '')
    const { text, pages } = await readPdf((await get(s.t, file.pathname + file.search)).bytes)
    expect(pages).toHaveLength(1)
    for (const word of ['Où payer', 'MTN MoMo 677 98 76 54 (Paul <Owona>)', '10005 00001 12345678901 42'])
      expect(text).toContain(word)
    const [lease] = (await s.t.call<{ propertyId: string }[]>(ANA, 'GET /api/v1/bookings')).body
    const own = { payTo: [{ method: 'ORANGE_MONEY', number: '699 11 22 33', holder: 'Ana' }] }
    await s.t.call(ANA, `PATCH /api/v1/properties/${lease?.propertyId}`, own)
    const changed = await get(s.t, path)
    expect(changed.text).toContain('699 11 22 33')
    expect(changed.text).not.toContain('677 98 76 54')
    await paid(s, 60_000)
    const done = (await get(s.t, path)).text
    for (const word of ['Où payer', '/declare']) expect(done).not.toContain(word)
  }, 60_000)
})
