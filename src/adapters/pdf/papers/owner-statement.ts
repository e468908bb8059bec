import type { OwnerAmounts } from '../../../core/owner-amounts.ts'
import { formatPhone } from '../../../core/phone.ts'
import { createKit } from '../kit.ts'
import { amountBox, masthead, speak } from '../parts.ts'
import type { OwnerStatementData } from '../port.ts'
import { SOFT, WIDTH } from '../style.ts'
import { table } from '../tables.ts'

const fr = {
  title: 'Relevé du propriétaire',
  provisional: 'Relevé du propriétaire (provisoire)',
  owner: 'Propriétaire',
  due: 'Revient au propriétaire',
  made: (received: string, refunded: string, kept: string, credit: string, setOff: string) =>
    `Reçu ${received}, moins remboursé ${refunded}${setOff && `, compensé ${setOff}`}, plus retenu sur cautions ${kept}${credit && `, moins hausse des avances ${credit}`}`,
  rents: 'Loyers et charges, en francs CFA',
  rentCols: ['Logement, locataire', 'Facturé TTC', 'Avoirs', 'Reçu', 'Impôt retenu', 'Remboursé', 'Reste dû'],
  deposits: 'Cautions, en francs CFA',
  depositCols: ['Logement, locataire', 'Reçues', 'Retenues', 'Rendues', 'Reportées', 'Détenues'],
  noDeposits: 'Aucune caution détenue ni mouvementée.',
  none: 'Aucun bail facturé, payé ou endetté dans cette période.',
  moves: 'Compte avec le propriétaire, en francs CFA',
  moveCols: ['Date', 'Opération', 'Montant'],
  left: 'Solde à verser au propriétaire',
  owed: 'Solde dû par le propriétaire à la gestion',
  balance: (earned: string, fee: string, expenses: string, handed: string, carried: string) =>
    `Revient au propriétaire ${earned}, moins honoraires TTC ${fee}, dépenses ${expenses} et versements ${handed}${carried && `, solde reporté ${carried}`}`,
  total: 'Total',
  account: 'Compte de la période',
  memo: 'Pour mémoire',
  lines: {
    net: 'Loyers et charges facturés, hors taxe',
    tva: 'TVA facturée',
    credited: 'Avoirs accordés, remises comprises',
    withheld: 'Retenu à la source par les locataires, à reverser par eux à l’État',
    received: 'Reçu des locataires',
    refunded: 'Remboursé aux locataires',
    setOff: 'Compensé avec les crédits et dettes d’autres biens',
    kept: 'Retenu sur les cautions',
    added: 'Hausse des avances (ou baisse)',
    creditHeld: 'Avances détenues à la fin de la période',
    balance: 'Reste dû par les locataires à ce jour',
    held: 'Cautions détenues à la fin de la période, à rendre aux locataires',
    carried: 'Solde reporté',
    fee: 'Honoraires de gestion',
    feeTva: 'TVA sur honoraires',
    expenses: 'Dépenses payées par la gestion',
    handed: 'Reversé au propriétaire',
  },
  basis:
    'Facturé : périodes qui commencent dans la période du relevé. Reçu, retenu et remboursé : selon la date du paiement. Reste dû : à la date de ce relevé, toutes factures commencées avant la fin de la période.',
  creditBasis: 'Avances : ce que les locataires ont versé et qu’aucune facture n’a pris, à imputer ou à leur rendre.',
}
const en: typeof fr = {
  title: 'Owner statement',
  provisional: 'Owner statement (provisional)',
  owner: 'Owner',
  due: 'Earned by the owner',
  made: (received, refunded, kept, credit, setOff) =>
    `Received ${received}, less refunded ${refunded}${setOff && `, set off ${setOff}`}, plus kept of deposits ${kept}${credit && `, less growth of advances ${credit}`}`,
  rents: 'Rent and charges, in CFA francs',
  rentCols: ['Unit, tenant', 'Invoiced', 'Credited', 'Received', 'Tax withheld', 'Refunded', 'Still due'],
  deposits: 'Security deposits, in CFA francs',
  depositCols: ['Unit, tenant', 'Received', 'Kept', 'Returned', 'Carried over', 'Held'],
  noDeposits: 'No deposit held or moved.',
  none: 'No lease invoiced, paid or in debt in this period.',
  moves: 'Account with the owner, in CFA francs',
  moveCols: ['Date', 'Entry', 'Amount'],
  left: 'Balance to be handed to the owner',
  owed: 'Balance the owner owes the management',
  balance: (earned, fee, expenses, handed, carried) =>
    `Earned by the owner ${earned}, less management fee with TVA ${fee}, expenses ${expenses} and transfers ${handed}${carried && `, carried over ${carried}`}`,
  total: 'Total',
  account: 'Account of the period',
  memo: 'For the record',
  lines: {
    net: 'Rent and charges invoiced, net',
    tva: 'VAT invoiced',
    credited: 'Credited, waivers included',
    withheld: 'Tax withheld by tenants, which they pay to the State',
    received: 'Received from tenants',
    refunded: 'Refunded to tenants',
    setOff: 'Set off against credit and debts in other properties',
    kept: 'Kept of deposits',
    added: 'Growth of advances (or fall)',
    creditHeld: 'Advances held at the end of the period',
    balance: 'Still due from tenants today',
    held: 'Deposits held at the end of the period, to be returned to tenants',
    carried: 'Balance carried over',
    fee: 'Management fee',
    feeTva: 'VAT on the fee',
    expenses: 'Expenses paid by the management',
    handed: 'Handed to the owner',
  },
  basis:
    'Invoiced: periods that begin within this statement. Received, withheld and refunded: by the date of the payment. Still due: on the day of this statement, of all invoices that began by its end.',
  creditBasis: 'Advances: what tenants paid and no invoice has taken, for coming invoices or to be given back.',
}
const WORDS = { fr, en }

