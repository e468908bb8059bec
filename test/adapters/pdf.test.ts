import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Worker } from 'node:worker_threads'
import { createPdf } from '../../src/adapters/pdf/pool.ts'
import type { Papers, Template } from '../../src/adapters/pdf/port.ts'
import { formatMoney } from '../../src/core/money.ts'
import { moneyInWords } from '../../src/core/numbers-in-words.ts'
import { invoice, lease, letter, papers, readPdf, receipt, statement } from '../support/papers.ts'

// A worker's start and a paper take long on a busy machine; nothing here is about time.
setDefaultTimeout(60_000)
const seal = { url: 'https://rent.example.cm/verify/7h3k9m2q4wx8c5vb6n1zd0f2gt', dataSha256: 'ab'.repeat(32) }
const pdf = createPdf()
afterAll(() => pdf.close())
const ACCOUNT = { receivedAmount: 170_000, rentOwedAmount: 42_500, deductedAmount: 30_000, returnedAmount: 0 }
const spaced = (text: string): string => text.replace(/\s+/g, ' ')

describe('every paper in both languages', () => {
  for (const template of Object.keys(papers) as (keyof typeof papers)[])
    for (const locale of ['fr', 'en'] as const)
      test(`${template} ${locale}`, async () => {
        const data = papers[template](locale)
        const bytes = await pdf.render(template, data, seal)
        expect(new TextDecoder().decode(bytes.subarray(0, 8))).toBe('%PDF-1.7')
        expect(bytes.length).toBeLessThan(60 * 1024)
        const { pages, text, roles, info, marked } = await readPdf(bytes)
        expect(marked).toBe(true)
        expect(info).toMatchObject({ Language: locale })
        expect(info.Title).toContain(data.number)
        expect(roles.slice(0, 3)).toEqual(['Root', 'Document', 'P'])
        for (const role of ['H1', 'Table', 'TR', 'TD']) expect(roles).toContain(role)
        for (const said of [
          'Odile Owona',
          'Agence Ŋgɔ',
          'M012345678901A',
          'RC/DLA/2019/B/1234',
          'Thérèse Ɛbɔlɔwa',
          'CNI 112233445'.replace('CNI', locale === 'fr' ? 'CNI' : 'National ID'),
          'Résidence Bonamoussadi',
          seal.url,
          seal.dataSha256,
        ])
          expect(text).toContain(said)
        for (const [i, page] of pages.entries())
          expect(page).toContain(
            locale === 'fr' ? `Page ${i + 1} sur ${pages.length}` : `Page ${i + 1} of ${pages.length}`,
          )
        expect(text).not.toContain('undefined')
        expect(text).not.toContain('NaN')
      })
})

test.each([
  ['fr', 'Facture de charges', 'Facture n°'],
  ['en', 'Invoice of charges', 'Invoice No.'],
] as const)('an invoice of charges alone is called so, and names no period: %s', async (locale, title, other) => {
  const named = async (more: object) => (await readPdf(await pdf.render('invoice', invoice(locale, more), seal))).text
  const alone = await named({ periodStart: undefined, periodEnd: undefined })
  expect(alone).toContain(title)
  expect(alone).not.toContain(other)
  expect(alone).not.toContain(locale === 'fr' ? 'Période' : 'Period')
  expect(await named({})).not.toContain(title)
})

describe('amounts stand in figures and words', () => {
  const AMOUNTS: [string, Template, Papers[Template], number][] = [
    ['lease', 'lease', lease(), 1_234_567],
    ['invoice', 'invoice', invoice(), 1_477_587],
    ['receipt', 'receipt', receipt('en'), 85_000],
    ['letter', 'letter', letter(), 65_000],
    ['largest', 'invoice', invoice('fr', { grossAmount: 1_000_000_000_000 }), 1_000_000_000_000],
    ['nothing', 'invoice', invoice('en', { grossAmount: 0 }), 0],
  ]
  for (const [name, template, data, amount] of AMOUNTS)
    test(name, async () => {
      const { text } = await readPdf(await pdf.render(template, data, seal))
      expect(text).toContain(spaced(formatMoney(amount, data.locale)))
      // A line may end after any hyphen.
      expect(text.replaceAll('- ', '-')).toContain(moneyInWords(amount, data.locale))
      if (amount > 0) expect(text).not.toContain(spaced(formatMoney(amount * 100, data.locale)))
    })
})

