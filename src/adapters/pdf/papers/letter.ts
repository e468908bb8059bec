import { FORMAL_NOTICE } from '../../../core/countries/ohada.ts'
import { moneyInWords, numberInWords } from '../../../core/numbers-in-words.ts'
import { createKit, type Kit } from '../kit.ts'
import {
  amountBox,
  closing,
  landlordLines,
  masthead,
  partyLines,
  premisesText,
  type Speech,
  shortened,
  speak,
} from '../parts.ts'
import type { LetterData, Seal } from '../port.ts'
import { PAGE, SOFT, type Style, WIDTH } from '../style.ts'
import { columns, table } from '../tables.ts'
import { de } from './labels-fr.ts'

const fr = {
  title: 'Mise en demeure de payer',
  number: (n: string) => `Mise en demeure n° ${n}`,
  to: 'À l’attention de',
  subject: (premises: string) => `Objet : loyers et charges impayés – ${premises}`,
  dear: 'Madame, Monsieur,',
  owed: 'Sauf erreur de notre part, les sommes suivantes, dues au titre du bail des lieux désignés ci-dessus, restent impayées à ce jour :',
  cols: ['Facture', 'Période', 'Échéance', 'Montant', 'Payé', 'Reste dû'],
  deposit: (sum: string, held: string) =>
    `Total des factures\u00a0: ${sum}. Le bail a pris fin\u00a0: le dépôt de garantie détenu, ${held}, en est déduit.`,
  total: 'Total à payer',
  words: (w: string) => `Soit la somme ${de(w)}.`,
  demand: (days: string, n: number, day: string) =>
    `En conséquence, nous vous mettons en demeure de nous régler la totalité de cette somme dans un délai de ${days} (${n}) jours à compter de la date de la présente lettre, soit au plus tard le ${day}.`,
  otherwise:
    'À défaut de paiement complet dans ce délai, nous nous verrions contraints de saisir la juridiction compétente afin d’obtenir le paiement de la dette et, le cas échéant, la résiliation du bail, tous nos droits étant réservés.',
  business: {
    demand: (day: string) =>
      `En conséquence, et en application de l’article ${FORMAL_NOTICE.article} de l’${FORMAL_NOTICE.title.fr}, nous vous mettons en demeure de respecter la clause du bail relative au paiement du loyer et des charges, en nous réglant la totalité de cette somme dans un délai d’un (1) mois à compter de la réception de la présente lettre, soit, si elle vous parvient à sa date, au plus tard le ${day}.`,
    otherwise:
      'À défaut de vous exécuter dans ce délai, la juridiction compétente, statuant à bref délai, sera saisie aux fins de résiliation du bail et d’expulsion du preneur et de tout occupant de son chef, ainsi que de paiement de la dette, tous nos droits étant réservés.',
  },
  amicable:
    'Si vous avez réglé ces sommes entre-temps, nous vous remercions de nous en transmettre la preuve et de tenir cette lettre pour sans objet. En cas de difficulté, nous vous invitons à prendre contact avec nous avant cette date afin de convenir d’un échéancier.',
  coming: (list: string) => `Pour information, à échoir et non compris dans la somme ci-dessus : ${list}.`,
  comingItem: (n: string, sum: string, day: string) => `facture ${n}, ${sum} au plus tard le ${day}`,
  regards: 'Nous vous prions d’agréer, Madame, Monsieur, l’expression de nos salutations distinguées.',
  place: (day: string) => `Fait à ____________________________ , le ${day}.`,
  signed: 'Pour le bailleur, signature',
  received: 'Reçu par le locataire : nom, date et signature',
}
const en: typeof fr = {
  title: 'Formal notice to pay',
  number: (n) => `Formal notice No. ${n}`,
  to: 'To the attention of',
  subject: (premises) => `Subject: unpaid rent and charges – ${premises}`,
  dear: 'Dear Sir or Madam,',
  owed: 'Unless we are mistaken, the following sums, due under the lease of the premises named above, are still unpaid today:',
  cols: ['Invoice', 'Period', 'Due date', 'Amount', 'Paid', 'Still due'],
  deposit: (sum, held) =>
    `Total of the invoices: ${sum}. The lease has ended: the deposit that is held, ${held}, is deducted from it.`,
  total: 'Total to pay',
  words: (w) => `That is the sum of ${w}.`,
  demand: (days, n, day) =>
    `We therefore give you formal notice to pay us the whole of this sum within ${days} (${n}) days of the date of this letter, that is by ${day} at the latest.`,
  otherwise:
    'Should it not be paid in full by then, we would have no choice but to go before the competent court to obtain payment of the debt and, where appropriate, the termination of the lease, all our rights being reserved.',
  business: {
    demand: (day) =>
      `We therefore give you formal notice, under article ${FORMAL_NOTICE.article} of the ${FORMAL_NOTICE.title.en}, to respect the clause of the lease on the payment of rent and charges by paying us the whole of this sum within one (1) month of the receipt of this letter, that is, if it reaches you on its date, by ${day} at the latest.`,
    otherwise:
      'Should you fail to do so within that time, the competent court, ruling at short notice, will be asked to terminate the lease and to order the eviction of the tenant and of any occupant on the tenant’s behalf, and the payment of the debt, all our rights being reserved.',
  },
  amicable:
    'If you have paid in the meantime, please send us the proof and consider this letter as without object. If you are in difficulty, we invite you to contact us before that date to agree on a payment plan.',
  coming: (list) => `For your information, not yet due and not part of the sum above: ${list}.`,
  comingItem: (n, sum, day) => `invoice ${n}, ${sum} by ${day}`,
  regards: 'Yours faithfully,',
  place: (day) => `Signed at ____________________________ , on ${day}.`,
  signed: 'For the landlord, signature',
  received: 'Received by the tenant: name, date and signature',
}
const WORDS = { fr, en } as const
/** Points between paragraphs, of a box to sign in, and of all that is signed below the text. */
const GAP = 4
const BOX = 54
const SIGNATURES = BOX + 18

