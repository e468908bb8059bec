// Messages as the operators of Cameroon send them, in invented words and numbers: what each says, and what is none of ours.
import { describe, expect, test } from 'bun:test'
import { messagesIn, readCredit } from '../../../../src/features/money/payments/messages.ts'

type Said = [
  amount: number,
  id: string,
  payer: string | undefined,
  name: string | undefined,
  paidOn?: string,
  time?: string,
]
const MTN: [string, Said][] = [
  [
    'You have received 150,000 XAF from NGUIDJOL ESTHER (237677410022) on your mobile money account at 2026-03-05 16:30:51. Message from sender: . Your new balance: 412,300 XAF. Financial Transaction Id: 9034411275.',
    [150_000, '9034411275', '+237677410022', 'NGUIDJOL ESTHER', '2026-03-05', '16:30:51'],
  ],
  [
    'Vous avez reçu 85 000 FCFA de ÉTIENNE MBIDA (237 670 11 22 33) sur votre compte Mobile Money le 2026-03-02 08:05:09. Message: Loyer mars appt 4. Nouveau solde: 97 450 FCFA. ID de la transaction financière: 9034411276',
    [85_000, '9034411276', '+237670112233', 'ÉTIENNE MBIDA', '2026-03-02', '08:05:09'],
  ],
  [
    'Vous avez recu 60000 FCFA de KOUAM FOTSO JEAN-PIERRE (677889900). Motif: loyer. Votre nouveau solde est de 61 250 FCFA. Transaction Id: 9034411277',
    [60_000, '9034411277', '+237677889900', 'KOUAM FOTSO JEAN-PIERRE'],
  ],
  [
    "Y'ello. Vous avez recu 75.000 XAF de NDZANA MARIE (237651020304) le 04/03/2026 a 19:12. Frais: 0 XAF. Solde: 80.120 XAF. Ref: 9034411278.",
    [75_000, '9034411278', '+237651020304', 'NDZANA MARIE', '2026-03-04', '19:12'],
  ],
  [
    'Yello! You have received 40000 FCFA from TABI AGBOR (237680556677). Reason: rent. New balance: 40,350 FCFA. TxID: 9034411279.',
    [40_000, '9034411279', '+237680556677', 'TABI AGBOR'],
  ],
  [
    'Your account has been credited with XAF 120,000 from NGWA COLLINS 237 675 00 11 22 on 06-03-2026 at 07:45:00. Fee: 0 XAF. Balance: XAF 122,500. Transaction ID: 9034411280',
    [120_000, '9034411280', '+237675001122', 'NGWA COLLINS', '2026-03-06', '07:45:00'],
  ],
  [
    'Votre compte MoMo a ete credite de 200 000 XAF par SARL BÂTI-PLUS (237654998877) le 07/03/26 14:00:33. Nouveau solde 203 010 XAF. ID transaction 9034411281',
    [200_000, '9034411281', '+237654998877', 'SARL BÂTI-PLUS', '2026-03-07', '14:00:33'],
  ],
  [
    "You have received a payment of 55,000.00 XAF from OBI N'KENG (237678123123) at 2026-03-08 20:20:20. External Transaction Id: RENT-MAR. Your new balance: 61,000 XAF. Financial Transaction Id: 9034411282.",
    [55_000, '9034411282', '+237678123123', "OBI N'KENG", '2026-03-08', '20:20:20'],
  ],
  [
    'Vous avez reçu un transfert de 90.000 FCFA de Mme Élodie Tchinda (+237699887766). Date: 09/03/2026 11h05. Nouveau solde: 90.500 FCFA. ID: 9034411283. MTN MoMo',
    [90_000, '9034411283', '+237699887766', 'Mme Élodie Tchinda', '2026-03-09', '11:05'],
  ],
  [
    'Dépôt reçu: vous avez reçu 25 000 F CFA de AGENT KIOSQUE NKOLBISSON (237672343434). Nouveau solde: 26 000 F CFA. Transaction ID: 9034411284.',
    [25_000, '9034411284', '+237672343434', 'AGENT KIOSQUE NKOLBISSON'],
  ],
  [
    '*165*S*You have received 30 000 XAF from FRU DIVINE(237679000111) . New Balance:30 900 XAF. Financial Transaction Id :9034411285 .*EN#',
    [30_000, '9034411285', '+237679000111', 'FRU DIVINE'],
  ],
  [
    'Forwarded message:\nVous avez recu 1 150 000 FCFA de STE ÎLOT & CIE (******0456) le 2026-03-01 10:00:00.\nNouveau solde: 1 160 000 FCFA.\nID de la transaction : 9034411286.',
    [1_150_000, '9034411286', undefined, 'STE ÎLOT CIE', '2026-03-01', '10:00:00'],
  ],
  [
    '95 000 FCFA reçus de ATEBA JULES (237677001002) le 03/03/2026 09:09:09. Solde: 99 999 FCFA. ID: 9034411287',
    [95_000, '9034411287', '+237677001002', 'ATEBA JULES', '2026-03-03', '09:09:09'],
  ],
  [
    'Papa, 60 000 FCFA du loyer, ID: 1234567890.\nTxId: 9034411299. You have received 60,000 XAF from EYA PAUL (237677001009) at 2026-03-12 08:00:00. New balance: 61,000 XAF.',
    [60_000, '9034411299', '+237677001009', 'EYA PAUL', '2026-03-12', '08:00:00'],
  ],
  [
    'Vous avez recu un transfert de 20000FCFA de MFS PAWAPAY DISBURSEMENT SP (2290166336744) le 2026-02-18 23:04:33. Reference: Txn to deborah. Nouveau solde: 30312 FCFA. ID de la transaction : 11547968751..',
    [20_000, '11547968751', '+2290166336744', 'MFS PAWAPAY DISBURSEMENT SP', '2026-02-18', '23:04:33'],
  ],
  [
    'Transfert 10000F de AGENCE BULK (237651774272) 2026-02-25 19:36:20 Ref:ForfaitComm Solde:14607F ID:11012760098',
    [10_000, '11012760098', '+237651774272', 'AGENCE BULK', '2026-02-25', '19:36:20'],
  ],
  [
    'Depot recu 3250F de NORBERT BIDIAS (237677443140 - ) le 2026-02-12 20:48:52 Solde:4222F ID:10932256987Frais:0F.',
    [3_250, '10932256987', '+237677443140', 'NORBERT BIDIAS', '2026-02-12', '20:48:52'],
  ],
  [
    "Vous avez recu 450 XAF de HONORINE ESSOMBA (237679963900 HONORINE ESSOMBA) sur votre compte Mobile Money 2026-02-27 23:18:23. Message de l'expediteur:. Votre nouveau solde est de 11103 FCFA. Frais: 0 XAF. Transaction ID: 18136684316. Emprunte jusqu'à 100 000 FCFA d'avance en quelques secondes pour tes transactions. Tape *126*6#.",
    [450, '18136684316', '+237679963900', 'HONORINE ESSOMBA', '2026-02-27', '23:18:23'],
  ],
  [
    "Vous avez recu 10000 XAF de LOUISE MBALLA (237678834400) sur votre compte mobile money à 2026-02-24 12:44:33. Message de l'expéditeur: 1. Votre nouveau solde: 10004 XAF. FRAIS: FCFA 0. Financial Transaction Id: 17658394903.",
    [10_000, '17658394903', '+237678834400', 'LOUISE MBALLA', '2026-02-24', '12:44:33'],
  ],
  [
    '[20/11/2026 09:15] Papa: Vous avez recu 85 000F de ESSOMBA PAUL (237677001003). Nouveau solde: 97 000F. ID de la transaction: 9034411288.',
    [85_000, '9034411288', '+237677001003', 'ESSOMBA PAUL'],
  ],
  [
    '20/11/2026, 09:15 - Papa: Vous avez recu 85\u202f000\u00a0F de ESSOMBA PAUL (237677001003) le 19/11/2026 a 18:00. Nouveau solde: 97\u202f000\u00a0F. ID de la transaction: 9034411288.',
    [85_000, '9034411288', '+237677001003', 'ESSOMBA PAUL', '2026-11-19', '18:00'],
  ],
  [
    'You have received an international money transfer of 65,000.00 XAF from REMITLY INC (14155550100) at 2026-03-10 10:00:00. Message from sender: . Your new balance: 66,000 XAF. Financial Transaction Id: 9034411289.',
    [65_000, '9034411289', '+14155550100', 'REMITLY INC', '2026-03-10', '10:00:00'],
  ],
  [
    'Vous avez recu un transfert international de 65 000 FCFA de KAMGA JOSEPH (+33612345678) le 2026-03-10 10:00:00. Nouveau solde: 66 000 FCFA. ID de la transaction: 9034411290.',
    [65_000, '9034411290', '+33612345678', 'KAMGA JOSEPH', '2026-03-10', '10:00:00'],
  ],
  [
    'Vous avez recu 30000 XAF en provenance de ORANGE MONEY CAMEROUN (237699000100) sur votre compte le 2026-03-11 10:00:00. Nouveau solde: 31000 XAF. Identifiant de transaction financiere : 17896121364. ID de transaction externe : 3759457086161032536.',
    [30_000, '17896121364', '+237699000100', 'ORANGE MONEY CAMEROUN', '2026-03-11', '10:00:00'],
  ],
]
const ORANGE: [string, Said][] = [
  [
    'Transfert de 655102030 BIYA NKODO vers 699445566 AGENCE LOGIS reussi. Details: ID transaction: PP260305.1630.C11223, Montant Transaction: 150000FCFA, Frais: 0 FCFA, Commission: 0 FCFA, Montant Net: 150000 FCFA, Nouveau Solde: 340210.4 FCFA.',
    [150_000, 'PP260305.1630.C11223', '+237655102030', 'BIYA NKODO', '2026-03-05', '16:30'],
  ],
  [
    'Depot effectue par 693212223 KIOSQUE MELEN vers 699445566 AGENCE LOGIS. Informations detaillees: Montant de transaction: 45000 FCFA, ID transaction: CI260306.0911.B00412, Frais: 0 FCFA, Commission: 0 FCFA, Montant net du credit: 45000 FCFA, Nouveau solde: 45900 FCFA.',
    [45_000, 'CI260306.0911.B00412', '+237693212223', 'KIOSQUE MELEN', '2026-03-06', '09:11'],
  ],
  [
    'Vous avez recu un transfert de 70 000 FCFA du 691334455. ID: PP260307.1200.D33445. Nouveau solde: 71 205 FCFA. Orange Money vous remercie.',
    [70_000, 'PP260307.1200.D33445', '+237691334455', undefined, '2026-03-07', '12:00'],
  ],
  [
    'Vous avez reçu 65.000 FCFA de la part de HÉLÈNE ATANGANA (237 696 55 44 33). Solde : 65.310 FCFA. Réf : PP260308.0815.A90001. Orange Money',
    [65_000, 'PP260308.0815.A90001', '+237696554433', 'HÉLÈNE ATANGANA', '2026-03-08', '08:15'],
  ],
  [
    'You have received a transfer of 110,000 XAF from 697 01 02 03 ASONGWE PETER. Txn ID: PP260309.2359.F55667. New balance: 115,250.5 XAF. Thank you for using Orange Money.',
    [110_000, 'PP260309.2359.F55667', '+237697010203', 'ASONGWE PETER', '2026-03-09', '23:59'],
  ],
  [
    'Transfer from 655778899 NJI BRIAN to 699445566 AGENCE LOGIS successful. Details: Transaction ID: PP260310.0000.G10101, Transaction amount: 52500FCFA, Fees: 0 FCFA, Commission: 0 FCFA, Net amount: 52500 FCFA, New balance: 60000 FCFA.',
    [52_500, 'PP260310.0000.G10101', '+237655778899', 'NJI BRIAN', '2026-03-10', '00:00'],
  ],
  [
    'Orange Money: vous avez recu 35 000 FCFA de PAULIN BIKÉLÉ (691234567). Nouveau solde: 109 850 FCFA. ID transaction: OM-987456123.',
    [35_000, 'OM-987456123', '+237691234567', 'PAULIN BIKÉLÉ'],
  ],
  [
    'Orange Money: 80 000 FCFA deposited by 690111213 AGENT TOTAL BASTOS on 11/03/2026 18:40. Fee: 0 FCFA. Balance: 163 275 FCFA. Transaction ID: CI260311.1840.H77001.',
    [80_000, 'CI260311.1840.H77001', '+237690111213', 'AGENT TOTAL BASTOS', '2026-03-11', '18:40'],
  ],
  [
    'Paiement marchand recu: vous avez recu 300000 FCFA de 698765432 ONANA & FILS. ID transaction: MP260312.1015.A00077. Frais marchand: 3000 FCFA. Nouveau Solde: 297000 FCFA. Orange',
    [300_000, 'MP260312.1015.A00077', '+237698765432', 'ONANA FILS', '2026-03-12', '10:15'],
  ],
  [
    "Transfert d'argent recu de 656010203 ÉPSE MOUKOURI vers 699445566. Montant: 100 000 FCFA. Frais: 0 FCFA. ID transaction: PP260313.0730.B2468. Nouveau solde: 101 500 FCFA",
    [100_000, 'PP260313.0730.B2468', '+237656010203', 'ÉPSE MOUKOURI', '2026-03-13', '07:30'],
  ],
  [
    'Depot effectue par 690045900 ETS KALDJOB to 690197100 DIPITA EPALLE. Informations detaillees: Montant de transaction : 2000 FCFA, ID transaction : CI260222.1921.C04642, Frais : 0 FCFA, Commission : 0 FCFA, Montant Net du Credit : 2000 FCFA, Nouveau Solde : 20022.43 FCFA.',
    [2_000, 'CI260222.1921.C04642', '+237690045900', 'ETS KALDJOB', '2026-02-22', '19:21'],
  ],
  [
    'Vous avez recu un transfert de 3300.00 FCFA du 690115431. ID: PP260226.2111.C98322. Consultez votre nouveau solde sur Max it ou au #144#.',
    [3_300, 'PP260226.2111.C98322', '+237690115431', undefined, '2026-02-26', '21:11'],
  ],
  [
    'Vous avez recu un transfert de 5000 FCFA du 690115431 NGO BASSA. Reference PP260226.2111.C98325. Nouveau solde 6000 FCFA. Gagnez (5% de bonus) avec Max it.',
    [5_000, 'PP260226.2111.C98325', '+237690115431', 'NGO BASSA', '2026-02-26', '21:11'],
  ],
  [
    'Vous avez recu un transfert inter-operateurs de 15 000 F du 677000123 TCHOUA ROSE. ID transaction: PP260227.0800.C98323. Nouveau solde: 16 000 F.',
    [15_000, 'PP260227.0800.C98323', '+237677000123', 'TCHOUA ROSE', '2026-02-27', '08:00'],
  ],
]

