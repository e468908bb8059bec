// What ends a lease or may end it: statements and the letter of a formal notice, read back word for word, in both languages.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { drawLetters } from '../../../../src/features/news/reminders/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { footer, inForce, read, solid, wordsOf } from '../../../support/papers-read.ts'
import { cash, type Stage } from '../../../support/scenario.ts'

setDefaultTimeout(60_000)

describe.each(['fr', 'en'] as const)('in %s', (locale) => {
  const { say, money, tenant, landlord, top, check, place, from10, same } = wordsOf(locale)
  const zero = money('0')
  const owed = say('Loyers et charges dus', 'Rent and charges owed')
  const deducted = say('Réparations et autres retenues', 'Repairs and other deductions')
  const columns = say('Facture Période Montant Payé Crédité Reste dû', 'Invoice Period Amount Paid Credited Still due')
  const payments = [
    say('Paiements et remboursements', 'Payments and refunds'),
    say('Date Mode Référence Montant', 'Date Means Reference Amount'),
  ]
  const head = (number: string, sum: string, verdict: string, block: string[], reason?: string): string[] => [
    ...top(
      `${say('Décompte n°', 'Statement No.')} ${number}`,
      say('Décompte de fin de bail', 'Statement at the end of the lease'),
      say('24 mars 2026', '24 March 2026'),
    ),
    ...landlord,
    say('LOCATAIRE', 'TENANT'),
    ...tenant,
    say('Solde', 'Balance'),
    sum,
    verdict,
    say('Lieux loués', 'Premises'),
    ...place,
    say('Bail du 10 au 24 mars 2026', 'Lease from 10 to 24 March 2026'),
    ...(reason ? [say('Motif indiqué', 'Reason given'), reason] : []),
    say('Dépôt, dettes et solde', 'Deposit, debts and balance'),
    say('Dépôt de garantie reçu', 'Security deposit received'),
    ...block,
    say('À rendre au locataire', 'To give back to the tenant'),
    sum,
    say('Loyers et charges', 'Rent and charges'),
    columns,
  ]
  const deposit = say('Dépôt de garantie (caution) Dépôt convenu', 'Security deposit Deposit agreed')
  const left = (n: string): string => `${say('Décompte n°', 'Statement No.')} ${n}`
  const ended = async (steps: (s: Stage) => Promise<unknown>, terms = {}, reason?: string): Promise<Stage> => {
    const s = await inForce(locale, terms)
    await steps(s)
    s.advance(14)
    await s.make('ana', 'POST /bookings/{lease}/terminate', reason ? { reason } : {})
    return s
  }

  test('a statement with a debt, and a deposit held, deducted and returned in part', async () => {
    const steps = async (s: Stage): Promise<void> => {
      for (const [type, amount, reason] of [
        ['RECEIVED', 120_000, undefined],
        ['DEDUCTED', 15_000, 'Vitre brisée'],
        ['RETURNED', 50_000, undefined],
      ] as const)
        await s.make('ana', 'POST /bookings/{lease}/deposit', {
          type,
          amount,
          paidOn: '2026-03-10',
          ...(reason ? { reason } : {}),
        })
    }
    const s = await ended(steps, { depositAmount: 120_000 }, 'Départ, 1er étage')
    const { text, url, number } = await read(s, "kind = 'STATEMENT'", locale, left)
    const verdict = say(
      'Solde à rendre au locataire par le bailleur : vingt-cinq mille neuf cent soixante-huit francs CFA.',
      'Balance for the landlord to give back to the tenant: twenty-five thousand nine hundred and sixty-eight CFA francs.',
    )
    const minus = (figures: string): string => say(`−${money(figures)}`, `−${money(figures)}`)
    const block = [
      money('120,000'),
      ...[owed, minus('29,032'), deducted, minus('15,000')],
      ...[say('Dépôt déjà rendu', 'Deposit given back already'), minus('50,000')],
    ]
    same(text, [
      ...head(number, money('25,968'), verdict, block, 'Départ, 1er étage'),
      ...['2026-000002', say('du 10 au 24 mars 2026', 'from 10 to 24 March 2026')],
      ...[money('29,032'), zero, '–', money('29,032')],
      payments[0] ?? '',
      say('Aucun.', 'None.'),
      deposit,
      money('120,000'),
      say('Dépôt reçu, 10 mars 2026', 'Deposit received, 10 March 2026'),
      money('120,000'),
      say(
        'Retenu sur le dépôt, 10 mars 2026 – Vitre brisée',
        'Deducted from the deposit, 10 March 2026 – Vitre brisée',
      ),
      minus('15,000'),
      say('Dépôt rendu, 10 mars 2026', 'Deposit returned, 10 March 2026'),
      minus('50,000'),
      say('Dépôt encore détenu', 'Deposit still held'),
      money('55,000'),
      say(
        'Ce qui est encore détenu est à rendre, déduction faite des sommes justifiées, après l’état des lieux de sortie.',
        'What is still held is to be returned, less justified deductions, after the check-out inspection.',
      ),
      ...check(url),
    ])
  })

  test('a statement with credit, without a deposit', async () => {
    const s = await ended((st) => st.make('ana', 'POST /bookings/{lease}/payments', cash(90_000, { reference: 'R-7' })))
    const { text, url, number } = await read(s, "kind = 'STATEMENT'", locale, left)
    const verdict = say(
      'Solde à rendre au locataire par le bailleur : soixante mille neuf cent soixante-huit francs CFA.',
      'Balance for the landlord to give back to the tenant: sixty thousand nine hundred and sixty-eight CFA francs.',
    )
    const overpaid = say('Trop-perçu du locataire', 'Overpaid by the tenant')
    const block = [zero, owed, zero, deducted, zero, overpaid, money('60,968')]
    same(text, [
      ...head(number, money('60,968'), verdict, block),
      ...['2026-000001', from10, money('60,000'), money('29,032'), money('30,968'), zero],
      ...payments,
      ...[say('10 mars 2026 Espèces', '10 March 2026 Cash'), 'R-7', money('90,000')],
      deposit,
      say('non convenu', 'not agreed'),
      ...check(url),
    ])
  })

  test('the letter of a formal notice', async () => {
    const s = await inForce(locale)
    await s.make('ana', 'POST /invoices/{i1}/payments', cash(20_000))
    s.advance(31)
    await s.work()
    await s.make('ana', 'POST /invoices/{i1}/remind', { step: 'FORMAL_NOTICE' })
    await drawLetters(s.deps)
    const [row] = s.rows('select id, number, sha256 from letter')
    const file = await s.documents.open(`${row?.id}.${row?.sha256}`)
    const { pages } = await readPdf((await file?.bytes()) ?? new Uint8Array())
    expect(pages).toHaveLength(1)
    const name = `${say('Mise en demeure n°', 'Formal notice No.')} ${row?.number}`
    const end = footer(locale, name, 'http://localhost:3000', 1, 1, false)
    expect(solid(pages[0] ?? '')).toMatch(end)
    const day = say('10 avril 2026', '10 April 2026')
    same(solid(pages[0] ?? '').replace(end, ''), [
      ...top(name, say('Mise en demeure de payer', 'Formal notice to pay'), day),
      ...landlord,
      say('À L’ATTENTION DE', 'TO THE ATTENTION OF'),
      ...tenant,
      say('Objet : loyers et charges impayés – ', 'Subject: unpaid rent and charges – '),
      place.join(', '),
      say('Madame, Monsieur,', 'Dear Sir or Madam,'),
      say(
        'Sauf erreur de notre part, les sommes suivantes, dues au titre du bail des lieux désignés ci-dessus, restent impayées à ce jour :',
        'Unless we are mistaken, the following sums, due under the lease of the premises named above, are still unpaid today:',
      ),
      say('Facture Période Échéance Montant Payé Reste dû', 'Invoice Period Due date Amount Paid Still due'),
      ...['2026-000001', from10, say('15 mars 2026', '15 March 2026')],
      ...[money('60,000'), money('20,000'), money('40,000')],
      say('Total à payer', 'Total to pay'),
      money('40,000'),
      say('Soit la somme de quarante mille francs CFA.', 'That is the sum of forty thousand CFA francs.'),
      say(
        'En conséquence, nous vous mettons en demeure de nous régler la totalité de cette somme dans un délai de huit (8) jours à compter de la date de la présente lettre, soit au plus tard le 18 avril 2026.',
        'We therefore give you formal notice to pay us the whole of this sum within eight (8) days of the date of this letter, that is by 18 April 2026 at the latest.',
      ),
      say(
        'À défaut de paiement complet dans ce délai, nous nous verrions contraints de saisir la juridiction compétente afin d’obtenir le paiement de la dette et, le cas échéant, la résiliation du bail, tous nos droits étant réservés.',
        'Should it not be paid in full by then, we would have no choice but to go before the competent court to obtain payment of the debt and, where appropriate, the termination of the lease, all our rights being reserved.',
      ),
      say(
        'Si vous avez réglé ces sommes entre-temps, nous vous remercions de nous en transmettre la preuve et de tenir cette lettre pour sans objet. En cas de difficulté, nous vous invitons à prendre contact avec nous avant cette date afin de convenir d’un échéancier.',
        'If you have paid in the meantime, please send us the proof and consider this letter as without object. If you are in difficulty, we invite you to contact us before that date to agree on a payment plan.',
      ),
      say(
        'Pour information, à échoir et non compris dans la somme ci-dessus : facture 2026-000002, 60 000 FCFA au plus tard le 15 avril 2026.',
        'For your information, not yet due and not part of the sum above: invoice 2026-000002, FCFA 60,000 by 15 April 2026.',
      ),
      say(
        'Nous vous prions d’agréer, Madame, Monsieur, l’expression de nos salutations distinguées.',
        'Yours faithfully,',
      ),
      say(
        'Fait à ____________________________ , le 10 avril 2026.',
        'Signed at ____________________________ , on 10 April 2026.',
      ),
      say('Pour le bailleur, signature', 'For the landlord, signature'),
      'Agence Ŋgɔ',
      say('Reçu par le locataire : nom, date et signature', 'Received by the tenant: name, date and signature'),
      'Thérèse Épiphanie Ɛbɔlɔwa',
    ])
  })
})
