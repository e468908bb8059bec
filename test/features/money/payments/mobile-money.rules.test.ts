// What credit messages of MTN MoMo and Orange Money say, as they are forwarded, copied and tampered with.
import { describe, expect, test } from 'bun:test'
import { sameName } from '../../../../src/core/case-folding.ts'
import { readAmount, readCredit, sameEvent } from '../../../../src/features/money/payments/messages.ts'
import { referenceOf } from '../../../../src/features/money/payments/rules.ts'

const MTN =
  'You have received 150,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Message from sender: Loyer mars. Your new balance: 312,500 XAF. Financial Transaction Id: 76662021700.'
const ORANGE =
  'Depot effectue par 699112233 NGO BASSA MARIE. Informations detaillees : Montant de transaction : 150000 FCFA, ID transaction : CI260305.1630.A12345, Frais : 0 FCFA, Nouveau Solde : 312500 FCFA.'
const mtn = {
  operator: 'MTN_MOMO',
  amount: 150_000,
  transactionId: '76662021700',
  payerNumber: '+237677123456',
  payerName: 'NGO BASSA MARIE',
  paidOn: '2026-03-05',
  time: '16:30:51',
}
const orange = { ...mtn, operator: 'ORANGE_MONEY', payerNumber: '+237699112233', time: '16:30' }

describe('what is read', () => {
  test.each([
    ['MTN, English', MTN, mtn],
    [
      'MTN, French with accents',
      'Vous avez reçu 150 000 FCFA de NGO BASSA MARIE (+237 677 12 34 56) sur votre compte Mobile Money le 05/03/2026 à 16:30:51. Nouveau solde : 312 500 FCFA. ID de la transaction : 76662021700',
      mtn,
    ],
    [
      'MTN, French without accents, narrow blanks',
      'Vous avez recu 150\u202f000\u00a0XAF de NGO BASSA MARIE (677123456) sur votre compte le 2026-03-05 16:30:51. Transaction Id: 76662021700.',
      mtn,
    ],
    [
      'MTN, currency before the amount, no date',
      'You have received XAF 150,000 from NGO BASSA MARIE 237677123456. Transaction ID: 76662021700',
      { ...mtn, paidOn: undefined, time: undefined },
    ],
    ['MTN, forwarded with words before and line breaks', `Fwd: loyer\n\n${MTN.replaceAll('. ', '.\n')}`, mtn],
    [
      'a number half hidden is no number',
      MTN.replace('237677123456', '*********456'),
      { ...mtn, payerNumber: undefined },
    ],
    ["the payer's own words hold an id", MTN.replace('Loyer mars', 'Transaction id 11111111'), mtn],
    ['Orange, French, deposit', ORANGE, { ...orange, transactionId: 'CI260305.1630.A12345' }],
    [
      'Orange, French, transfer',
      'Transfert de 699112233 NGO BASSA MARIE vers 690001122 ABENA LUC reussi. Details: ID transaction: PP260305.1630.B12345, Montant Transaction: 150000FCFA, Frais: 0FCFA, Montant Net: 150000FCFA, Nouveau Solde: 212345.5FCFA.',
      { ...orange, transactionId: 'PP260305.1630.B12345' },
    ],
    [
      'Orange, French, received',
      'Vous avez recu un transfert de 150000.00 FCFA du 699112233 NGO BASSA MARIE. Reference PP260305.1630.C98322. Nouveau solde 492350.50 FCFA.',
      { ...orange, transactionId: 'PP260305.1630.C98322' },
    ],
    [
      'Orange, English',
      'You have received a transfer of 150 000 FCFA from 699112233 NGO BASSA MARIE. Transaction ID: PP260305.1630.C98322. New balance: 500 FCFA.',
      { ...orange, transactionId: 'PP260305.1630.C98322' },
    ],
  ] as const)('%s', (_name, text, expected) => {
    expect(readCredit(text)).toMatchObject(expected as never)
  })
})