describe('what must stand where nothing is owed or agreed', () => {
  const NO_LINES = { payment: undefined, invoices: [], creditAmount: 0 }
  const NO_TVA = { tvaBasisPoints: 0, tvaAmount: 0 }
  const SAID: [string, Template, Papers[Template], string[], string[]][] = [
    ['not registered, fr', 'invoice', invoice('fr', NO_TVA), ['Total à payer'], ['TVA', 'HT', 'TTC', 'xonéré', 'taxe']],
    ['not registered, en', 'invoice', invoice('en', NO_TVA), ['Total to pay'], ['VAT', 'Exempt', 'Net', 'tax']],
    ['exempt, fr', 'invoice', invoice('fr', { ...NO_TVA, tvaRegistered: true }), ['TVA Exonérée'], ['19,25', 'TTC']],
    ['exempt, en', 'invoice', invoice('en', { ...NO_TVA, tvaRegistered: true }), ['Exempt'], ['19.25', 'included']],
    ['TVA', 'invoice', invoice(), ['TVA 19,25 %', '238 520 FCFA'], ['Exonérée']],
    [
      'a lease without deposit or notice',
      'lease',
      lease(),
      ['Préavis de congé non convenu', '(caution) non convenu'],
      [],
    ],
    ['the same in English', 'lease', lease('en'), ['Notice to quit not agreed', 'Security deposit not agreed'], []],
    ['dates', 'lease', lease(), ['1er mars 2026', '28 février 2027', 'le 1er de chaque mois'], ['2027-02-28']],
    ['initials and signatures', 'lease', lease(), ['Paraphes', 'Lu et approuvé', 'Témoin ou garant'], []],
    ['no evidence before anybody signed', 'lease', lease(), [], ['2010/012']],
    [
      'evidence',
      'lease',
      lease('fr', {
        signatures: [
          { party: 'TENANT', name: 'T. Ɛ', signedAt: '2026-03-31T23:20:30.000Z', evidence: 'SMS +237•••••••04' },
        ],
        timeZone: 'Africa/Douala',
        signedSha256: 'cd'.repeat(32),
      }),
      [
        '2010/012',
        '1er avril 2026, 00:20:30',
        'Africa/Douala (UTC+1)',
        'Accord électronique du 1er avril 2026, 00:20:30 (UTC+1)',
        'SMS +237•••••••04',
        'cd'.repeat(32),
      ],
      ['23:20:30', 'Lu et approuvé'],
    ],
    ['a quittance', 'receipt', receipt(), ['Quittance de loyer', 'en donne quittance'], ['partiel']],
    [
      'a part receipt',
      'receipt',
      receipt('fr', { full: false, invoices: [{ ...receipt().invoices[0], balanceAmount: 35_000 } as never] }),
      ['Reçu de paiement partiel', 'n’est pas une quittance', 'il reste dû 35 000 FCFA'],
      ['en donne quittance'],
    ],
    ...(
      [
        [
          'WITHHOLDING',
          ['Retenue à la source prise en compte', 'Montant retenu à la source', 'prend acte de la retenue'],
        ],
        [
          'DEPOSIT',
          ['Paiement prélevé sur le dépôt', 'Montant prélevé sur le dépôt', 'le dépôt de garantie qu’il détient'],
        ],
        ['SET_OFF', ['Paiement par compensation', 'Montant compensé', 'crédit du locataire sur un autre bail']],
        [undefined, ['Affectation d’une avance', 'Montant pris sur l’avance', 'sans nouveau versement']],
      ] as const
    ).map(([method, says]): (typeof SAID)[number] => [
      `what was not received: ${method ?? 'an advance of before'}`,
      'receipt',
      receipt('fr', {
        full: false,
        payment: method && { method, paidOn: '2026-03-02' },
        invoices: [{ ...receipt().invoices[0], balanceAmount: 35_000 } as never],
      }),
      [...says],
      // No money came, so nothing is said to be received, by or from anybody.
      ['avoir reçu', 'Montant reçu', 'REÇU PAR', 'REÇU DE'],
    ]),
    [
      'a deposit received',
      'receipt',
      receipt('fr', { full: false, ...NO_LINES, deposit: { returned: false, on: '2026-03-02', heldAmount: 85_000 } }),
      ['Reçu de dépôt de garantie', 'reconnaît avoir reçu la somme', 'à titre de dépôt de garantie', 'Dépôt détenu'],
      ['avance', 'quittance', 'loyers à venir'],
    ],
    [
      'a deposit given back in full',
      'receipt',
      receipt('en', { full: false, ...NO_LINES, deposit: { returned: true, on: '2026-03-02', heldAmount: 0 } }),
      ['Discharge of the security deposit', 'The tenant acknowledges receipt', 'gives discharge', 'The tenant'],
      ['a part of', 'For the landlord'],
    ],
    [
      'an advance that no invoice took yet',
      'receipt',
      receipt('fr', { full: false, invoices: [], creditAmount: 85_000 }),
      ['Reçu d’avance', 'conservée à ce jour en avance'],
      ['quittance'],
    ],
    [
      'who owes',
      'statement',
      statement('fr', { heldAmount: 0 }),
      ['Solde dû par le locataire', '22 500 FCFA', 'Départ'],
      [],
    ],
    [
      'deposit, debts and repairs in one block',
      'statement',
      statement('fr', { heldAmount: 120_000, account: ACCOUNT }),
      ['garantie reçu 170 000', 'charges dus −42 500', 'autres retenues −30 000', 'À rendre au locataire 97 500 FCFA'],
      ['Dépôt déjà rendu', 'Trop-perçu', 'Solde dû'],
    ],
    [
      'the deposit',
      'statement',
      statement(),
      ['Dépôt reçu, 1er septembre 2025 170 000 FCFA', 'Dépôt encore détenu'],
      [],
    ],
    [
      'who gets back',
      'statement',
      statement('en', { debtAmount: 0, creditAmount: 9_000 }),
      ['Balance for the landlord to give back', 'FCFA 179,000', 'Overpaid by the tenant FCFA 9,000'],
      [],
    ],
  ]
  for (const [name, template, data, said, unsaid] of SAID)
    test(name, async () => {
      const { text } = await readPdf(await pdf.render(template, data, seal))
      for (const words of said) expect(text).toContain(words)
      for (const words of unsaid) expect(text).not.toContain(words)
    })
  test('a preview says so and names no page of verification', async () => {
    const { text } = await readPdf(await pdf.render('lease', lease(), null))
    expect(text).toContain('APERÇU')
    expect(text).not.toContain('/verify/')
  })
})

