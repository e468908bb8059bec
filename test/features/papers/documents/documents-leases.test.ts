// Leases, made by their events and read back: the whole text, word for word, in both languages.
import { describe, setDefaultTimeout, test } from 'bun:test'
import { BUSINESS, HOME } from '../../../../src/features/lease/contracts/texts.ts'
import { begun, inForce, read, wordsOf } from '../../../support/papers-read.ts'

setDefaultTimeout(60_000)

for (const locale of ['fr', 'en'] as const) {
  const { say, money, tenant, landlord, top, check, place, same } = wordsOf(locale)

  describe(`in ${locale}`, () => {
    /** Clauses as they are to be read: by hand, not by the code under test. */
    const clauses = (list: typeof HOME, values: Readonly<Record<string, string>>): string[] =>
      list.flatMap((c, i) => [
        `${i + 1}. ${c[`title_${locale}`]}`,
        c[`body_${locale}`]
          .replace(/ \((région\u00a0: |region: ).*?\)/, '')
          .replaceAll(' ({{depositInWords}})', values.depositInWords ? ` (${values.depositInWords})` : '')
          .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? `no value for ${name}`)
          .replaceAll('**', '')
          .replace(/^- /gm, '– '),
      ])
    const common = {
      unit: 'A1',
      property: 'Villa',
      address: 'Rue 1',
      city: 'Douala',
      startDate: say('10 mars 2026', '10 March 2026'),
      landlordPhone: '+237 638 62 00 54',
      tenantPhone: '+237 677 00 01 04',
      rent: money('60,000'),
      rentInWords: say('soixante mille francs CFA', 'sixty thousand CFA francs'),
    }
    const ending = (url: string): string[] => [
      say('Signatures', 'Signatures'),
      say(
        'Fait à ____________________________ , le ____ / ____ / ________ , en _____ originaux.',
        'Signed at ____________________________ , on ____ / ____ / ________ , in _____ originals.',
      ),
      say(
        'Faire précéder la signature de la mention manuscrite « Lu et approuvé ».',
        'Write “Read and approved” by hand before signing.',
      ),
      say('Bailleur', 'Landlord'),
      'ana Test – Agence Ŋgɔ',
      say('Locataire', 'Tenant'),
      'Thérèse Épiphanie Ɛbɔlɔwa',
      say('Témoin ou garant (facultatif)', 'Witness or guarantor (optional)').repeat(2),
      say(
        'Modèle établi par Loyer à partir des données des parties ; il ne remplace pas un conseil juridique. Clauses types de Loyer (version 0).',
        'Drawn up by Loyer from the data of the parties; it does not replace legal advice. Standard clauses of Loyer (version 0).',
      ),
      ...check(url),
    ]
    const leaseName = (n: string): string => `${say('Bail n°', 'Lease No.')} ${n}`
    const leaseFooter = (n: string): string => `${leaseName(n)} – Thérèse Épiphanie Ɛbɔlɔwa`

    test('a lease of a home, out for signing', async () => {
      const terms = { endDate: '2027-03-09', autoRenew: true, depositAmount: 120_000, noticeMonths: 3, dueDay: 15 }
      const s = await begun(locale, terms)
      const { text, url, number } = await read(s, "kind = 'LEASE_CONTRACT'", locale, leaseFooter, true)
      const until = say('jusqu’au 9 mars 2027 inclus', 'until 9 March 2027 inclusive')
      const due = say('le 15 de chaque mois', 'on the 15th of each month')
      const deposit = say('cent vingt mille francs CFA', 'one hundred and twenty thousand CFA francs')
      same(text, [
        ...top(leaseName(number), say('Contrat de bail à usage d’habitation', 'Residential lease agreement')),
        say('Projet soumis à la signature des parties', 'Draft submitted to the parties for signature'),
        say('Entre les soussignés', 'Between the undersigned'),
        ...landlord,
        say('LOCATAIRE', 'TENANT'),
        ...tenant,
        say('Conditions particulières', 'Special conditions'),
        say('Lieux loués', 'Premises'),
        ...place,
        say('Prise d’effet', 'Effective from'),
        say('10 mars 2026', '10 March 2026'),
        say('Durée', 'Term'),
        until,
        say('Renouvellement', 'Renewal'),
        say(
          'se poursuit de mois en mois après son terme, sauf congé',
          'continues from month to month after its term, unless notice is given',
        ),
        say('Loyer mensuel', 'Monthly rent'),
        money('60,000'),
        common.rentInWords,
        say('TVA Exonérée', 'VAT (TVA) Exempt'),
        say('Échéance', 'Due'),
        due,
        say('Dépôt de garantie (caution)', 'Security deposit'),
        money('120,000'),
        deposit,
        say('Préavis de congé 3 mois', 'Notice to quit 3 months'),
        say('Conditions générales', 'General conditions'),
        ...clauses(HOME, {
          ...common,
          term: until,
          renewal: say(
            'se poursuit, à son terme, de mois en mois et aux mêmes conditions, sauf congé',
            'goes on, at its term, from month to month on the same conditions, unless notice is given',
          ),
          tva: say('exonérée', 'exempt'),
          rentGross: money('60,000'),
          dueDay: due,
          deposit: money('120,000'),
          depositInWords: deposit,
          notice: say('3 mois', '3 months'),
        }),
        ...ending(url),
      ])
    })

    test('a lease of an office, with TVA; without end, deposit or notice', async () => {
      const s = await inForce(locale, { tvaBasisPoints: 1925 }, 'OFFICE')
      const { text, url, number } = await read(s, "variant = 'UNSIGNED'", locale, leaseFooter, true)
      const none = say('non convenu', 'not agreed')
      same(text, [
        ...top(leaseName(number), say('Contrat de bail à usage professionnel', 'Business lease agreement')),
        say(
          'Bail en vigueur, à signer sur papier par les parties',
          'Lease in force, to be signed on paper by the parties',
        ),
        say('Entre les soussignés', 'Between the undersigned'),
        ...landlord,
        say('LOCATAIRE', 'TENANT'),
        ...tenant,
        say('Conditions particulières', 'Special conditions'),
        say('Lieux loués Bureau A1, Villa', 'Premises Office A1, Villa'),
        'Rue 1, Douala',
        say('Prise d’effet 10 mars 2026', 'Effective from 10 March 2026'),
        say('Durée sans terme fixé', 'Term no fixed end'),
        say('Loyer mensuel hors taxe', 'Monthly rent, net of tax'),
        money('60,000'),
        common.rentInWords,
        say('TVA 19,25 % du loyer, soit', 'VAT (TVA) 19.25% of the rent, that is'),
        money('11,550'),
        say('Loyer mensuel toutes taxes comprises', 'Monthly rent, all taxes included'),
        money('71,550'),
        say(
          'soixante et onze mille cinq cent cinquante francs CFA',
          'seventy-one thousand five hundred and fifty CFA francs',
        ),
        say('Échéance', 'Due'),
        say(
          'dans les 5 jours qui suivent le début de chaque période mensuelle',
          'within 5 days of the start of each monthly period',
        ),
        say('Dépôt de garantie (caution)', 'Security deposit'),
        none,
        say('Préavis de congé', 'Notice to quit'),
        none,
        say('Conditions générales', 'General conditions'),
        ...clauses(BUSINESS, {
          ...common,
          term: say('sans terme fixé', 'without a fixed end'),
          renewal: say(
            'n’a pas de terme et dure jusqu’au congé de l’une des parties',
            'has no fixed end and lasts until either party gives notice',
          ),
          tva: say('19,25 %', '19.25%'),
          rentGross: money('71,550'),
          dueDay: say('dans les cinq jours du début de chaque période', 'within five days of the start of each period'),
          deposit: none,
          trade: none,
          review: none,
          notice: none,
        }),
        ...ending(url),
      ])
    })
  })
}
