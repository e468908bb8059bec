import { moneyInWords } from '../../../core/numbers-in-words.ts'
import { wayPaid } from '../../../core/payment-methods.ts'
import { createKit, type Kit } from '../kit.ts'
import {
  amountBox,
  closing,
  masthead,
  onBehalfLines,
  partyLines,
  premisesText,
  type Speech,
  sealBox,
  speak,
} from '../parts.ts'
import type { ReceiptData, Seal } from '../port.ts'
import { PAGE, SOFT, WIDTH } from '../style.ts'
import { columns, table } from '../tables.ts'

/** What was paid: a quittance where it settles its periods, else a receipt for a part or an advance. */
export function drawReceipt(data: ReceiptData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t } = speech
  const ended = data.ended ?? false
  const loose = data.invoices.length === 0 && (ended ? 'credit' : 'advance')
  const { deposit } = data
  const returned = data.refund || (deposit?.returned ?? false)
  const way = t.receipt.ways[deposit ? 'RECEIVED' : wayPaid(data.payment?.method)]
  const received = way === t.receipt.ways.RECEIVED
  const payer = received ? data.payment?.payer : undefined
  const title = deposit
    ? t.receipt.title[deposit.returned ? 'discharge' : 'deposit']
    : data.refund
      ? t.receipt.title.refund
      : data.full
        ? t.receipt.title.full
        : loose
          ? t.receipt.title[loose]
          : way.part
  const number = t.receipt.number(data.number)
  const kit = createKit({ title: `${title} ${number}`, locale: data.locale, issuedOn: data.issuedOn })
  const from = data.agent ?? data.landlord
  masthead(kit, speech, { title, number, from, issuedOn: data.issuedOn })
  kit.space(4)
  columns(kit, [
    partyLines(speech, returned ? t.receipt.givenBy : received ? t.receipt.from : t.receipt.by, from, {
      more: data.agent ? onBehalfLines(speech, data.landlord) : [],
    }),
    partyLines(
      speech,
      returned ? t.receipt.from : received ? t.receipt[payer === undefined ? 'to' : 'for'] : t.tenant,
      data.tenant,
    ),
  ])
  kit.space(10)
  amountBox(
    kit,
    returned ? t.receipt.amountRefunded : way.amount,
    speech.money(data.amount),
    moneyInWords(data.amount, data.locale),
  )
  kit.space(10)
  const facts: [string, string][] = [
    ...(payer === undefined ? [] : [[t.receipt.to, t.receipt.behalf(payer, data.tenant.name)] as [string, string]]),
    ...(data.payment
      ? ([
          [t.receipt.method, speech.method(data.payment.method)],
          [data.refund ? t.receipt.refundedOn : t.receipt.paidOn, speech.date(data.payment.paidOn)],
          ...(data.payment.reference === undefined ? [] : [[t.receipt.reference, data.payment.reference]]),
          ...(data.payment.creditOf === undefined ? [] : [[t.receipt.creditOf, data.payment.creditOf]]),
        ] as [string, string][])
      : deposit
        ? ([
            [returned ? t.receipt.refundedOn : t.receipt.paidOn, speech.date(deposit.on)],
            [t.receipt.held, speech.money(deposit.heldAmount)],
          ] as [string, string][])
        : [[t.receipt.method, t.receipt.fromCredit] as [string, string]]),
    [t.lease.premises, premisesText(speech, data.premises)],
  ]
  table(
    kit,
    [
      { label: '', share: 0.34 },
      { label: '', share: 0.66 },
    ],
    facts.map((cells) => ({ cells })),
    false,
  )
  if (!data.refund && !deposit) drawLines(kit, speech, data)
  kit.space(10)
  const words = moneyInWords(data.amount, data.locale)
  const got = way.said(words) + (payer === undefined ? '' : t.receipt.paidBy(payer))
  const { length } = data.invoices
  const sentence = deposit
    ? deposit.returned
      ? t.receipt.discharge(words, deposit.heldAmount === 0)
      : t.receipt.asDeposit(got)
    : data.refund
      ? t.receipt.refund(words)
      : length === 0
        ? t.receipt.advance(got, ended)
        : data.full
          ? t.receipt.full(got, length, data.creditAmount > 0 ? speech.money(data.creditAmount) : '', ended)
          : t.receipt.part(got, speech.money(sum(data.invoices, 'balanceAmount')), length)
  // The acknowledged amount, the signature and the code stay on one page.
  kit.room(kit.heightOf(sentence, WIDTH, {}) + 12 + 76)
  kit.text(sentence)
  kit.space(12)
  const { doc } = kit
  const y = doc.y
  const x = PAGE.left + WIDTH / 2 + 7
  const width = WIDTH / 2 - 7
  kit.artifact(() => doc.roundedRect(x, y, width, 74, 4).lineWidth(0.7).strokeColor('#94a3b8').stroke())
  kit.put(kit.root, 'P', returned ? t.receipt.tenantSigns : t.receipt.signature, x + 8, y + 7, width - 16, {
    size: 8,
    cut: 'bold',
    color: SOFT,
  })
  // The code stands at the left of the signature.
  doc.y = y - 6
  sealBox(kit, speech, seal, WIDTH / 2 - 14)
  closing(kit, speech, `${title} – ${data.number}`, seal)
  return kit.finish()
}

/** The use of the money: invoice by invoice, and the part on no invoice. */
function drawLines(kit: Kit, speech: Speech, data: ReceiptData): void {
  const { t } = speech
  kit.space(12)
  const [invoice = '', period = '', due = '', here = '', rest = ''] = t.receipt.cols
  table(
    kit,
    [
      { label: invoice, share: 0.15 },
      { label: period, share: 0.28 },
      { label: due, share: 0.19, align: 'right' },
      { label: here, share: 0.19, align: 'right' },
      { label: rest, share: 0.19, align: 'right' },
    ],
    [
      ...data.invoices.map((i) => ({
        cells: [
          i.number,
          [
            speech.period(i.periodStart, i.periodEnd),
            ...credits(t, i).map(([say, amount]) => say(speech.money(amount))),
          ].join('\n'),
          speech.money(i.grossAmount - (i.creditedAmount ?? 0)),
          speech.money(i.amount),
          speech.money(i.balanceAmount),
        ],
      })),
      ...(data.creditAmount > 0
        ? [
            {
              cells: [
                '',
                data.ended ? t.receipt.creditEnded : t.receipt.credit,
                '',
                speech.money(data.creditAmount),
                '',
              ],
            },
          ]
        : []),
      {
        cells: [t.receipt.total, '', '', speech.money(data.amount), speech.money(sum(data.invoices, 'balanceAmount'))],
        strong: true,
      },
    ],
  )
  if (data.earlier.length > 1) {
    kit.space(8)
    kit.text(t.receipt.earlier, { size: 9, cut: 'bold' })
    kit.blocks(
      data.earlier.map((p) => ({
        kind: 'item',
        runs: [{ text: t.named(`${speech.date(p.paidOn)}, ${speech.method(p.method)}`, speech.money(p.amount)) }],
      })),
      { size: 9 },
    )
  }
}

/** What is not due any more, and why. */
const credits = (t: Speech['t'], { creditedAmount = 0, waivedAmount = 0 }: ReceiptData['invoices'][number]) =>
  (
    [
      [t.receipt.credited, creditedAmount - waivedAmount],
      [t.receipt.waived, waivedAmount],
    ] as const
  ).filter(([, amount]) => amount > 0)

const sum = <K extends string>(rows: readonly { readonly [P in K]: number }[], key: K): number =>
  rows.reduce((total, row) => total + row[key], 0)
