import { createKit } from './kit.ts'
import { amountBox, closing, masthead, partyLines, premisesText, sealBox, speak } from './parts.ts'
import type { Seal, StatementData } from './port.ts'
import { columns, table } from './tables.ts'

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
  columns(kit, [
    partyLines(speech, t.landlord, from, data.agent ? [t.onBehalfOf(data.landlord.name)] : []),
    partyLines(speech, t.tenant, data.tenant),
  ])
  kit.space(10)
  const facts: [string, string][] = [
    [t.lease.premises, premisesText(speech, data.premises)],
    [t.statement.lease, speech.period(data.startDate, data.endDate)],
    [t.statement.ended, speech.date(data.endDate)],
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
  if (data.payments.length === 0) kit.text(t.statement.none)
  else
    table(
      kit,
      [
        { label: on, share: 0.24 },
        { label: by, share: 0.28 },
        { label: reference, share: 0.28 },
        { label: value, share: 0.2, align: 'right' },
      ],
      data.payments.map((p) => ({
        cells: [
          speech.date(p.paidOn),
          p.type === 'REFUND' ? `${t.statement.refund} – ${speech.method(p.method)}` : speech.method(p.method),
          p.reference ?? '–',
          money(p.type === 'REFUND' ? -p.amount : p.amount),
        ],
      })),
    )
  kit.section(t.statement.balance)
  table(
    kit,
    [
      { label: '', share: 0.7 },
      { label: '', share: 0.3, align: 'right' },
    ],
    [
      { cells: [t.statement.debt, money(data.debtAmount)] },
      { cells: [t.statement.credit, money(data.creditAmount)] },
      {
        cells: [
          data.depositAmount === undefined
            ? t.statement.deposit
            : `${t.statement.deposit} (${t.statement.depositNote})`,
          data.depositAmount === undefined ? t.notAgreed : money(data.depositAmount),
        ],
      },
      ...data.deposits.map((d) => ({
        cells: [
          `${t.statement.entries[d.type]}, ${speech.date(d.paidOn)}${d.reason === undefined ? '' : ` – ${d.reason}`}`,
          money(d.amount),
        ],
      })),
      ...(data.deposits.length === 0 ? [] : [{ cells: [t.statement.held, money(data.heldAmount)] }]),
    ],
    false,
  )
  kit.space(10)
  const balance = data.debtAmount - data.creditAmount
  const verdict = balance > 0 ? t.statement.tenantOwes : balance < 0 ? t.statement.landlordOwes : t.statement.even
  amountBox(kit, t.statement.balance, money(Math.abs(balance)), verdict)
  kit.space(6)
  sealBox(kit, speech, seal)
  closing(kit, speech, number, seal)
  return kit.finish()
}
