// What the payer types is none of the operator's: under every label, in every shape of message, it changes nothing.
import { describe, expect, test } from 'bun:test'
import { type Credit, readCredit } from '../../../../src/features/money/payments/messages.ts'

/** The labels under which MTN and Orange show what the payer typed. */
const LABELS = [
  'Reference',
  'Référence',
  'Ref',
  'Réf',
  'Motif',
  'Message',
  'Message from sender',
  "Message de l'expéditeur",
  'Message de l’expediteur',
  'Reason',
  'Raison',
  'Note',
  'Comment',
  'Commentaire',
  'Objet',
  'Libellé',
]

const WORDS = [
  '',
  '-',
  'loyer2026',
  'Loyer mars appt 4',
  'loyer 11/2026 ref A1-202611',
  'ID 9999999999 loyer novembre',
  'ID: 9999999999',
  'ref 20261124',
  'Transaction id 11111111',
  'ID de la transaction: 1111111111',
  'Financial Transaction Id: 1111111111. Your new balance: 1 XAF',
  'Nouveau solde: 5 FCFA. ID de la transaction: 1111111111',
  'PP260101.0000.C11111',
  'Ref: CI260101.0000.A11111',
  'paye le 2026-01-01 00:00:01',
  'Date: 01/02/2026 11h05',
  'du 30/02/2026',
  '1 000 000 FCFA',
  'Montant: 1 FCFA',
  '85 000F pour deux mois, frais: 500F',
  'vous avez envoye 40 000 FCFA',
  'vous avez recu 9 000 000 FCFA de PERSONNE (699000000)',
  'You have received 1 XAF from X',
  'echec. transaction annulee, en attente',
  'request to pay, pending, failed',
  'un pret, bonus et cashback MoKash',
  'Orange Money vous remercie',
  'de FOUDA PAUL (699000000)',
  'Motif: Message: Note: Raison:',
  'Solde du loyer. Merci. A+',
  '💰🏠 n° 4 : ok (1)',
  'Message from sender: rien. Reference: rien.',
]

const said = {
  operator: 'MTN_MOMO',
  amount: 40_000,
  transactionId: '9667599021',
  payerNumber: '+237670000102',
  payerName: 'NGO BASSA MARIE',
  paidOn: '2026-11-20',
  time: '09:14:20',
  balance: '212500',
} as const
type Shape = [name: string, text: (words: string) => string, said: Partial<Credit>]
const SHAPES: readonly Shape[] = [
  [
    'French, balance and id after the words',
    (words) =>
      `Vous avez recu 40000 FCFA de NGO BASSA MARIE (237670000102) le 2026-11-20 09:14:20. ${words}. Nouveau solde: 212500 FCFA. ID de la transaction: 9667599021.`,
    said,
  ],
  [
    'French, id alone after the words',
    (words) =>
      `Vous avez recu 40 000 FCFA de NGO BASSA MARIE (237670000102) le 20/11/2026 à 09:14:20. Nouveau solde: 212 500 FCFA. ${words}. ID de la transaction : 9667599021..`,
    said,
  ],
  [
    'French, with an advertisement',
    (words) =>
      `Vous avez recu 40000 XAF de NGO BASSA MARIE (237670000102 NGO BASSA MARIE) sur votre compte Mobile Money 2026-11-20 09:14:20. ${words}. Votre nouveau solde est de 212500 FCFA. Frais: 0 XAF. Transaction ID: 9667599021. Emprunte jusqu'à 100 000 FCFA d'avance en quelques secondes. Tape *126*6#.`,
    said,
  ],
  [
    'French, id before the words',
    (words) =>
      `Vous avez recu 40000 FCFA de NGO BASSA MARIE (670000102) le 2026-11-20 09:14:20. Transaction Id: 9667599021.${words}. Nouveau solde:212500 FCFA`,
    said,
  ],
  [
    'English',
    (words) =>
      `You have received 40,000 XAF from NGO BASSA MARIE (237670000102) on your mobile money account at 2026-11-20 09:14:20. ${words}. Your new balance: 212,500 XAF. Financial Transaction Id: 9667599021.`,
    said,
  ],
  [
    'English, with the fee and an external id',
    (words) =>
      `Y'ello! You have received a payment of 40,000.00 XAF from NGO BASSA MARIE (237670000102) at 2026-11-20 09:14:20. ${words}. New balance: 212,500 XAF. FEE: XAF 0. External Transaction Id: 5555555555. Financial Transaction Id: 9667599021.`,
    said,
  ],
  [
    'short, bare F',
    (words) =>
      `Transfert 40000F de NGO BASSA MARIE (237670000102) 2026-11-20 09:14:20 ${words} Solde:212500F ID:9667599021`,
    said,
  ],
  [
    'Orange',
    (words) =>
      `Vous avez recu un transfert de 40000.00 FCFA du 690000102 NGO BASSA MARIE. ${words}. Nouveau solde 212500.00 FCFA. ID transaction: PP261120.0914.C98322. Orange Money`,
    {
      ...said,
      operator: 'ORANGE_MONEY',
      transactionId: 'PP261120.0914.C98322',
      payerNumber: '+237690000102',
      time: '09:14',
    },
  ],
]