describe('what is not', () => {
  test.each([
    ['nothing', '', 'not_credit'],
    ['small talk', 'Bonjour, j’ai payé le loyer de mars', 'not_credit'],
    ['a one-time code', 'Votre code est 123456', 'not_credit'],
    [
      'money that left',
      'You have transferred 150,000 XAF to NGO BASSA (237677123456). Financial Transaction Id: 7666.',
      'not_credit',
    ],
    [
      'money that left, French',
      'Vous avez envoyé 150 000 FCFA à NGO BASSA. ID de la transaction : 76662021700',
      'not_credit',
    ],
    [
      'a payment of a bill',
      'Your payment of 5,000 XAF to ENEO was received. Transaction Id: 76662021700',
      'not_credit',
    ],
    ['a transfer that failed', 'Echec : vous avez recu 150 000 FCFA de X. ID: 76662021700', 'not_credit'],
    ['no amount', 'You have received money from NGO BASSA. Transaction Id: 76662021700', 'not_credit'],
    ['parts of a franc', MTN.replace('150,000', '150,000.50'), 'no_amount'],
    ['another currency', MTN.replace('150,000 XAF', '150,000 GHS'), 'not_credit'],
    ['no transaction', MTN.replace(/Financial.*/, ''), 'no_transaction'],
    ['a day that never was', MTN.replace('2026-03-05', '2026-02-30'), 'inconsistent'],
  ] as const)('%s', (_name, text, why) => {
    expect(readCredit(text)).toBe(why)
  })

  test('Orange writes the day into the id and the amount twice: a digit changed in one of them shows', () => {
    const dated = `Vous avez recu 150000 FCFA du 699112233 NGO BASSA le 05/03/2026. Montant transaction: 150000 FCFA. ID: PP260305.1630.C98322.`
    expect(readCredit(dated)).toMatchObject({ amount: 150_000 })
    for (const changed of [
      dated.replace('PP260305', 'PP260306'),
      dated.replace('05/03/2026', '06/03/2026'),
      dated.replace('recu 150000', 'recu 160000'),
      dated.replace('transaction: 150000', 'transaction: 150001'),
      dated.replace('PP260305', 'PP261305'),
    ])
      expect(readCredit(changed)).toBe('inconsistent')
  })

  test('one digit changed is read as that digit or not at all: nothing is rounded or shifted', () => {
    for (const [text, operator] of [
      [MTN, 'MTN_MOMO'],
      [ORANGE, 'ORANGE_MONEY'],
    ] as const)
      for (const { 0: digit, index } of text.matchAll(/\d/g)) {
        const read = readCredit(`${text.slice(0, index)}${(Number(digit) + 1) % 10}${text.slice(index + 1)}`)
        if (typeof read === 'object') expect([read.operator, [...String(read.amount)].length]).toEqual([operator, 6])
      }
  })

  test('long and hostile texts end quickly and quietly', () => {
    for (const text of [
      'recu '.repeat(200),
      'a'.repeat(1000),
      '1 '.repeat(500),
      `recu ${'1.'.repeat(480)} fcfa`,
      '\u{1f4b8}'.repeat(300),
    ])
      expect(typeof readCredit(text)).toBe('string')
  })
})

test.each([
  ['150000', 150_000],
  ['150 000', 150_000],
  ['150,000', 150_000],
  ['150.000', 150_000],
  ['1,150,000.00', 1_150_000],
  ['150000,0', 150_000],
  ['85', 85],
  ['0', undefined],
  ['150,0000', undefined],
  ['15 00', undefined],
  ['1.5', undefined],
  ['9999999999999', undefined],
] as const)('%s francs: %p', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})

test.each([
  ['NGO BASSA MARIE', 'Ngo Bassa Marie-Claire', true],
  ['marie ngo bassa', 'Ngo Bassa Marie-Claire', true],
  ['Éléonore Mbarga', 'MBARGA ELEONORE', true],
  ['MBARGA', 'Mbarga Éléonore', false],
  ['Jean Mbarga', 'Jeanne Mbarga', false],
  ['', 'Mbarga', false],
] as const)('%s is %s: %p', (a, b, same) => {
  expect(sameName(a, b)).toBe(same)
})

const event = { transactionId: '7712345678', amount: 60_000, paidOn: '2026-03-05', time: '16:30:51', balance: '90000' }
test.each([
  ['one digit of the id', { transactionId: '7712345679', time: '17:00:00', paidOn: '2026-03-06' }, true],
  [
    'one digit of the id, all else another',
    { transactionId: '7712345679', amount: 1, balance: '1', time: '17:00:00' },
    false,
  ],
  ['the same second and amount', { transactionId: '9', balance: '1' }, true],
  ['the same second and balance', { transactionId: '9', amount: 1 }, true],
  ['the same second, no balance', { transactionId: '9', balance: null }, true],
  ['another second', { transactionId: '9', time: '16:30:52' }, false],
  ['the same minute and amount, no balance', { transactionId: '9', time: '16:30', balance: null }, true],
  ['the same minute and amount, another balance', { transactionId: '9', time: '16:30', balance: '150000' }, false],
  ['another minute, the same balance', { transactionId: '9', time: '16:31' }, false],
  ['another day', { transactionId: '9', paidOn: '2026-03-06' }, false],
  ['no time', { transactionId: '9', time: null }, false],
] as const)('the same event: %s', (_name, changed, same) => {
  expect([sameEvent(event, { ...event, ...changed }), sameEvent({ ...event, ...changed }, event)]).toEqual([same, same])
})

test.each([
  ['MTN_MOMO', ' 7712 345 678 ', '7712345678'],
  ['MTN_MOMO', 'Transaction Id: 7712345678.', '7712345678'],
  ['ORANGE_MONEY', 'pp260305.1630.c98322', 'PP260305.1630.C98322'],
  ['ORANGE_MONEY', 'ID PP260305-1630-C98322', 'PP260305.1630.C98322'],
  ['ORANGE_MONEY', 'om-987456123', 'OM-987456123'],
  ['MTN_MOMO', 'loyer mars', 'LOYERMARS'],
  ['MTN_MOMO', ':', ':'],
  ['CHEQUE', ' n° 12 a', ' n° 12 a'],
] as const)('a reference by %s, «%s», is kept as «%s»', (method, written, kept) => {
  expect(referenceOf(method, written)).toBe(kept)
})
