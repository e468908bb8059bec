// The page that says whether a paper is genuine: for whoever holds it, in both languages, and about nobody.
import { describe, expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { readCode } from '../../../../src/features/papers/documents/rules.ts'
import { newCode } from '../../../../src/features/papers/documents/service.ts'
import { createTestApp } from '../../../support/app.ts'
import { cash, letting, type Stage, stage } from '../../../support/scenario.ts'

const page = async (s: Pick<Stage, 'app'>, path: string, headers: Record<string, string> = {}) => {
  const answer = await s.app.handle(new Request(`http://localhost/verify/${path}`, { headers }))
  return { status: answer.status, headers: answer.headers, text: (await answer.text()).replace(/\s+/g, ' ') }
}
const codeIn = (s: Pick<Stage, 'rows'>, where: string): string =>
  String(s.rows(`select code from document where ${where} order by id desc limit 1`)[0]?.code)

type Told = readonly [where: string, fr: string[], en: string[], never?: string[]]
const TABLE: [name: string, steps: [string, object?][], told: Told[]][] = [
  [
    'an invoice to be paid, a lease in force',
    [],
    [
      [
        "kind = 'INVOICE'",
        ['authentique', 'Facture', '2026-000001', '60 000 FCFA', 'à payer'],
        ['genuine', 'to be paid'],
      ],
      [
        "kind = 'LEASE_CONTRACT'",
        ['Contrat de bail', 'depuis le 10 mars 2026', 'En vigueur'],
        ['In force', 'FCFA 60,000'],
      ],
      ["variant = 'PROPOSED'", ['plus valable', 'Remplacée'], ['no longer valid', 'Replaced']],
    ],
  ],
  [
    'paid, in part and in full',
    [
      ['POST /invoices/{i1}/payments', cash(20_000)],
      ['POST /invoices/{i1}/payments', cash(40_000)],
    ],
    [
      ["variant = 'PARTIAL'", ['Reçu', '20 000 FCFA', 'Valable', 'R-2026-000001'], ['Receipt', 'Valid']],
      ["variant = 'FULL'", ['Quittance', '40 000 FCFA', 'du 10 mars 2026 au 9 avril 2026'], ['in full']],
      ["kind = 'INVOICE'", ['Payée'], ['Paid']],
    ],
  ],
  [
    'paid from the deposit, by tax withheld and by an advance: what was not received is not said to be',
    [
      ['POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 20_000, paidOn: '2026-03-10' }],
      [
        'POST /bookings/{lease}/deposit',
        { type: 'DEDUCTED', amount: 20_000, paidOn: '2026-03-10', invoiceIds: ['{i1}'] },
      ],
      ['POST /invoices/{i1}/payments', cash(10_000, { method: 'WITHHOLDING' })],
    ],
    [
      [
        "number = 'R-2026-000001'",
        ['Paiement prélevé sur le dépôt de garantie', 'Montant prélevé sur le dépôt', '20 000 FCFA'],
        ['Amount taken from the deposit'],
        ['reçu', 'received'],
      ],
      [
        "number = 'R-2026-000002'",
        ['Retenue à la source prise en compte', 'Montant retenu à la source', '10 000 FCFA'],
        ['Amount withheld at source'],
        ['reçu', 'received'],
      ],
    ],
  ],
  [
    'a deposit that came in two parts and went back: a receipt each, and a discharge',
    [
      ['POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 50_000, paidOn: '2026-03-10' }],
      ['POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 35_000, paidOn: '2026-03-10' }],
      ['POST /bookings/{lease}/deposit', { type: 'RETURNED', amount: 85_000, paidOn: '2026-03-10', reason: 'Départ' }],
    ],
    [
      [
        "number = 'D-2026-000001'",
        ['Reçu de dépôt de garantie', 'Montant reçu', '50 000 FCFA', 'Valable'],
        ['Security deposit receipt', 'Amount received'],
        ['Avance', 'Advance', 'Quittance'],
      ],
      ["number = 'D-2026-000002'", ['35 000 FCFA'], ['FCFA 35,000']],
      [
        "number = 'D-2026-000003' and variant = 'DEPOSIT_RETURNED'",
        ['Décharge de dépôt de garantie', 'Montant rendu au locataire', '85 000 FCFA'],
        ['Discharge of the security deposit', 'Amount given back to the tenant'],
        ['Montant reçu', 'Amount received'],
      ],
    ],
  ],
  [
    'notice to leave: its last day, and no sum',
    [['POST /bookings/{lease}/notice', { by: 'LANDLORD', leaveOn: '2026-06-30' }]],
    [
      [
        "variant = 'LEAVE'",
        ['Congé', 'Dernier jour du bail', '30 juin 2026'],
        ['Last day of the lease'],
        ['FCFA', 'Période'],
      ],
    ],
  ],
  [
    'paid, then reversed',
    [['POST /invoices/{i1}/payments', cash(60_000)], ['POST /payments/{p1}/reverse']],
    [
      ["kind = 'RECEIPT'", ['plus valable', 'contre-passé'], ['no longer valid', 'reversed']],
      ["kind = 'INVOICE'", ['authentique', 'à payer'], ['genuine']],
    ],
  ],
  [
    'cancelled',
    [['POST /invoices/{i1}/cancel']],
    [
      ["kind = 'INVOICE' and variant is null", ['plus valable', 'Annulée'], ['no longer valid', 'Cancelled']],
      [
        "variant = 'CREDIT_NOTE'",
        ['authentique', 'Avoir', 'AV-2026-000001', '60 000 FCFA', 'Valable'],
        ['genuine', 'Credit note', 'FCFA 60,000', 'Valid'],
      ],
    ],
  ],
  [
    'ended',
    [['POST /bookings/{lease}/terminate']],
    [
      ["kind = 'STATEMENT'", ['Décompte', 'dû par le locataire', '1 935 FCFA'], ['due from the tenant']],
      ["variant = 'UNSIGNED'", ['Bail terminé'], ['Lease ended']],
    ],
  ],
  [
    'ended, with a deposit that is held: the balance of the paper',
    [
      ['POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 60_000, paidOn: '2026-03-10' }],
      ['POST /bookings/{lease}/terminate'],
    ],
    [["kind = 'STATEMENT'", ['dû par le bailleur', '58 065 FCFA'], ['due from the landlord', 'FCFA 58,065']]],
  ],
  [
    'ended, and all settled from the deposit',
    [
      ['POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 1_935, paidOn: '2026-03-10' }],
      ['POST /bookings/{lease}/terminate'],
    ],
    [["kind = 'STATEMENT'", ['0 FCFA'], ['FCFA 0']]],
  ],
]
describe('what it tells', () => {
  for (const [name, steps, told] of TABLE)
    test(name, async () => {
      const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
      for (const [request, body] of steps) await s.make('ana', request, body as never)
      for (const [where, fr, en, unsaid = []] of told) {
        const code = codeIn(s, where)
        for (const [lang, words] of [
          ['fr', fr],
          ['en', en],
        ] as const) {
          const { status, text, headers } = await page(s, code, { 'accept-language': lang })
          expect(status).toBe(200)
          for (const word of words) expect(text).toContain(word)
          expect(headers.get('content-language')).toBe(lang)
          // Nobody's name, number or place; no id, no scripts or styles in the page.
          for (const never of [
            'ana',
            'tom Test',
            'Test',
            '+237',
            'Villa',
            'A1',
            'Rue 1',
            'style=',
            '<script>',
            ...unsaid,
          ])
            expect(text.replaceAll(code, '')).not.toContain(never)
          expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/)
        }
      }
    })
})

test('its headers let nothing in and nothing out', async () => {
  const s = await stage({ given: letting({}, 'PENDING') })
  const { headers, text } = await page(s, codeIn(s, '1'))
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'")
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  const assets = [...text.matchAll(/(?:href|src)="(\/verify\/[^"?]+\.(?:css|js))"/g)].map(([, path = '']) => path)
  expect(assets).toHaveLength(2)
  for (const path of assets) expect((await s.app.handle(new Request(`http://localhost${path}`))).status).toBe(200)
})

test('the file: its digest, and whether the one at hand is the same', async () => {
  const s = await stage({ given: letting({}, 'PENDING') })
  const code = codeIn(s, '1')
  expect((await page(s, code)).text).toContain('en cours de préparation')
  await renderDocuments(s.deps)
  const sha256 = String(s.rows('select sha256 from document')[0]?.sha256)
  const { text } = await page(s, code)
  expect(text).toContain(sha256)
  expect(text).not.toContain('Votre fichier est')
  expect((await page(s, `${code}?sha256=${sha256.toUpperCase()}`)).text).toContain('identique à l’original')
  expect((await page(s, `${code}?sha256=${'0'.repeat(64)}`)).text).toContain('n’est pas l’original')
  const hostile = await page(s, `${code}?lang=en&sha256=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(hostile.text).toContain('is not the original')
  expect(hostile.text).not.toContain('<script>alert')
}, 60_000)

describe('a code that is none', () => {
  const s = createTestApp()
  const GUESSES = [
    'x',
    '0'.repeat(26),
    'z'.repeat(26),
    '%00'.repeat(3),
    "' or 1=1 --",
    '<script>alert(1)<%2Fscript>',
    'a'.repeat(5000),
    '%E2%80%AE',
    'page.css.map',
    '..%2f..%2fetc',
  ]
  for (const guess of GUESSES)
    test(guess.slice(0, 40), async () => {
      const { status, text } = await page(s, guess)
      expect(status).toBe(404)
      expect(text).toContain('Pièce inconnue')
      expect(text).not.toContain('<script>alert')
    })
  test('guesses are few: 30 at once, then one in two seconds', async () => {
    const limited = createTestApp({ config: { rateLimits: true } })
    const seen: number[] = []
    for (let i = 0; i < 40; i++) seen.push((await page(limited, String(i).padStart(26, '0'))).status)
    expect(seen.filter((status) => status === 404)).toHaveLength(30)
    expect(seen.slice(30).every((status) => status === 429)).toBe(true)
    // Who is asked to wait is a person: a page, with its stylesheet, in their language.
    for (const [query, language, words] of [
      ['', 'fr', ['Trop de demandes', 'réessayer dans', 'Réessayer']],
      ['?lang=en', 'en', ['Too many requests', 'try again in', 'Try again']],
    ] as const) {
      const { status, text, headers } = await page(limited, `${'0'.repeat(26)}${query}`)
      expect([status, headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
      expect([headers.get('content-language'), headers.get('cache-control')]).toEqual([language, 'no-store'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      for (const word of words) expect(text).toContain(word)
      expect(text).not.toContain('urn:loyer')
      const sheet = /href="(\/verify\/[^"]+\.css)"/.exec(text)?.[1] ?? ''
      expect((await limited.app.handle(new Request(`http://localhost${sheet}`))).status).toBe(200)
    }
  })
})

describe('codes', () => {
  test('26 characters of 32: 130 bits, each as likely', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 2000; i++) {
      const code = newCode()
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
      for (const c of code) counts.set(c, (counts.get(c) ?? 0) + 1)
    }
    expect(counts.size).toBe(32)
    for (const n of counts.values()) expect(Math.abs(n - 1625)).toBeLessThan(300)
  })
  const READ: [string, string | undefined][] = [
    ['7h3k9m2q4wx8c5vb6n1zd0f2gt', '7h3k9m2q4wx8c5vb6n1zd0f2gt'],
    ['7H3K9-M2Q4W-X8C5V-B6N1Z-D0F2G-T', '7h3k9m2q4wx8c5vb6n1zd0f2gt'],
    ['7h3k9 m2q4w x8c5v b6nIz dOf2g t', '7h3k9m2q4wx8c5vb6n1zd0f2gt'],
    ['7h3k9m2q4wx8c5vb6n1zd0f2g', undefined],
    ['7h3k9m2q4wx8c5vb6n1zd0f2gtt', undefined],
    ['7h3k9m2q4wx8c5vb6n1zd0f2gu', undefined],
    ['', undefined],
  ]
  for (const [typed, code] of READ) test(typed, () => expect(readCode(typed)).toBe(code))
})

describe('without a code', () => {
  const app = createTestApp()
  const ask = (path: string, language = 'fr') =>
    app.app.handle(new Request(`http://localhost${path}`, { headers: { 'accept-language': language } }))

  test.each([
    ['/verify', 'fr', 'Vérifier une pièce', 'Code de la pièce'],
    ['/verify/', 'fr', 'Vérifier une pièce', 'Code de la pièce'],
    ['/verify', 'en', 'Check a paper', 'Code of the paper'],
    ['/verify?code=', 'en', 'Check a paper', 'Code of the paper'],
    ['/verify?code=%20%20', 'fr', 'Vérifier une pièce', 'Code de la pièce'],
  ])('%s in %s is a page with a field for it', async (path, language, title, label) => {
    const answer = await ask(path, language)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("form-action 'self'"),
    ])
    for (const words of [title, label, 'action="/verify"']) expect(text).toContain(words)
    expect(text).not.toContain('authentique</h1>')
  })

  test.each([
    ['ABCD EFGH', '/verify/ABCD%20EFGH'],
    ['  abcd ', '/verify/abcd'],
    ['https://rent.example.cm/verify/7h3k9m2q4w', '/verify/7h3k9m2q4w'],
    ['//evil.example', '/verify/evil.example'],
    ['../..', '/verify/..'],
    ['a\r\nset-cookie: b=c', '/verify/a%0D%0Aset-cookie%3A%20b%3Dc'],
    ['😀'.repeat(60), `/verify/${encodeURIComponent('😀'.repeat(32))}`],
  ])('%p leads to %s', async (code, to) => {
    const answer = await ask(`/verify?code=${encodeURIComponent(code)}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, to])
  })

  test('a code that no paper has stays in the field, to be corrected', async () => {
    const answer = await ask(`/verify/${encodeURIComponent('AAAA"><script>')}`)
    const text = await answer.text()
    expect([answer.status, text.includes('value="AAAA&quot;&gt;&lt;script&gt;"')]).toEqual([404, true])
    expect(text).not.toContain('<script>')
  })
})
