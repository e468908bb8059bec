import { moneyInWords } from '../../../core/numbers-in-words.ts'
import { createKit } from '../kit.ts'
import {
  amountBox,
  closing,
  landlordLines,
  masthead,
  partyLines,
  premisesText,
  SEAL,
  sealBox,
  speak,
} from '../parts.ts'
import type { Seal, StatementData } from '../port.ts'
import { SOFT } from '../style.ts'
import { columns, table } from '../tables.ts'

/** The accounts of a lease at its end: what was owed and paid, and who owes whom what. */
export function drawStatement(data: StatementData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t, money } = speech
  const number = t.statement.number(data.number)
  const kit = createKit({
    title: `${t.statement.title} – ${data.number}`,
    locale: data.locale,
    issuedOn: data.issuedOn,
  })
  const from = data.agent ?? data.landlord
  masthead(kit, speech, { title: t.statement.title, number, from, issuedOn: data.issuedOn })
  kit.space(4)
  columns(kit, [landlordLines(speech, data), partyLines(speech, t.tenant, data.tenant)])
  kit.space(10)
  const { debtAmount, creditAmount } = data
  const balance = debtAmount - creditAmount - data.heldAmount
  const { carriedIn = 0, carriedOut } = data
  const carriedCredit = carriedOut?.creditAmount ?? 0
  const verdict =
    balance > 0
      ? t.statement.tenantOwes
      : balance < 0
        ? t.statement.landlordOwes
        : carriedOut
          ? t.statement.renewed
          : t.statement.even
  const words = `${moneyInWords(Math.abs(balance), data.locale)}.`
  amountBox(kit, t.statement.balance, money(Math.abs(balance)), t.named(verdict, words))
  kit.space(6)
  const facts: [string, string][] = [
    [t.lease.premises, premisesText(speech, data.premises)],
    [t.statement.lease, speech.period(data.startDate, data.endDate)],
    ...(data.reason === undefined ? [] : [[t.statement.reason, data.reason] as [string, string]]),
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
  const account = data.account ?? {
    receivedAmount: data.heldAmount,
    rentOwedAmount: debtAmount,
    deductedAmount: 0,
    returnedAmount: 0,
  }
  const { sums } = t.statement
  const carriedText = sums.carried(
    carriedOut?.lease,
    [
      ...(carriedOut && carriedOut.depositAmount > 0 ? [sums.carriedDeposit(money(carriedOut.depositAmount))] : []),
      ...(carriedCredit > 0 ? [sums.carriedCredit(money(carriedCredit))] : []),
    ].join(', '),
  )
  kit.section(sums.title)
  table(
    kit,
    [
      { label: '', share: 0.72 },
      { label: '', share: 0.28, align: 'right' },
    ],
    [
      { cells: [sums.received, money(account.receivedAmount)] },
      { cells: [sums.rent, money(-account.rentOwedAmount)] },
      { cells: [sums.deducted, money(-account.deductedAmount)] },
      ...(creditAmount + carriedCredit > 0 ? [{ cells: [sums.credit, money(creditAmount + carriedCredit)] }] : []),
      ...(account.returnedAmount > 0 ? [{ cells: [sums.returned, money(-account.returnedAmount)] }] : []),
      ...(carriedOut ? [{ cells: [carriedText, money(-carriedOut.depositAmount - carriedCredit)] }] : []),
      { cells: [balance > 0 ? sums.owed : sums.back, money(Math.abs(balance))], strong: true },
    ],
    false,
  )
  kit.section(t.statement.invoices)
  const [no = '', period = '', amount = '', paid = '', back = '', rest = ''] = t.statement.cols
  if (data.invoices.length === 0) kit.text(t.statement.none)
  else
    table(
      kit,
      [
        { label: no, share: 0.15 },
        { label: period, share: 0.25 },
        { label: amount, share: 0.15, align: 'right' },
        { label: paid, share: 0.15, align: 'right' },
        { label: back, share: 0.15, align: 'right' },
        { label: rest, share: 0.15, align: 'right' },
      ],
      data.invoices.map((i) => ({
        cells: [
          i.number,
          speech.period(i.periodStart, i.periodEnd),
          money(i.grossAmount),
          money(i.amountPaid),
          i.creditedAmount > 0 ? money(i.creditedAmount) : '–',
          money(i.balanceAmount),
        ],
      })),
    )
  kit.section(t.statement.payments)
  const [on = '', by = '', reference = '', value = ''] = t.statement.payCols
  const carried = [
    ...(carriedIn > 0 ? [{ cells: ['', t.statement.carriedIn, '–', money(carriedIn)] }] : []),
    ...(carriedCredit > 0 ? [{ cells: ['', t.statement.carriedOut, '–', money(-carriedCredit)] }] : []),
  ]
  if (data.payments.length + carried.length === 0) kit.text(t.statement.none)
  else
    table(
      kit,
      [
        { label: on, share: 0.24 },
        { label: by, share: 0.28 },
        { label: reference, share: 0.28 },
        { label: value, share: 0.2, align: 'right' },
      ],
      [
        ...data.payments.map((p) => ({
          cells: [
            speech.date(p.paidOn),
            p.type === 'REFUND' ? `${t.statement.refund} – ${speech.method(p.method)}` : speech.method(p.method),
            p.reference ?? '–',
            money(p.type === 'REFUND' ? -p.amount : p.amount),
          ],
        })),
        ...carried,
      ],
    )
  const rows = [
    [t.statement.deposit, data.depositAmount === undefined ? t.notAgreed : money(data.depositAmount)],
    ...data.deposits.map((d) => [
      `${d.carried && d.type !== 'DEDUCTED' ? t.statement.carried[d.type] : t.statement.entries[d.type]}, ${speech.date(d.paidOn)}${d.reason === undefined ? '' : ` – ${d.reason}`}`,
      money(d.type === 'RECEIVED' ? d.amount : -d.amount),
    ]),
    ...(data.deposits.length === 0 ? [] : [[t.statement.held, money(data.heldAmount)]]),
  ]
  // On one page with the code, so that a page never holds the code alone.
  kit.room(Math.min(rows.length, 12) * 21 + (data.heldAmount > 0 ? 50 : 36) + SEAL)
  kit.section(t.statement.deposits)
  table(
    kit,
    [
      { label: '', share: 0.75 },
      { label: '', share: 0.25, align: 'right' },
    ],
    rows.map((cells) => ({ cells })),
    false,
  )
  if (data.heldAmount > 0) {
    kit.space(3)
    kit.text(t.statement.depositNote, { size: 8, color: SOFT })
  }
  kit.space(4)
  sealBox(kit, speech, seal)
  closing(kit, speech, number, seal)
  return kit.finish()
}
