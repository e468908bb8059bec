import { formatCount } from '../../../core/meters.ts'
import { moneyInWords } from '../../../core/numbers-in-words.ts'
import { createKit } from '../kit.ts'
import {
  amountBox,
  closing,
  masthead,
  onBehalfLines,
  partyLines,
  premisesText,
  SEAL,
  sealBox,
  speak,
} from '../parts.ts'
import type { InvoiceData, Seal } from '../port.ts'
import { PAGE, SOFT, WIDTH } from '../style.ts'
import { columns, table } from '../tables.ts'

/** What is owed for a period, or taken off an invoice: parties with their tax numbers, lines, tax or its exemption, total in figures and words. */
export function drawInvoice(data: InvoiceData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t } = speech
  const words = data.credits ? t.creditNote : t.invoice
  // An invoice of charges alone has no period.
  const charges = !data.credits && data.periodStart === undefined
  const title = charges ? t.invoice.charges : words.title
  const number = charges ? t.invoice.chargesNumber(data.number) : words.number(data.number)
  const kit = createKit({ title: number, locale: data.locale, issuedOn: data.issuedOn })
  const from = data.agent ?? data.landlord
  masthead(kit, speech, { title, number, from, issuedOn: data.issuedOn })
  kit.space(4)
  columns(kit, [
    partyLines(speech, t.invoice.from, from, { more: data.agent ? onBehalfLines(speech, data.landlord) : [] }),
    partyLines(speech, t.invoice.to, data.tenant),
  ])
  kit.space(12)
  const facts: [string, string][] = [
    [words.issued, speech.date(data.issuedOn)],
    ...(data.credits
      ? ([
          [t.creditNote.of, t.invoice.number(data.credits.number)],
          [
            t.creditNote.reason,
            [t.creditNote.reasons[data.credits.reason], data.credits.note].filter(Boolean).join('\n'),
          ],
        ] as [string, string][])
      : []),
    ...(data.dueDate === undefined ? [] : [[t.invoice.due, speech.date(data.dueDate)] as [string, string]]),
    ...(data.periodStart === undefined || data.periodEnd === undefined
      ? []
      : [[t.invoice.period, speech.period(data.periodStart, data.periodEnd)] as [string, string]]),
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
  kit.space(12)
  const [what = '', net = ''] = t.invoice.cols
  const bearsTva = data.tvaBasisPoints > 0
  const tax = [
    ...(bearsTva
      ? [
          { cells: [t.invoice.net, speech.money(data.netAmount)], strong: true },
          { cells: [t.invoice.tva(speech.rate(data.tvaBasisPoints)), speech.money(data.tvaAmount)] },
        ]
      : []),
    ...(!bearsTva && data.tvaRegistered ? [{ cells: [t.lease.tva, t.exempt] }] : []),
  ]
  table(
    kit,
    [
      { label: what, share: 0.7 },
      { label: bearsTva ? net : t.invoice.amount, share: 0.3, align: 'right' },
    ],
    [...data.lines.map((l) => ({ cells: [l.label, speech.money(l.amount)] })), ...tax],
  )
  // The code stands at the left of how to pay, and on the page of what is above.
  const half = WIDTH / 2 - 14
  const soft = { size: 8.5, color: SOFT }
  const end = Math.max(SEAL, kit.heightOf(words.pay, half, soft)) + 10
  kit.space(10)
  amountBox(
    kit,
    bearsTva ? words.gross : words.total,
    speech.money(data.grossAmount),
    words.words(moneyInWords(data.grossAmount, data.locale)),
    end,
  )
  if (data.calculation) {
    const { from: first, to: last, items, amount, provisions } = data.calculation
    const c = t.invoice.calculation
    const place = (n: number) => formatCount(n, data.locale)
    kit.section(c.title(speech.period(first, last)))
    const ways = items.map((item) => {
      const meters = (item.meters ?? []).map(({ number: name, readings }) =>
        [
          ...(name === undefined ? [] : [name]),
          readings
            .map(
              ({ readOn, thousandths, finalThousandths }) =>
                `${speech.date(readOn)}${c.colon} ${finalThousandths === undefined ? '' : `${place(finalThousandths)}, ${c.replaced} `}${place(thousandths)}`,
            )
            .join(' → '),
        ].join(', '),
      )
      const measure = item.measure ?? ''
      if (item.counted !== undefined)
        meters.push(
          `${place(item.counted)} ${measure}${item.unitPrice === undefined ? '' : ` × ${place(item.unitPrice)} FCFA`}`,
        )
      const scale = item.key === 'SURFACE' ? 10 : 1000
      if (item.weight !== undefined && item.totalWeight !== undefined)
        meters.push(c.part(item.key, place(item.weight * scale), place(item.totalWeight * scale), item.days ?? 0))
      return { cells: [item.label, meters.join('\n'), speech.money(item.amount)] }
    })
    // Costs without the VAT in them: the landlord deducts it.
    const isNet = items.some(({ deductedAmount = 0 }) => deductedAmount > 0)
    table(
      kit,
      [
        { label: c.what, share: 0.22 },
        { label: c.how, share: 0.56 },
        { label: c.share(data.tvaBasisPoints > 0), share: 0.22, align: 'right' },
      ],
      [
        ...ways,
        { cells: [c.sum, '', speech.money(amount)], strong: true },
        ...provisions.map((one) => ({
          cells: [c.provision, t.invoice.number(one.number), speech.money(-one.amount)],
        })),
      ],
      true,
      { after: data.payTo ? 0 : end + (isNet ? 16 : 0) },
    )
    if (isNet) {
      kit.space(3)
      kit.text(c.net, soft)
    }
  }
  if (data.payTo)
    table(
      kit,
      [
        { label: '', share: 0.34 },
        { label: '', share: 0.66 },
      ],
      data.payTo.map(({ method, number, holder, note }) => {
        // As in messages: 677 12 34 56 (Odile Owona).
        const account = number !== undefined && holder !== undefined ? `${number} (${holder})` : (number ?? holder)
        return { cells: [speech.method(method), [account, note].filter((line) => line !== undefined).join('\n')] }
      }),
      false,
      { under: (follow) => kit.section(t.invoice.payTo, follow), after: end },
    )
  if (data.payToChangedOn) {
    kit.space(3)
    kit.text(t.invoice.payToChanged(speech.date(data.payToChangedOn)), soft)
  }
  kit.room(end)
  kit.space(10)
  const { y } = kit.doc
  kit.put(kit.root, 'P', words.pay, PAGE.left + half + 21, y + 6, half, soft)
  const below = kit.doc.y
  kit.doc.y = y - 6
  sealBox(kit, speech, seal, half)
  kit.doc.y = Math.max(kit.doc.y, below)
  closing(kit, speech, number, seal)
  return kit.finish()
}
