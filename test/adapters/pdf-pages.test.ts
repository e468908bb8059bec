// What belongs together stays on one page, however much stands above it; what a home is called; and what a party lacks.
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { getDocumentProxy } from 'unpdf'
import { createPdf } from '../../src/adapters/pdf/pool.ts'
import type { LeaseData, Papers, Template } from '../../src/adapters/pdf/port.ts'
import {
  inspection,
  invoice,
  lease,
  leave,
  letter,
  readPdf,
  receipt,
  rentChange,
  statement,
} from '../support/papers.ts'

setDefaultTimeout(60_000)
const seal = { url: 'https://rent.example.cm/verify/7h3k9m2q4wx8c5vb6n1zd0f2gt', dataSha256: 'ab'.repeat(32) }
const pdf = createPdf()
afterAll(() => pdf.close())
const times = <T>(n: number, row: T | undefined): T[] => Array.from({ length: n }, () => row as T)
const clause = {
  title: 'Dernière',
  blocks: [{ kind: 'paragraph' as const, runs: [{ text: 'Fin du bail. '.repeat(12) }] }],
}
const signatures: LeaseData['signatures'] = [
  { party: 'TENANT', name: 'Thérèse', signedAt: '2026-03-01T10:00:00.000Z', evidence: 'SMS +237•••••••04' },
  {
    party: 'LANDLORD',
    name: 'O',
    onBehalfOf: 'Odile',
    signedAt: '2026-03-01T10:00:00.000Z',
    evidence: 'SMS +237•••••••01',
  },
]
const clauses = (n: number): LeaseData['clauses'] => [...times(n, clause), { ...clause, title: 'La toute dernière' }]

const ANNA = { id: 'anna', name: 'Anna Mballa', phoneNumber: '+237677000008' }
const long = (n: number): LeaseData['clauses'][number] => {
  const text = `${'Les parties sont convenues de ceci. '.repeat(n * 4)}Convenu en dernier.`
  return { title: 'Unique', blocks: [{ kind: 'paragraph', runs: [{ text }] }] }
}

const MOMO = { method: 'MTN_MOMO', number: '677 00 11 22', holder: 'Agence Wouri' } as const
const CASH = { method: 'CASH', note: 'Au bureau, rue Drouot' } as const
const SHARED = {
  ...{ from: '2026-01-01', to: '2026-03-31', days: 90, amount: 4_500, provisions: [] },
  items: [
    { label: 'Eau', key: 'EQUAL' as const, amount: 4_500, weight: 1, totalWeight: 3, days: 90, deductedAmount: 1 },
  ],
}
const GROUPS: [name: string, (n: number) => [Template, Papers[Template]], together: string[]][] = [
  [
    'an invoice',
    (n) => ['invoice', invoice('fr', { lines: times(n, invoice().lines[0]) })],
    ['Total à payer', 'Vérifier'],
  ],
  [
    'an invoice that says where to pay',
    (n) => ['invoice', invoice('fr', { lines: times(n, invoice().lines[0]), payTo: [MOMO, CASH] })],
    ['Au bureau', 'Indiquez le numéro', 'Vérifier'],
  ],
  [
    'an invoice with one way to pay',
    (n) => ['invoice', invoice('fr', { lines: times(n, invoice().lines[0]), payTo: [CASH] })],
    ['Où payer', 'Au bureau', 'Indiquez le numéro', 'Vérifier'],
  ],
  [
    'an invoice of shared charges',
    (n) => ['invoice', invoice('fr', { calculation: { ...SHARED, items: times(n + 1, SHARED.items[0]) } })],
    ['Coûts partagés hors', 'Indiquez le numéro', 'Vérifier'],
  ],
  [
    'a receipt',
    (n) => ['receipt', receipt('fr', { invoices: times(n + 1, receipt().invoices[0]) })],
    ['Le bailleur reconnaît', 'Pour le bailleur', 'Vérifier'],
  ],
  [
    'a statement',
    (n) => ['statement', statement('fr', { invoices: times(n, statement().invoices[0]) })],
    ['Dépôt convenu', 'Vérifier'],
  ],
  [
    'a letter',
    (n) => ['letter', letter('fr', { invoices: times(n + 1, letter().invoices[0]) })],
    ['En conséquence', 'salutations', 'Fait à', 'Reçu par le locataire'],
  ],
  [
    'a lease',
    (n) => ['lease', lease('fr', { clauses: clauses(n) })],
    ['La toute dernière', 'Lu et approuvé', 'Vérifier'],
  ],
  [
    'a lease of one long paragraph',
    (n) => ['lease', lease('fr', { clauses: [long(n)] })],
    ['Convenu en dernier', 'Lu et approuvé', 'Vérifier'],
  ],
  [
    'a lease of one long paragraph that five sign',
    (n) => ['lease', lease('fr', { clauses: [long(n)], coTenants: times(2, ANNA), guarantors: [ANNA] })],
    ['Convenu en dernier', 'Lu et approuvé', 'Vérifier'],
  ],
  [
    'a signed lease',
    (n) => ['lease', lease('fr', { stage: 'SIGNED', clauses: clauses(n), signatures })],
    ['Preuve de l’accord', 'Code envoyé à', 'Vérifier'],
  ],
  [
    'a rider',
    (n) => ['leaseNotice', rentChange('fr', { reason: 'Révision annuelle du loyer, comme convenu. '.repeat(n * 3) })],
    ['Les parties conviennent', 'Fait à', 'Vérifier'],
  ],
  [
    'a notice to leave',
    (n) => ['leaseNotice', leave('fr', { reason: 'Le locataire change de ville pour son travail. '.repeat(n * 3) })],
    ['a donné congé', 'Fait à', 'Vérifier'],
  ],
]
describe('the end of a paper', () => {
  for (const [name, made, together] of GROUPS)
    test(name, async () => {
      for (let n = 0; n <= 33; n += 3) {
        const [template, data] = made(n)
        const { pages } = await readPdf(await pdf.render(template, data, seal))
        const on = together.map((words) => pages.findIndex((page) => page.includes(words)))
        expect([n, ...on]).toEqual([n, ...times(together.length, pages.length - 1)])
      }
    })
})