describe('names of any kind', () => {
  const NAMES: [string, string, string][] = [
    ['African Latin letters', 'Ŋkɔŋɔ Ɛbɔlɔwa Ɓiya ɗə́ Ɔ', 'Ŋkɔŋɔ Ɛbɔlɔwa Ɓiya'],
    ['Cyrillic and Greek', 'Жанна Ωμέγα', 'Жанна Ωμέγα'],
    ['Arabic', 'محمد', 'mhmd'],
    ['Arabic letters that have no sound of their own', 'عبد الله', '`bd llh'],
    ['blanks of no width, and marks of direction', 'A\u200bw\u200d\u202ea\ufeff', 'Awa'],
    ['control characters', 'Awa\tNgo\u0007\r\nBassong', 'Awa Ngo Bassong'],
    ['Chinese', '王小明', 'Wang'],
    ['Ethiopic', 'አበበ', 'abebe'],
    ['emoji', 'Awa 😀', 'Awa :grinning:'],
    ['half a pair', 'Awa \ud83d', 'Awa ?'],
    ['300 characters without a blank', 'Ŋ'.repeat(300), 'ŊŊŊŊŊŊŊŊŊŊ'],
    ['300 characters of words', 'Jean-Éléonore '.repeat(22).slice(0, 300), 'Jean-Éléonore Jean-Éléonore'],
    ['markup', '**Awa** - <b>&amp;', '**Awa** - <b>&amp;'],
  ]
  for (const [name, given, shown] of NAMES)
    test(name, async () => {
      for (const template of Object.keys(papers) as (keyof typeof papers)[]) {
        const data = { ...papers[template](), tenant: { name: given }, agent: { name: given } }
        const { text } = await readPdf(await pdf.render(template, data, seal))
        expect(text).toContain(shown)
        expect(text).not.toContain('\ufffd')
      }
    })
})

test('the same data make the same bytes, other data others', async () => {
  const [a, b, c] = await Promise.all([
    pdf.render('invoice', invoice(), seal),
    pdf.render('invoice', invoice(), seal),
    pdf.render('invoice', invoice('fr', { grossAmount: 1_477_588 }), seal),
  ])
  expect(Buffer.compare(a, b)).toBe(0)
  expect(Buffer.compare(a, c)).not.toBe(0)
})

test('what was drawn before leaves no trace in a paper', async () => {
  const name = (name: string) => invoice('fr', { tenant: { ...invoice().tenant, name } })
  const said = async (pool: typeof pdf, tenant: string) => await pool.render('invoice', name(tenant), seal)
  // The first of each pair shares a glyph with the second, or is a part of it.
  for (const [before, tenant] of [
    ['Oʼneil', 'O’neil'],
    ['Ωmega', 'Ωmega'],
    ['ǅ', 'D'],
    ['ɩota', 'ιota'],
  ] as const) {
    const other = createPdf({ threads: 1 })
    await said(other, before)
    expect(Buffer.compare(await said(other, tenant), await said(pdf, tenant))).toBe(0)
    expect((await readPdf(await said(other, tenant))).text).toContain(tenant.normalize('NFC'))
    await other.close()
  }
})