/** A demand for what is overdue: parties, each invoice, the total in figures and words, a last day, room to sign. */
export function drawLetter(data: LetterData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { money, date } = speech
  const w = WORDS[data.locale]
  const number = w.number(data.number)
  const kit = createKit({ title: number, locale: data.locale, issuedOn: data.issuedOn })
  const from = data.agent ?? data.landlord
  masthead(kit, speech, { title: w.title, number, from, issuedOn: data.issuedOn })
  kit.space(4)
  columns(kit, [landlordLines(speech, data), partyLines(speech, w.to, data.tenant)])
  kit.space(10)
  kit.text(w.subject(premisesText(speech, data.premises).split('\n').slice(0, 2).join(', ')), { cut: 'bold' })
  kit.space(6)
  kit.text(w.dear)
  kit.space(4)
  kit.text(w.owed)
  kit.space(5)
  debts(kit, speech, w, data)
  const { totalAmount, depositAmount } = data
  if (depositAmount !== undefined) {
    kit.space(5)
    kit.text(w.deposit(money(totalAmount + depositAmount), money(depositAmount)))
  }
  kit.space(8)
  amountBox(kit, w.total, money(totalAmount), w.words(moneyInWords(totalAmount, data.locale)))
  kit.space(8)
  const business = data.use === 'BUSINESS' ? w.business : undefined
  const last = date(data.payBefore)
  const demand = business?.demand(last) ?? w.demand(numberInWords(data.days, data.locale), data.days, last)
  const list = data.coming.map((i) => w.comingItem(i.number, money(i.balanceAmount), date(i.dueDate))).join(' ; ')
  const words: [string, Style][] = [
    [demand, { cut: 'bold' }],
    [business?.otherwise ?? w.otherwise, {}],
    [w.amicable, {}],
    ...(list === '' ? [] : [[w.coming(list), { size: 8.5, color: SOFT }] as [string, Style]]),
    [w.regards, {}],
  ]
  const rest = words.reduce((sum, [text, style]) => sum + kit.heightOf(text, WIDTH, style) + GAP, 0)
  // The signed text stays on the page of the signatures; a list longer than a page continues on the next one.
  kit.room(Math.min(rest + SIGNATURES, kit.bottom - PAGE.top))
  for (const [text, style] of words) {
    kit.text(text, style)
    kit.space(GAP)
  }
  signatures(kit, w, data, date(data.issuedOn))
  closing(kit, speech, number, seal)
  return kit.finish()
}

function debts(kit: Kit, { money, date, period }: Speech, w: typeof fr, data: LetterData): void {
  const [no = '', span = '', due = '', amount = '', paid = '', rest = ''] = w.cols
  table(
    kit,
    [
      { label: no, share: 0.15 },
      { label: span, share: 0.245 },
      { label: due, share: 0.2 },
      { label: amount, share: 0.135, align: 'right' },
      { label: paid, share: 0.135, align: 'right' },
      { label: rest, share: 0.135, align: 'right' },
    ],
    data.invoices.map((i) => ({
      cells: [
        i.number,
        period(i.periodStart, i.periodEnd),
        date(i.dueDate),
        money(i.grossAmount),
        money(i.amountPaid),
        money(i.balanceAmount),
      ],
    })),
  )
}

/** Place and date, and room for both to sign by hand. */
function signatures(kit: Kit, w: typeof fr, data: LetterData, on: string): void {
  const { doc } = kit
  kit.room(SIGNATURES)
  kit.text(w.place(on), { size: 9 })
  kit.space(GAP)
  const gap = 14
  const width = (WIDTH - gap) / 2
  const top = doc.y
  const parties = [
    [w.signed, (data.agent ?? data.landlord).name],
    [w.received, data.tenant.name],
  ] as const
  for (const [i, [role, name]] of parties.entries()) {
    const x = PAGE.left + i * (width + gap)
    kit.artifact(() => doc.roundedRect(x, top, width, BOX, 4).lineWidth(0.7).strokeColor('#94a3b8').stroke())
    kit.put(kit.root, 'P', role, x + 8, top + 7, width - 16, { size: 8, cut: 'bold', color: SOFT })
    // A name of any length stays within its box.
    kit.put(kit.root, 'P', shortened(name, 80), x + 8, top + 19, width - 16, { size: 9 })
  }
  doc.y = top + BOX
  doc.x = PAGE.left
}