describe.each([
  ['MTN_MOMO', MTN],
  ['ORANGE_MONEY', ORANGE],
] as const)('%s', (operator, messages) => {
  test.each(messages)('%s', (text, [amount, transactionId, payerNumber, payerName, paidOn, time]) => {
    expect(readCredit(text)).toMatchObject({
      operator,
      amount,
      transactionId,
      payerNumber,
      payerName,
      paidOn,
      time,
    } as never)
  })
})

test.each([
  'Transfert de 699445566 AGENCE LOGIS vers 655102030 BIYA NKODO reussi. ID transaction: PP260305.1630.C11223, Montant Transaction: 10000 FCFA, Frais: 24 FCFA, Commission: 0 FCFA, Montant Net: 10024 FCFA, Nouveau Solde: 2502.88 FCFA.',
  'Transfer from 699445566 AGENCE LOGIS to 655102030 BIYA NKODO successful. Transaction ID: PP260305.1630.C11223, Transaction amount: 10000 FCFA, Fees: 54 FCFA, Net amount: 10054 FCFA, New balance: 2502 FCFA.',
  'Transfert effectue avec succes. Vous avez envoye 25 000 FCFA a KAMGA LUC (677123456). Frais: 250 FCFA. Nouveau solde: 145 200 FCFA. ID transaction: 18274910283.',
  'Yello! 15000 FCFA transferred to MARIE NGU (675554433). Fee: 150 FCFA. Balance: 86950 FCFA. Transaction ID: 294810395.',
  'You have sent 50,000 XAF to NGO BASSA (237677123456). Your new balance: 3,000 XAF. Fee: 250 XAF. Financial Transaction Id: 76662021700.',
  'You transferred 17,500 XAF to LUC (698765432). Fee: 175 XAF. New balance: 63,275 XAF. Txn ID: OM-8371920.',
  'Paiement de 12 500 FCFA effectue avec succes a ENEO. Frais: 0 FCFA. Solde restant: 132 700 FCFA. TxID: 8493029104.',
  'Cash Out successful. You withdrew 30,000 FCFA from Agent KIOSK (671234567). Fee: 600 FCFA. New Balance: 102,100 FCFA. Financial Transaction Id: 9482710394.',
  "Retrait d'argent reussi par le 693000111 KIOSQUE avec le Code: 60066. Informations detaillees: Montant: 20000 FCFA, Frais: 350 FCFA, No de transaction CO260305.1630.A11111, montant net debite 20350 FCFA, Nouveau solde: 89450 FCFA.",
  'Recharge reussie de 2000 FCFA pour le numero 677889900. Nouveau solde MoMo: 84 950 FCFA. Txn ID: 736291048.',
  'Echec de la transaction: vous avez recu 0 FCFA de X. ID: 736291048.',
  'La transaction de 45 000 FCFA de NGO BASSA (677123456) a echoue. ID: 736291048.',
  'The transfer of 45,000 XAF you have received from NGO BASSA (677123456) was reversed. Transaction Id: 736291048.',
  'Transfert de 655102030 BIYA NKODO vers 699445566 AGENCE LOGIS annule. ID transaction: PP260305.1630.C11223, Montant Transaction: 10000 FCFA, Frais: 0 FCFA.',
  'Transfert de 655102030 BIYA NKODO vers 699445566 AGENCE LOGIS en attente. ID transaction: PP260305.1630.C11223, Montant Transaction: 10000 FCFA, Frais: 0 FCFA.',
  'Votre code de confirmation MoMo est 550112. Ne le partagez avec personne. Transaction de 150000 FCFA.',
  'NGO BASSA (677123456) vous demande 60 000 FCFA. Composez *126# pour approuver. ID: 736291048.',
  'You have received a request to pay 60,000 XAF from NGO BASSA (677123456). Dial *126# to approve. ID: 736291048',
  'Felicitations! Vous avez recu 500 FCFA de bonus MoMo. Composez *126# pour en profiter. ID: 736291048.',
  'Gagnez 100 000 FCFA avec MTN MoMo! Vous avez recu un ticket. Code 736291048.',
  'Vous avez recu un pret MoMo de 50 000 FCFA (MoKash). A rembourser le 05/04/2026. ID: 736291048.',
  'You have received a loan of 50,000 XAF from XtraCash. Pay back by 05/04/2026. Transaction Id: 736291048.',
  'Le solde de votre compte est de 150000 FCFA. ID: 736291048.',
  'Vous recevrez 150 000 FCFA de NGO BASSA (677123456). ID: 736291048.',
  "Vous n'avez pas recu 150 000 FCFA de NGO BASSA (677123456). ID: 736291048.",
])('no money received: %s', (text) => {
  expect(readCredit(text)).toBe('not_credit')
})