test('a table over many pages repeats its head and loses no line', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => ({ label: `Ligne ${i + 1}.`, amount: i }))
  const { pages, text } = await readPdf(await pdf.render('invoice', invoice('fr', { lines }), seal))
  expect(pages.length).toBeGreaterThan(1)
  expect(text.match(/Désignation Montant HT/g)).toHaveLength(pages.length)
  for (const { label } of lines) expect(text).toContain(label)
})

describe('a worker that fails', () => {
  const script = new URL('../../src/adapters/pdf/worker.ts', import.meta.url)
  /** Threads that can be got hold of. */
  function pool(options: Parameters<typeof createPdf>[0] = {}) {
    const spawned: Worker[] = []
    const made = createPdf({
      threads: 1,
      spawn: () => {
        const worker = new Worker(script)
        spawned.push(worker)
        return worker
      },
      ...options,
    })
    return { ...made, spawned }
  }

  test('killed while it draws: that paper fails, the next one is drawn by another', async () => {
    const { render, close, spawned } = pool()
    const lost = render('lease', lease(), seal)
    const after = render('invoice', invoice(), seal)
    void spawned[0]?.terminate()
    await expect(lost).rejects.toThrow('ended')
    expect((await after).length).toBeGreaterThan(10_000)
    expect(spawned).toHaveLength(2)
    await close()
  })
  test('data that cannot be drawn: told by name, and the worker goes on', async () => {
    const { render, close, spawned } = pool()
    const poison = { ...invoice(), grossAmount: 0.5 }
    await expect(render('invoice', poison, seal)).rejects.toThrow('RangeError: amount must be a whole number')
    await render('invoice', invoice(), seal)
    expect(spawned).toHaveLength(1)
    await close()
  })
  test('one that never answers is given up', async () => {
    const asleep = new URL('data:text/javascript,setInterval(() => {}, 1000)')
    let calls = 0
    const { render, close } = createPdf({
      threads: 1,
      timeoutMs: 10_000,
      spawn: () => {
        calls += 1
        return new Worker(calls === 1 ? asleep : script)
      },
    })
    const [stuck, next] = await Promise.allSettled([
      render('invoice', invoice(), seal),
      render('invoice', invoice(), seal),
    ])
    expect(stuck).toMatchObject({ status: 'rejected' })
    expect(next).toMatchObject({ status: 'fulfilled' })
    await close()
  })
  test('two at a time: one that is killed fails its own paper, and idle ones end', async () => {
    const { render, close, spawned } = pool({ threads: 2, idleMs: 200 })
    const [lost, kept] = [render('lease', lease(), seal), render('invoice', invoice(), seal)]
    void spawned[0]?.terminate()
    await expect(lost).rejects.toThrow('ended')
    expect((await kept).length).toBeGreaterThan(10_000)
    await render('invoice', invoice(), seal)
    expect(spawned).toHaveLength(3)
    await Bun.sleep(600)
    await render('invoice', invoice(), seal)
    expect(spawned).toHaveLength(4)
    await close()
  })
  test('recycled after its papers', async () => {
    const { render, close, spawned } = pool({ recycleAfter: 2 })
    for (let i = 0; i < 5; i++) await render('invoice', invoice(), seal)
    expect(spawned).toHaveLength(3)
    await close()
  })
  test('a receipt goes before the previews that wait, and they do not keep it out', async () => {
    const { render, close } = pool({ maxWaiting: 2 })
    const order: string[] = []
    const asked = (
      [
        ['first preview', null],
        ['second preview', null],
        ['third preview', null],
        ['receipt', seal],
        ['next receipt', seal],
        ['fourth preview', null],
      ] as const
    ).map(([name, how]) =>
      render('invoice', invoice(), how).then(
        () => void order.push(name),
        (e: { code?: string }) => `${name} ${e.code}`,
      ),
    )
    expect((await Promise.all(asked)).filter(Boolean)).toEqual(['fourth preview overloaded'])
    expect(order).toEqual(['first preview', 'receipt', 'next receipt', 'second preview', 'third preview'])
    await close()
  })
  test('more than may wait is refused at once, and what waits is drawn in order', async () => {
    const { render, close } = pool({ maxWaiting: 3 })
    const order: number[] = []
    const asked = Array.from({ length: 6 }, (_, i) =>
      render('invoice', invoice(), seal).then(
        () => void order.push(i),
        (e: { code?: string }) => e.code,
      ),
    )
    expect(await Promise.all(asked)).toEqual([undefined, undefined, undefined, undefined, 'overloaded', 'overloaded'])
    expect(order).toEqual([0, 1, 2, 3])
    await close()
  })
  test('closed: nothing hangs', async () => {
    const { render, close } = pool()
    const waiting = render('invoice', invoice(), seal).catch((e: Error) => e.message)
    await close()
    expect(await waiting).toBe('closed')
    await expect(render('invoice', invoice(), seal)).rejects.toThrow('closed')
  })
})