/** Arrears of two houses, with as many rows as asked in the first. */
const arrears = (n: number): Papers['report'] => ({
  ...{ locale: 'fr', number: '1', issuedOn: '2026-03-10', title: 'Impayés', period: { on: '2026-03-10' } },
  landlord: { name: 'Agence Wouri' },
  headline: { label: 'Solde', value: '0', notes: [] },
  columns: [
    { label: 'Logement', share: 0.7, right: false },
    { label: 'Solde', share: 0.3, right: true },
  ],
  groups: [
    { heading: 'Maison Une', rows: times(n + 1, ['A1\nPaul\n+237 677', '1']), totals: ['Total', '1'] },
    { heading: 'Maison Deux', rows: [['Z9\nTia\n+237 677', '2']], totals: ['Total', '2'] },
  ],
  totals: ['Total', '3'],
  ages: {
    title: 'Par ancienneté',
    lines: [
      ['0 à 30 jours', '3'],
      ['plus de 90 jours', '3'],
    ],
  },
  basis: 'Factures échues.',
})
const AMOUNTS =
  'net tva gross credited received withheld refunded setOff balance depositReceived depositDeducted depositReturned depositMoved depositHeld creditAdded creditHeld owner carried managementFee managementFeeTva expenses transferred due'
const amounts = Object.fromEntries(AMOUNTS.split(' ').map((name) => [`${name}Amount`, 5])) as never
const house = (name: string, unitLabel: string, n: number) => ({
  ...{ name, place: `Rue de ${name}`, owner: { name: 'Odile' }, totals: amounts },
  rows: times(n, { ...(amounts as object), unitLabel, tenantName: 'Paul' } as never),
  account: [{ happenedOn: '2026-03-10', label: `Reçu ${name}`, dueAmount: 1 }],
})
const ownerStatement = (n: number): Papers['ownerStatement'] => ({
  ...{ locale: 'fr', number: '1', issuedOn: '2026-03-10', from: '2026-01-01', to: '2026-03-10' },
  landlord: { name: 'Agence Wouri' },
  properties: [house('Une', 'A1', n + 1), house('Deux', 'Z9', 1)],
  totals: amounts,
})
test('a title of a report stays with its first row, and its note with its last', async () => {
  const seen = new Set<number>()
  for (let n = 0; n <= 26; n++) {
    const { pages } = await readPdf(await pdf.render('report', arrears(n), null))
    const on = (words: string): number => pages.findIndex((page) => page.includes(words))
    expect([n, on('Maison Deux'), on('Par ancienneté')]).toEqual([n, on('Z9'), on('0 à 30 jours')])
    expect([n, on('plus de 90 jours'), pages.length]).toEqual([n, on('Factures échues'), on('Factures échues') + 1])
    seen.add(pages.length)
  }
  for (let n = 0; n <= 26; n++) {
    const { pages } = await readPdf(await pdf.render('ownerStatement', ownerStatement(n), null))
    const on = (words: string): number => pages.findIndex((page) => page.includes(words))
    expect([n, on('Rue de Deux')]).toEqual([n, on('Z9')])
    expect([n, pages.length]).toEqual([n, on('Avances détenues') + 1])
    seen.add(pages.length)
  }
  expect(seen.size).toBeGreaterThan(1)
})

