// Invoices and receipts, made by their events and read back word for word, in both languages.
import { describe, setDefaultTimeout, test } from 'bun:test'
import { inForce, read, wordsOf } from '../../../support/papers-read.ts'
import { cash } from '../../../support/scenario.ts'

setDefaultTimeout(60_000)

for (const locale of ['fr', 'en'] as const) {
  const { say, money, tenant, letter, top, check, place, from10, same } = wordsOf(locale)
  const invoiceName = (n: string): string => `${say('Facture n°', 'Invoice No.')} ${n}`
  const pay = say(
    'Indiquez le numéro de facture comme référence de votre paiement. Une quittance vous est délivrée après paiement complet.',
    'Quote the invoice number as the reference of your payment. A receipt in full is issued once everything is paid.',
  )
  const bill = (
    number: string,
    url: string,
    lines: readonly string[],
    total: string,
    words: string,
    where?: readonly string[],
  ): string[] => [
    ...top(invoiceName(number), say('Facture', 'Invoice')),
    say('ÉMETTEUR', 'FROM'),
    'Agence Ŋgɔ',
    ...letter,
    say('CLIENT', 'TO'),
    ...tenant,
    say('Date de facture 10 mars 2026', 'Invoice date 10 March 2026'),
    say('À payer au plus tard le 15 mars 2026', 'To be paid by 15 March 2026'),
    say('Période', 'Period'),
    from10,
    say('Lieux loués', 'Premises'),
    ...(where ?? place),
    // Only the shop bears TVA.
    where ? say('Désignation Montant HT', 'Description Net amount') : say('Désignation Montant', 'Description Amount'),
    ...lines,
    where ? say('Total à payer (TTC)', 'Total to pay (tax included)') : say('Total à payer', 'Total to pay'),
    total,
    say(`Arrêtée la présente facture à la somme de : ${words}.`, `This invoice amounts to: ${words}.`),
    pay,
    ...check(url),
  ]
  const heads = [
    say('Facture', 'Invoice'),
    say('Période', 'Period'),
    say('Montant dû', 'Amount due'),
    say('Ce reçu', 'This receipt'),
    say('Reste dû', 'Still due'),
  ]
  type Received = {
    title: string
    what?: string
    sum: string
    words: string
    how: readonly string[]
    rest: readonly string[]
    said: string
  }
  const receipt = (number: string, url: string, { title, what, sum, words, how, rest, said }: Received): string[] => [
    ...top(`${say('N°', 'No.')} ${number}`, title),
    // Tax that was withheld is received by nobody here.
    what === undefined ? say('REÇU PAR', 'RECEIVED BY') : say('ÉTABLI PAR', 'DRAWN UP BY'),
    'Agence Ŋgɔ',
    ...letter,
    what === undefined ? say('REÇU DE', 'RECEIVED FROM') : say('LOCATAIRE', 'TENANT'),
    ...tenant,
    what ?? say('Montant reçu', 'Amount received'),
    sum,
    words,
    say('Mode de paiement', 'Means of payment'),
    ...how,
    say('Lieux loués', 'Premises'),
    ...place,
    ...heads,
    ...rest,
    said,
    say('Pour le bailleur', 'For the landlord'),
    ...check(url),
  ]
  const paidOn = say('Payé le 10 mars 2026', 'Paid on 10 March 2026')
  const total = say('Total', 'Total')
  const named = (title: string) => (n: string) => `${title} – ${n}`
  const zero = money('0')

  describe(`in ${locale}`, () => {
    test('an invoice without TVA, with a charge', async () => {
      const s = await inForce(locale)
      await s.make('ana', 'POST /invoices/{i1}/charges', { label: 'Eau, relevé 123 m³', amount: 4_500 })
      const { text, url, number } = await read(s, "kind = 'INVOICE'", locale, invoiceName)
      const lines = [
        say('Loyer du 10 mars 2026 au 9 avril 2026', 'Rent from 10 March 2026 to 9 April 2026'),
        money('60,000'),
        'Eau, relevé 123 m³',
        money('4,500'),
        say('TVA Exonérée', 'VAT (TVA) Exempt'),
      ]
      const words = say('soixante-quatre mille cinq cents francs CFA', 'sixty-four thousand five hundred CFA francs')
      same(text, bill(number, url, lines, money('64,500'), words))
    })

    test('an invoice with TVA at 19.25 %', async () => {
      const s = await inForce(locale, { tvaBasisPoints: 1925, rentAmount: 85_000 }, 'OFFICE')
      const { text, url, number } = await read(s, "kind = 'INVOICE'", locale, invoiceName)
      const lines = [
        say('Loyer du 10 mars 2026 au 9 avril 2026', 'Rent from 10 March 2026 to 9 April 2026'),
        money('85,000'),
        say('Total hors taxe', 'Net total'),
        money('85,000'),
        say('TVA 19,25 %', 'VAT (TVA) 19.25%'),
        money('16,363'),
      ]
      const words = say(
        'cent un mille trois cent soixante-trois francs CFA',
        'one hundred and one thousand three hundred and sixty-three CFA francs',
      )
      const where = [say('Bureau A1, Villa', 'Office A1, Villa'), 'Rue 1, Douala']
      same(text, bill(number, url, lines, money('101,363'), words, where))
    })

    test('a receipt for a part, then the quittance, withheld tax included', async () => {
      const s = await inForce(locale)
      await s.make('ana', 'POST /invoices/{i1}/payments', cash(54_000))
      const title = say('Reçu de paiement partiel', 'Receipt for part payment')
      const part = await read(s, "variant = 'PARTIAL'", locale, named(title))
      const words = say('cinquante-quatre mille francs CFA', 'fifty-four thousand CFA francs')
      same(
        part.text,
        receipt(part.number, part.url, {
          title,
          sum: money('54,000'),
          words,
          how: [say('Espèces', 'Cash'), paidOn],
          rest: [
            '2026-000001',
            from10,
            money('60,000'),
            money('54,000'),
            money('6,000'),
            total,
            money('54,000'),
            money('6,000'),
          ],
          said: say(
            `Le bailleur reconnaît avoir reçu la somme de ${words}. Ce reçu n’est pas une quittance : il reste dû 6 000 FCFA pour cette période.`,
            `The landlord acknowledges receipt of the sum of ${words}. This is not a receipt in full: FCFA 6,000 is still due for this period.`,
          ),
        }),
      )
      await s.make(
        'ana',
        'POST /invoices/{i1}/payments',
        cash(6_000, { method: 'WITHHOLDING', reference: 'ATT-7/2026' }),
      )
      const quittance = say('Quittance de loyer', 'Rent receipt')
      const full = await read(s, "variant = 'FULL'", locale, named(quittance))
      const six = say('six mille francs CFA', 'six thousand CFA francs')
      const withheld = say('Retenue à la source', 'Tax withheld at source')
      same(
        full.text,
        receipt(full.number, full.url, {
          title: quittance,
          what: say('Montant retenu à la source', 'Amount withheld at source'),
          sum: money('6,000'),
          words: six,
          how: [withheld, paidOn, say('Référence', 'Reference'), 'ATT-7/2026'],
          rest: [
            '2026-000001',
            from10,
            money('60,000'),
            money('6,000'),
            zero,
            total,
            money('6,000'),
            zero,
            say('Paiements pris en compte', 'Payments taken into account'),
            say('– 10 mars 2026, Espèces : 54 000 FCFA', '– 10 March 2026, Cash: FCFA 54,000'),
            say(
              '– 10 mars 2026, Retenue à la source : 6 000 FCFA',
              '– 10 March 2026, Tax withheld at source: FCFA 6,000',
            ),
          ],
          said: say(
            `Le bailleur prend acte de la retenue à la source de ${six} opérée par le locataire, qui solde la période ci-dessus, et en donne quittance sous réserve de tous ses droits.`,
            `The landlord notes that the tenant withheld at source the sum of ${six}, which settles the period above in full, all rights reserved.`,
          ),
        }),
      )
    })

    test('an advance over months, a part of it kept', async () => {
      const s = await inForce(locale)
      await s.make(
        'ana',
        'POST /bookings/{lease}/payments',
        cash(150_000, { method: 'MTN_MOMO', reference: '7712345678' }),
      )
      const title = say('Quittance de loyer', 'Rent receipt')
      const { text, url, number } = await read(s, "kind = 'RECEIPT'", locale, named(title))
      const words = say('cent cinquante mille francs CFA', 'one hundred and fifty thousand CFA francs')
      same(
        text,
        receipt(number, url, {
          title,
          sum: money('150,000'),
          words,
          how: ['MTN MoMo', paidOn, say('Référence', 'Reference'), '7712345678'],
          rest: [
            ...['2026-000001', from10, money('60,000'), money('60,000'), zero],
            ...['2026-000002', say('du 10 avril 2026 au 9 mai 2026', 'from 10 April 2026 to 9 May 2026')],
            ...[money('60,000'), money('60,000'), zero],
            say('Avance conservée pour les échéances à venir', 'Advance kept for coming periods'),
            money('30,000'),
            ...[total, money('150,000'), zero],
          ],
          said: say(
            `Le bailleur reconnaît avoir reçu la somme de ${words}, qui solde les périodes ci-dessus, et en donne quittance sous réserve de tous ses droits. Sur cette somme, 30 000 FCFA restent à ce jour en avance sur les loyers à venir.`,
            `The landlord acknowledges receipt of the sum of ${words}, which settles the periods above in full, all rights reserved. Of this sum, FCFA 30,000 is kept today as an advance on rent to come.`,
          ),
        }),
      )
    })
  })
}
