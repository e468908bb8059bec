// The page behind a message's link: one invoice as it stands now, for whoever holds the link, until it ends.
import { describe, expect, test } from 'bun:test'
import { linkToken } from '../../../../src/features/news/reminders/rules.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { createTestApp, type TestApp, uuid } from '../../../support/app.ts'
import { ANA, start } from '../../../support/reminded.ts'
import { traces } from '../../../support/world.ts'

type Asked = { method?: string; headers?: Record<string, string> }
const get = async (t: TestApp, path: string, asked: Asked = {}) => {
  const answer = await t.app.handle(new Request(`http://localhost${path}`, asked))
  const text = (await answer.text()).replace(/\s+/g, ' ')
  return { status: answer.status, headers: answer.headers, text }
}
const linkIn = (t: TestApp): string =>
  /\/i\/[\w-]{42}/.exec(t.sent.findLast(({ text }) => /\/i\//.test(text))?.text ?? '')?.[0] ?? ''

/** A round of drawing ends after a while; this goes on until nothing waits. */
async function drawn({ deps }: TestApp): Promise<void> {
  while ((await renderDocuments(deps)) > 0);
}

type Begun = Awaited<ReturnType<typeof start>>
const TABLE: [name: string, steps: (s: Begun) => unknown, fr: string[], en: string[], never: string[]][] = [
  [
    'open',
    () => {},
    ['60 000 FCFA à payer', 'au plus tard le 15 mars 2026', 'Agence Owona', 'A1, Villa', '2026-000001', 'Total'],
    ['FCFA 60,000 to pay', 'by 15 March 2026', 'from 10 March 2026 to 9 April 2026', 'To be paid'],
    ['en retard', 'Loyer du'],
  ],
  [
    'paid in part since the message',
    (s) => s.pay(20_000),
    ['40 000 FCFA à payer', '20 000 FCFA', 'Reste à payer'],
    ['FCFA 40,000 to pay', 'FCFA 20,000'],
    ['60 000 FCFA à payer'],
  ],
  [
    'overdue',
    (s) => {
      s.t.advance(10)
      return s.t.work()
    },
    ['60 000 FCFA en retard', 'Déjà payé ?'],
    ['FCFA 60,000 overdue', 'Paid already?'],
    ['au plus tard'],
  ],
  ['paid', (s) => s.pay(60_000), ['Facture payée', 'Merci'], ['Invoice paid', 'Thank you'], ['à payer au plus']],
  [
    'cancelled',
    (s) => s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/cancel`),
    ['Facture annulée', '0 FCFA'],
    ['Invoice cancelled'],
    ['invoice.pdf', 'Le PDF de la facture', 'The PDF of the invoice'],
  ],
]
describe('what it shows', () => {
  for (const [name, steps, fr, en, never] of TABLE)
    test(name, async () => {
      const s = await start(undefined, { phoneNumber: '+237233421100' })
      const path = linkIn(s.t)
      await steps(s)
      const before = traces(s.t)
      for (const [query, locale, words] of [
        ['', 'fr', fr],
        ['?lang=en', 'en', en],
        ['?lang=xx', 'fr', fr],
      ] as const) {
        // The language of the message, whatever the browser's is.
        const { status, text, headers } = await get(s.t, path + query, { headers: { 'accept-language': 'en' } })
        expect([status, headers.get('content-language')]).toEqual([200, locale])
        for (const word of words) expect(text).toContain(word)
        // Of people the landlord alone, with their number: no tenant, no id, nothing of other invoices.
        expect(text).toContain('href="tel:+237233421100"')
        for (const hidden of ['Marie', '677', 'ana', s.invoice, s.booking, '2026-000002', ...never])
          expect(text.replaceAll(path, '')).not.toContain(hidden)
        expect(text).not.toMatch(/<script|style=|[0-9a-f]{8}-[0-9a-f]{4}-7/)
      }
      expect(traces(s.t)).toBe(before)
    })

  test('in the language of the tenant, in plain characters', async () => {
    const s = await start({ phoneNumber: '+237677123456', locale: 'en' }, { name: '<b>Owona & "Fils"</b>' })
    const { text } = await get(s.t, linkIn(s.t))
    expect(text).toContain('FCFA 60,000 to pay')
    expect(text).toContain('&lt;b&gt;Owona &amp; &quot;Fils&quot;&lt;/b&gt;')
    expect(text).not.toContain('<b>Owona')
  })

  test('nothing is kept, found, framed or run', async () => {
    const s = await start()
    const { headers, text } = await get(s.t, linkIn(s.t))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toStartWith("default-src 'none'; style-src 'self'; img-src data:; form-action 'none'")
    expect(policy).not.toContain('script-src')
    const [, css = ''] = /href="(\/verify\/[^"]+\.css)"/.exec(text) ?? []
    expect((await get(s.t, css)).status).toBe(200)
    const head = await get(s.t, linkIn(s.t), { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
  })
})

describe('its PDF', () => {
  test('a sentence while it is drawn, then a link made at that moment, for a few minutes', async () => {
    const s = await start()
    const path = linkIn(s.t)
    expect((await get(s.t, path)).text).toContain('en préparation')
    const early = await get(s.t, `${path}/invoice.pdf`)
    expect([early.status, early.headers.get('location')]).toEqual([303, path])
    await drawn(s.t)
    expect((await get(s.t, path)).text).toContain(`href="${path}/invoice.pdf"`)
    const ready = await get(s.t, `${path}/invoice.pdf`)
    expect([ready.status, ready.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const file = new URL(ready.headers.get('location') ?? '')
    const pdf = await get(s.t, file.pathname + file.search)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(pdf.headers.get('content-disposition')).toContain('facture-2026-000001.pdf')
    s.t.time.now += 301_000
    expect((await get(s.t, file.pathname + file.search)).status).toBe(410)
    expect((await get(s.t, `${path}/invoice.pdf`)).status).toBe(303)
  }, 60_000)
})

const DAY = 24 * 3_600_000
const ENDS: [name: string, steps: (s: Begun) => unknown, status: number][] = [
  ['its last day', (s) => (s.t.time.now += 60 * DAY - 1), 200],
  ['expired', (s) => (s.t.time.now += 60 * DAY), 410],
  [
    'closed by the landlord',
    async (s) => s.t.call(ANA, `POST /api/v1/messages/${(await s.messages())[0]?.id}/revoke-link`),
    410,
  ],
]
describe('its end', () => {
  for (const [name, steps, status] of ENDS)
    test(name, async () => {
      const s = await start()
      await drawn(s.t)
      const path = linkIn(s.t)
      await steps(s)
      const shown = await get(s.t, path)
      expect(shown.status).toBe(status)
      expect((await get(s.t, `${path}/invoice.pdf`)).status).toBe(status === 200 ? 303 : status)
      if (status === 200) return
      expect(shown.text).toContain('Demandez-en un nouveau à votre bailleur')
      expect((await get(s.t, `${path}?lang=en`)).text).toContain('Ask your landlord')
      for (const never of ['Owona', 'FCFA', '2026-000001', 'A1'])
        expect(shown.text.replaceAll(path, '')).not.toContain(never)
      expect(shown.headers.get('cache-control')).toBe('no-store')
    }, 60_000)
})

describe('a token that nobody was given', async () => {
  const s = await start()
  const path = linkIn(s.t)
  const swapped = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')
  const GUESSES: [name: string, path: string][] = [
    ['one letter changed at the end', swapped],
    ['one letter changed in the id', `/i/${path[3] === 'A' ? 'B' : 'A'}${path.slice(4)}`],
    ['one letter more', `${path}A`],
    ['one letter less', path.slice(0, -1)],
    ['of a message that does not exist', `/i/${linkToken(s.t.masterKey, uuid('nobody'))}`],
    ['made with another key', `/i/${linkToken(new Uint8Array(32).fill(1), uuid('nobody'))}`],
    ['a script', '/i/<script>alert(1)<%2Fscript>'],
    ['a path', '/i/..%2f..%2fetc'],
    ['too long', `/i/${'a'.repeat(5000)}`],
    ['its PDF', `${swapped}/invoice.pdf`],
    ['a file that no page names', `${path}/receipt.pdf`],
  ]
  for (const [name, guess] of GUESSES)
    test(name, async () => {
      const { status, text } = await get(s.t, guess)
      expect(status).toBe(404)
      expect(text).toContain('Lien inconnu')
      expect(text).not.toContain('<script>alert')
    })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s opens nothing', async (method) => {
    expect((await get(s.t, path, { method })).status).toBe(401)
  })

  test('strangers are counted', async () => {
    const limited = createTestApp({ config: { rateLimits: true } })
    const seen: number[] = []
    for (let i = 0; i < 70; i++) seen.push((await get(limited, `/i/${String(i).padStart(42, '0')}`)).status)
    expect(seen.filter((status) => status === 404)).toHaveLength(60)
    expect(seen.slice(60).every((status) => status === 429)).toBe(true)
    const { text, headers } = await get(limited, `/i/${'0'.repeat(42)}?lang=en`)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('Too many requests')
  })
})