test('no heading is the last line of its page, nor one line of a paragraph alone on the next', async () => {
  for (let words = 20; words <= 110; words += 9) {
    const text = Array.from({ length: words }, (_, i) => `mot${i}`).join(' ')
    const each = { title: 'Titre', blocks: [{ kind: 'paragraph' as const, runs: [{ text }] }] }
    const { pages } = await readPdf(await pdf.render('lease', lease('fr', { clauses: times(14, each) }), seal))
    for (const page of pages) {
      const [body = ''] = page.split(' Paraphes : ')
      expect(body).not.toMatch(/\d+\. Titre$/)
      // What goes on from the page before is two lines at least: more than ten words.
      const [rest = ''] = body.split(' Signatures')[0]?.split(/ ?\d+\. Titre/) ?? []
      if (/^mot\d+ /.test(rest)) expect(rest.split(' ').length).toBeGreaterThan(10)
    }
  }
})

test('a signed lease of six pages, with its evidence, is no larger than 60 KB', async () => {
  const text = 'Le locataire déclare connaître les lieux, leurs annexes et leurs équipements. '
  const long = (i: number) => ({
    title: `Clause ${i}`,
    blocks: [{ kind: 'paragraph' as const, runs: [{ text: `${text.repeat(4)} ${i}` }] }],
  })
  const data = lease('fr', { stage: 'SIGNED', signatures, clauses: Array.from({ length: 50 }, (_, i) => long(i)) })
  const bytes = await pdf.render('lease', data, seal)
  expect((await readPdf(bytes)).pages.length).toBeGreaterThanOrEqual(6)
  expect(bytes.length).toBeLessThan(60 * 1024)
})

test.each([
  ['fr', 'Boutique 2', 'Boutique 2, '],
  ['fr', 'B2', 'Boutique B2, '],
  ['en', 'Shop', 'Shop, '],
  ['en', 'B2', 'Shop B2, '],
] as const)('%s: what is called %s stands as %s', async (locale, unitLabel, shown) => {
  const { premises } = invoice(locale)
  const data = invoice(locale, { premises: { ...premises, type: 'SHOP', unitLabel } })
  const { text } = await readPdf(await pdf.render('invoice', data, seal))
  expect(text).toContain(`${shown}${premises.propertyName}`)
  expect(text).not.toContain(`${shown.split(/[ ,]/)[0]} ${shown.split(/[ ,]/)[0]}`)
})

test('the number of a credit note is not cut in two by a narrow column', async () => {
  const columns = [
    { label: 'Pièce', share: 0.13, right: false },
    { label: 'Montant', share: 0.87, right: true },
  ]
  const groups = [{ rows: [['AV-2027-000001\n23/05/2027', '1']] }]
  const { text } = await readPdf(await pdf.render('report', { ...arrears(0), columns, groups }, null))
  expect(text).toContain('AV-2027-000001 ')
})

test('a lease misses the identity card of a person, and of a company none', async () => {
  const said = async (tenant: LeaseData['tenant']) => {
    const { pages } = await readPdf(await pdf.render('lease', lease('fr', { tenant }), seal))
    return (pages[0] ?? '').includes('Pièce d’identité : non renseignée')
  }
  const company = { name: 'Pharma Plus SARL', rccm: 'RC/DLA/2020/B/77', representative: { name: 'Ines Talla' } }
  expect([await said({ name: 'Ines Talla' }), await said(company)]).toEqual([true, false])
})

test.each([
  ['fr', 'Pour le compte du bailleur : Odile Owona'],
  ['en', 'On behalf of the landlord: Odile Owona'],
] as const)(
  'who signs an inspection for a landlord, and when, are never written over each other (%s)',
  async (locale, words) => {
    const signed = { signedAt: '2026-03-01T10:00:00.000Z', evidence: 'WhatsApp +237•••••••01' }
    const both = [
      {
        ...signed,
        party: 'LANDLORD',
        name: 'Marie-Madeleine Ngo Bassong épouse Tchouameni',
        onBehalfOf: 'Odile Owona',
      },
      { ...signed, party: 'TENANT', name: 'Thérèse Tchoua' },
    ]
    const bytes = await pdf.render(
      'inspection',
      inspection(locale, { signatures: both, timeZone: 'Africa/Douala' }),
      seal,
    )
    const pages = await getDocumentProxy(bytes.slice())
    const { items } = await (await pages.getPage(pages.numPages)).getTextContent()
    const texts = items.flatMap((item) =>
      'str' in item && item.str.trim() !== '' ? [{ text: item.str, x: item.transform[4], y: item.transform[5] }] : [],
    )
    expect(texts.map(({ text }) => text.replace(/\s/g, ' ')).join(' ')).toContain(words)
    const mark = texts.find(({ text }) => text.startsWith('Marie-Madeleine'))
    const box = texts.filter(({ x, y }) => Math.abs(x - mark?.x) < 1 && y <= mark?.y && y > mark?.y - 60)
    const heights = [...new Set(box.map(({ y }) => y))].sort((a, b) => b - a)
    expect(heights.length).toBeGreaterThanOrEqual(4)
    for (const [i, y] of heights.slice(1).entries()) expect((heights[i] ?? 0) - y).toBeGreaterThan(7)
  },
)