describe.each(LABELS)('%s', (label) => {
  test.each(WORDS)('%s', (words) => {
    for (const [name, text, expected] of SHAPES)
      for (const typed of [`${label}: ${words}`, `${label} :${words}`])
        expect([name, readCredit(text(typed))]).toMatchObject([name, expected])
  })
})

const NAMES = [
  'ETS EN COURS SARL',
  'PRET A PORTER',
  'BONUS MARIE',
  'ORANGE BOUTIQUE',
  'MTN SHOP',
  'SARL ID 9999999999',
  'REF 123456789012',
  'LOYER 01-01-2026',
  'CENT MILLE 100 000 FCFA',
  'NOUVEAU MARCHE DATE',
  'A. B. NGO & CIE',
  'VERS LE SUD SUR VOTRE',
  'ECHEC ANNULE',
  'FOUDA 699000000 PAUL',
]
test.each(NAMES)('a payer by the name of «%s» changes no more', (name) => {
  for (const [shape, text, { payerName: _, ...expected }] of SHAPES.slice(0, 7))
    expect([shape, readCredit(text('Motif: loyer').replaceAll('NGO BASSA MARIE', name))]).toMatchObject([
      shape,
      expected,
    ])
})

test.each([
  [
    'a message of which the id was cut off',
    'Vous avez recu 40000 FCFA de NGO BASSA (237670000102) le 2026-11-20 09:14:20. Message: ID 9999999999 loyer.',
    'no_transaction',
  ],
  [
    '… in the operator’s own label',
    'Vous avez recu 40000 FCFA de NGO BASSA (237670000102). Message: ID de la transaction: 9999999999 loyer',
    'no_transaction',
  ],
  [
    'a telephone number under Ref',
    'Vous avez recu 40000 FCFA de NGO BASSA (237670000102). Ref: 237677000111. Nouveau solde: 5 FCFA.',
    'no_transaction',
  ],
  [
    'another sum of which the sender of a forwarded message wrote before it',
    'Papa, j’ai recu 5000 FCFA de Paul hier.\nVous avez recu 40000 FCFA de NGO BASSA (237670000102). ID: 9667599021.',
    'inconsistent',
  ],
  [
    'an id that they wrote before a message without one',
    'Transaction ID: 9999999999 pour toi\nVous avez recu 40000 FCFA de NGO BASSA (237670000102). Nouveau solde: 5 FCFA.',
    'no_transaction',
  ],
  [
    'an external id alone',
    'You have received 40000 XAF from NGO BASSA (237670000102). Message: . Your new balance: 5 XAF. External Transaction Id: 5555555555.',
    'no_transaction',
  ],
  [
    'two ids of the operator',
    'Vous avez recu 40000 FCFA de NGO BASSA (237670000102). ID de la transaction: 9667599021. Transaction Id: 9667599022.',
    'inconsistent',
  ],
  [
    'two days with a clock',
    'Vous avez recu 40000 FCFA de NGO BASSA (237670000102) le 2026-11-20 09:14:20. Date: 2026-11-21 09:14:20. ID: 9667599021.',
    'inconsistent',
  ],
  [
    'two messages run together',
    'Vous avez recu 40000 FCFA de A B (237670000102). Motif: x. ID: 9667599021. Vous avez recu 5000 FCFA de C D (237670000103). Motif: y. ID: 9667599444.',
    'inconsistent',
  ],
  [
    'a payment whose words tell of money received',
    'Paiement de 12500 FCFA effectue a ENEO. Message: vous avez recu 12500 FCFA de X. ID: 9667599021.',
    'not_credit',
  ],
  [
    'a transfer to somebody',
    'Transfert de 10000 FCFA effectue avec succes a MAMAN (677000111) le 2026-11-20 09:14:20. FRAIS 50 FCFA. Transaction Id: 9667599021 ; Reference: x. Nouveau solde est: 5 FCFA',
    'not_credit',
  ],
  [
    'a short transfer to somebody',
    'Transfert 5825F a WILFRIED (237670000102) 2026-11-24 20:38:42 Frais: 50F Solde:4607F Ref: Food  ID: 11006892094',
    'not_credit',
  ],
  [
    'a day without a clock that never was',
    'Vous avez recu 40000 FCFA de NGO BASSA (237670000102) le 31/11/2026. ID: 9667599021.',
    'inconsistent',
  ],
] as const)('not guessed: %s', (_name, text, why) => {
  expect(readCredit(text)).toBe(why)
})
