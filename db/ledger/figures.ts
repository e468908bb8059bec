import type Database from 'better-sqlite3'
import { ACCOUNT, type AccountKind, MONEY } from '../../src/core/accounts.ts'

const { RECEIVABLE, ADVANCE, DEPOSIT, WITHHELD, DAMAGE, WAIVER, EXPENSE, FEE, MANAGEMENT, OWNER, SUSPENSE } = ACCOUNT

/** Postings that debit one of the first kinds and credit one of the second, less those that do the opposite. */
type Moved = readonly [debit: readonly AccountKind[], credit: readonly AccountKind[]]
type Figure = {
  readonly en: string
  readonly fr: string
  readonly plus: readonly Moved[]
  readonly less?: readonly Moved[]
}

/**
 * The figures of money by their names; each is the sum of what moved between kinds of accounts in some days, of a lease,
 * a property or an organization. A posting between two leases belongs to the one that it credits.
 */
export const FIGURES = {
  received: {
    en: 'Received',
    fr: 'Reçu',
    plus: [
      [
        [...MONEY, SUSPENSE],
        [RECEIVABLE, ADVANCE, DEPOSIT],
      ],
    ],
  },
  withheld: { en: 'Tax withheld', fr: 'Retenu à la source', plus: [[[WITHHELD], [RECEIVABLE, ADVANCE]]] },
  earned: {
    en: 'Earned by the owner',
    fr: 'Revient au propriétaire',
    plus: [
      [[...MONEY, SUSPENSE, ADVANCE, DEPOSIT], [RECEIVABLE]],
      [[DEPOSIT], [DAMAGE]],
    ],
    less: [[[WITHHELD], [ADVANCE]]],
  },
  depositReceived: { en: 'Deposits received', fr: 'Cautions reçues', plus: [[MONEY, [DEPOSIT]]] },
  depositKept: { en: 'Kept of deposits', fr: 'Retenu sur les cautions', plus: [[[DEPOSIT], [RECEIVABLE, DAMAGE]]] },
  fee: { en: 'Management fee', fr: 'Honoraires', plus: [[[FEE], [MANAGEMENT]]] },
  expenses: { en: 'Expenses', fr: 'Dépenses', plus: [[[EXPENSE], [...MONEY, OWNER]]] },
  spent: { en: 'Paid by the management', fr: 'Payé par la gestion', plus: [[[EXPENSE], MONEY]] },
  handed: { en: 'Handed to the owner', fr: 'Reversé', plus: [[[OWNER], MONEY]] },
  waived: { en: 'Waived', fr: 'Remises', plus: [[[WAIVER], [RECEIVABLE]]] },
} as const satisfies Readonly<Record<string, Figure>>

type Days = { readonly from: number; readonly to: number }
/** The sum of a figure, francs, of a property (its holder) from one day to another (yyyymmdd), both included. */
export function figureOf(ledger: Database.Database, name: keyof typeof FIGURES, property: number, days: Days): number {
  const figure: Figure = FIGURES[name]
  const sum = (all: readonly Moved[] = []): number =>
    all.reduce((n, [debits, credits]) => {
      const place = (credits[0] ?? 0) < ACCOUNT.CASH ? 'credit' : 'debit'
      const there = between(ledger, [debits, credits, place], property, days)
      const back = between(ledger, [credits, debits, place === 'credit' ? 'debit' : 'credit'], property, days)
      return n + there - back
    }, 0)
  return sum(figure.plus) - sum(figure.less)
}

/** What postings moved; `place`: the side whose holder they are of. */
function between(
  ledger: Database.Database,
  [debits, credits, place]: readonly [...Moved, 'debit' | 'credit'],
  property: number,
  { from, to }: Days,
): number {
  const sql = `SELECT coalesce(sum(p.amount), 0) FROM posting p JOIN holder h ON h.id = p.${place} >> 5
    WHERE coalesce(h.property, h.id) = @property AND p.day BETWEEN @from AND @to AND p.debit & 31 IN (${debits}) AND p.credit & 31 IN (${credits})`
  return ledger.prepare(sql).pluck().get({ property, from, to }) as number
}

/** Debits less credits of one kind of account of a property and its leases, until a day. */
export function balanceOf(ledger: Database.Database, kind: AccountKind, property: number, to: number): number {
  const side = (name: 'debit' | 'credit'): number =>
    ledger
      .prepare(
        `SELECT coalesce(sum(amount), 0) FROM posting p JOIN holder h ON h.id = p.${name} >> 5
         WHERE coalesce(h.property, h.id) = @property AND p.day <= @to AND p.${name} & 31 = ${kind}`,
      )
      .pluck()
      .get({ property, to }) as number
  return side('debit') - side('credit')
}