describe('several messages in one paste', () => {
  const texts = (messages: readonly [string, Said][]) => messages.map(([text]) => text)
  const [a = '', b = ''] = texts(MTN)
  const [c = '', d = ''] = texts(ORANGE)
  const sent =
    'You have sent 50,000 XAF to NGO BASSA (237677123456). Your new balance: 3,000 XAF. Financial Transaction Id: 76662021700.'
  test.each([
    ['one', a, [a]],
    ['one with line breaks', a.replaceAll('. ', '.\n'), [a.replaceAll('. ', '.\n')]],
    ['one below a greeting', `Bonjour Papa\n\n${a}`, [`Bonjour Papa\n${a}`]],
    ['two, line by line', `${a}\n${b}`, [a, b]],
    [
      'three, as a chat copies them',
      `[20/11/2026 09:15] Papa: ${a}\n[20/11/2026 09:16] Papa: ${c}\n[20/11/2026 09:17] Papa: ${b}`,
      [a, c, b],
    ],
    ['two, the second below a greeting', `${a}\nY'ello. ${b}`, [a, `Y'ello. ${b}`]],
    [
      'two with line breaks within',
      `${a.replaceAll('. ', '.\n')}\n\n${b.replaceAll('. ', '.\n')}`,
      [a.replaceAll('. ', '.\n'), b.replaceAll('. ', '.\n')],
    ],
    ['one that left between', `${a}\n${sent}\n${c}`, [a, sent, c]],
    ['two without a line break, and no words of a payer', `${c} ${d}`, [c, d]],
    [
      'a payer who wrote of money received',
      `${a.replace('sender: ', 'sender: vous avez recu 5 FCFA de X')}\n${c}`,
      [a.replace('sender: ', 'sender: vous avez recu 5 FCFA de X'), c],
    ],
    ['nothing', 'Bonjour', ['Bonjour']],
  ])('%s', (_name, text, messages) => {
    expect(messagesIn(text)).toEqual([...messages])
  })

  test('long and hostile pastes end quickly and quietly', () => {
    for (const piece of ['recu 5 fcfa. ', 'recu 5 fcfa de a. id: 999999.\n', '\n', ' ', 'ref: ', '1 ', 'a. \n'])
      expect(messagesIn(piece.repeat(10_000 / piece.length)).join('\n').length).toBeLessThanOrEqual(10_000)
  })
})