const SHARES = [0.25, 0.13, 0.11, 0.13, 0.13, 0.12, 0.13]
const DEPOSIT_SHARES = [0.3, 0.14, 0.14, 0.14, 0.14, 0.14]
const MOVE_SHARES = [0.24, 0.56, 0.2]

/** The income of properties over a time, lease by lease, and the owner's part of it. */
export function drawOwnerStatement(data: OwnerStatementData): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t, money } = speech
  const words = WORDS[data.locale]
  const period = speech.period(data.from, data.to)
  /** Without the currency, which stands in the heading. */
  const plain = (amount: number): string => money(amount).replace(/\u00a0?FCFA\u00a0?/, '')
  const ownerOf = ({ name, phoneNumber, address, niu }: OwnerStatementData['landlord']): string =>
    [name, phoneNumber && `${t.phone} ${formatPhone(phoneNumber)}`, address, niu && `${t.niu} ${niu}`]
      .filter(Boolean)
      .join(', ')
  const title = data.to >= data.issuedOn ? words.provisional : words.title
  const kit = createKit({ title: `${title} – ${data.number}`, locale: data.locale, issuedOn: data.issuedOn })
  masthead(kit, speech, { title, number: period, from: data.landlord, issuedOn: data.issuedOn })
  kit.space(4)
  const { totals } = data
  // Most statements have none, and need no line for it.
  const credit = totals.creditAddedAmount !== 0 || totals.creditHeldAmount !== 0
  const fee = totals.managementFeeAmount + totals.managementFeeTvaAmount
  const { carriedAmount, expensesAmount, transferredAmount, dueAmount } = totals
  /** Whether the manager takes a fee or transfers anything; an owner who manages alone has no account with anybody. */
  const managed = [carriedAmount, fee, expensesAmount, transferredAmount].some((amount) => amount !== 0)
  const left = (amount: number): string => (amount < 0 ? words.owed : words.left)
  if (managed)
    amountBox(
      kit,
      left(dueAmount),
      money(Math.abs(dueAmount)),
      words.balance(
        money(totals.ownerAmount),
        money(fee),
        money(expensesAmount),
        money(transferredAmount),
        carriedAmount === 0 ? '' : money(carriedAmount),
      ),
    )
  else
    amountBox(
      kit,
      words.due,
      money(totals.ownerAmount),
      words.made(
        money(totals.receivedAmount),
        money(totals.refundedAmount),
        money(totals.depositDeductedAmount),
        money(totals.creditAddedAmount),
        totals.setOffAmount === 0 ? '' : money(totals.setOffAmount),
      ),
    )
  for (const property of data.properties) {
    const about = [
      property.place,
      `${words.owner}${data.locale === 'fr' ? ' :' : ':'} ${ownerOf(property.owner)}`,
    ].join('\n')
    const soft = { size: 9, color: SOFT } as const
    const named = (r: (typeof property.rows)[number]): string => `${r.unitLabel}\n${r.tenantName}`
    const heading = (of: string, follow = 34): void => {
      kit.space(10)
      kit.heading(of, 'H3', { size: 9.5, cut: 'bold' }, follow + 3)
      kit.space(3)
    }
    const grid = (
      labels: readonly string[],
      shares: readonly number[],
      rows: Parameters<typeof table>[2],
      under: (follow: number) => void,
    ) =>
      table(
        kit,
        labels.map((label, i) => ({ label, share: shares[i] ?? 0, ...(i === 0 ? {} : { align: 'right' as const }) })),
        rows,
        true,
        { under },
      )
    const begin = (follow = 34): void => {
      kit.section(property.name, kit.heightOf(about, WIDTH, soft) + 28 + follow)
      kit.text(about, soft)
      heading(words.rents, follow)
    }
    const rent = (r: OwnerAmounts): string[] =>
      [r.grossAmount, r.creditedAmount, r.receivedAmount, r.withheldAmount, r.refundedAmount, r.balanceAmount].map(
        plain,
      )
    const deposit = (r: OwnerAmounts): string[] =>
      [
        r.depositReceivedAmount,
        r.depositDeductedAmount,
        r.depositReturnedAmount,
        r.depositMovedAmount,
        r.depositHeldAmount,
      ].map(plain)
    if (property.rows.length === 0) {
      begin()
      kit.text(words.none)
    } else
      grid(
        words.rentCols,
        SHARES,
        [
          ...property.rows.map((r) => ({ cells: [named(r), ...rent(r)] })),
          { cells: [words.total, ...rent(property.totals)], strong: true },
        ],
        begin,
      )
    const withDeposit = property.rows.filter((r) => deposit(r).some((amount) => amount !== '0'))
    if (withDeposit.length === 0) {
      heading(words.deposits)
      kit.text(words.noDeposits)
    } else
      grid(
        words.depositCols,
        DEPOSIT_SHARES,
        [
          ...withDeposit.map((r) => ({ cells: [named(r), ...deposit(r)] })),
          { cells: [words.total, ...deposit(property.totals)], strong: true },
        ],
        (follow) => heading(words.deposits, follow),
      )
    if (!managed || property.account.length === 0) continue
    const due = property.totals.dueAmount
    table(
      kit,
      words.moveCols.map((label, i) => ({
        label,
        share: MOVE_SHARES[i] ?? 0,
        ...(i === 2 ? { align: 'right' as const } : {}),
      })),
      [
        ...property.account.map((m) => ({ cells: [speech.date(m.happenedOn), m.label, plain(m.dueAmount)] })),
        { cells: ['', left(due), plain(Math.abs(due))], strong: true },
      ],
      true,
      { under: (follow) => heading(words.moves, follow) },
    )
  }
  const note = credit ? `${words.basis} ${words.creditBasis}` : words.basis
  const small = { size: 8, color: SOFT } as const
  kit.section(words.account)
  const account = (...lines: readonly (readonly [label: string, amount: number, strong?: true])[]) =>
    table(
      kit,
      [
        { label: '', share: 0.72 },
        { label: '', share: 0.28, align: 'right' },
      ],
      lines.map(([label, amount, strong = false]) => ({ cells: [label, money(amount)], strong })),
      false,
      { after: 8 + kit.heightOf(note, WIDTH, small) },
    )
  account(
    [words.lines.received, totals.receivedAmount],
    [words.lines.refunded, -totals.refundedAmount],
    ...(totals.setOffAmount === 0 ? [] : ([[words.lines.setOff, totals.setOffAmount]] as const)),
    [words.lines.kept, totals.depositDeductedAmount],
    ...(credit ? ([[words.lines.added, -totals.creditAddedAmount]] as const) : []),
    [words.due, totals.ownerAmount, true],
    ...(managed
      ? ([
          ...(carriedAmount === 0 ? [] : ([[words.lines.carried, carriedAmount]] as const)),
          [words.lines.fee, -totals.managementFeeAmount],
          [words.lines.feeTva, -totals.managementFeeTvaAmount],
          [words.lines.expenses, -expensesAmount],
          [words.lines.handed, -transferredAmount],
          [left(dueAmount), Math.abs(dueAmount), true],
        ] as const)
      : []),
  )
  kit.section(words.memo)
  account(
    [words.lines.net, totals.netAmount],
    [words.lines.tva, totals.tvaAmount],
    [words.lines.credited, totals.creditedAmount],
    [words.lines.withheld, totals.withheldAmount],
    [words.lines.balance, totals.balanceAmount],
    [words.lines.held, totals.depositHeldAmount],
    ...(credit ? ([[words.lines.creditHeld, totals.creditHeldAmount]] as const) : []),
  )
  kit.space(8)
  kit.text(note, small)
  kit.footer((page, pages, put) => {
    put(`${title}, ${period}`, kit.bottom + 18, {})
    put(t.page(page, pages), kit.bottom + 18, { align: 'right' })
  })
  return kit.finish()
}
