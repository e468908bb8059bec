import type Database from 'better-sqlite3'
import { ACCOUNT, accountOf, dayOf, ENTRY, type EntryKind, moneyOf, POSTINGS } from '../../src/core/accounts.ts'
import { addMonths, firstOfMonth, localDate, maxDate, minDate } from '../../src/core/dates.ts'
import { datedFees, type Fee, feeOn, type ManagementFee, monthlyFees } from '../../src/core/management-fees.ts'
import type { Taxed, TvaChange } from '../../src/core/tva.ts'
import guards from './guards.sql' with { type: 'text' }
import { checkLedger } from './invariants.ts'

const {
  RECEIVABLE,
  ADVANCE,
  DEPOSIT,
  WITHHELD,
  RENT,
  DAMAGE,
  WAIVER,
  TVA,
  OPENING,
  EXPENSE,
  FEE,
  MANAGEMENT,
  OWNER,
  OTHER,
  SUSPENSE,
} = ACCOUNT

/** What one posting moves, from the account that it credits to the account that it debits; a negative amount moves back. */
type Move = readonly [debit: number, credit: number, amount: number, invoice?: number]
type Entry = { readonly kind: EntryKind; readonly on: string; readonly at: string; readonly source?: string }

/** Rows of a table that are read in one go. */
const PAGE = 5_000

type Invoice = {
  readonly row: number
  readonly id: string
  readonly booking_id: string
  readonly issued_on: string
  readonly created_at: string
  readonly status: string
  readonly net: number
  readonly tva: number
  readonly gross: number
  readonly rate: number
  readonly opening: number
  readonly credited: number
  readonly noted: number
}
type Note = {
  readonly id: string
  readonly invoice: number
  readonly booking_id: string
  readonly opening: number
  readonly reason: string
  readonly issued_on: string
  readonly withdrawn_on: string | null
  readonly created_at: string
  readonly net: number
  readonly tva: number
}
type Payment = {
  readonly row: number
  readonly id: string
  readonly type: string
  readonly booking_id: string
  readonly credit_booking_id: string | null
  readonly method: string
  readonly amount: number
  readonly paid_on: string
  readonly created_at: string
  readonly rest: number
  readonly giver: string | null
  /** A part of it: on an invoice, or given to a refund. */
  readonly part: number | null
  readonly invoice: number | null
  readonly invoice_booking: string | null
  readonly issued_on: string | null
  readonly refund_booking: string | null
  readonly refunded_on: string | null
}
type DepositEntry = {
  readonly row: number
  readonly id: string
  readonly booking_id: string
  readonly type: string
  readonly amount: number
  readonly paid_on: string
  readonly created_at: string
  readonly payment_id: string | null
  readonly payment_status: string | null
  readonly moved_booking_id: string | null
  /** How it came or went, where that was told. */
  readonly method: string | null
}

const INVOICES = `SELECT rowid row, id, booking_id, iif(issued_on = '', substr(created_at, 1, 10), issued_on) issued_on, created_at, status,
  net_amount net, tva_amount tva, gross_amount gross, tva_basis_points rate, credited_amount credited, noted_amount noted,
  iif(lines LIKE '%OPENING_BALANCE%', (SELECT sum(value ->> 'amount') FROM json_each(lines) WHERE value ->> 'kind' = 'OPENING_BALANCE'), 0) opening
  FROM invoice WHERE rowid > ? AND rowid <= ? ORDER BY rowid`
const NOTES = `SELECT n.id, i.rowid invoice, n.booking_id, n.reason, n.issued_on, n.withdrawn_on, n.created_at, n.net_amount net, n.tva_amount tva,
  i.lines LIKE '%OPENING_BALANCE%' opening
  FROM credit_note n JOIN invoice i ON i.org_id = n.org_id AND i.id = n.invoice_id WHERE n.rowid > ? AND n.rowid <= ? ORDER BY n.rowid`
const PAYMENTS = `SELECT p.rowid row, p.id, p.type, p.booking_id, p.credit_booking_id, p.method, p.amount, p.paid_on, p.created_at,
  p.unallocated_amount rest, o.booking_id giver, a.amount part, i.rowid invoice, i.booking_id invoice_booking, i.issued_on,
  r.booking_id refund_booking, r.paid_on refunded_on
  FROM payment p LEFT JOIN payment o ON o.org_id = p.org_id AND o.id = p.counterpart_id
  LEFT JOIN allocation a ON a.payment_id = p.id AND a.amount > 0
  LEFT JOIN invoice i ON i.org_id = a.org_id AND i.id = a.target_id
  LEFT JOIN payment r ON i.id IS NULL AND r.id = a.target_id
  WHERE p.rowid > ? AND p.rowid <= ? AND p.status = 'CONFIRMED' ORDER BY p.rowid, a.target_id`
const DEPOSITS = `SELECT e.rowid row, e.id, e.booking_id, e.type, e.amount, e.paid_on, e.created_at, e.payment_id, p.status payment_status, e.moved_booking_id, t.method
  FROM deposit_entry e LEFT JOIN payment p ON p.id = e.payment_id LEFT JOIN transfer t ON t.row = e.transfer WHERE e.rowid > ? AND e.rowid <= ? ORDER BY e.rowid`
const UNATTRIBUTED = `SELECT id, org_id, method, paid_on, created_at, unattributed_amount amount FROM transfer
  WHERE unattributed_amount > 0 AND state = 'POSTED'`
const EXPENSES = `SELECT id, property_id, spent_on, created_at, amount, paid_by FROM expense
  WHERE rowid > ? AND rowid <= ? AND status = 'RECORDED' ORDER BY rowid`
const HANDED = `SELECT id, property_id, paid_on, created_at, amount, method FROM owner_transfer
  WHERE rowid > ? AND rowid <= ? AND status = 'RECORDED' ORDER BY rowid`
/** Invoices on which the early end of a lease took something off, with the payments that are on them. */
const CREDITED = `SELECT i.rowid invoice, i.booking_id, b.property_id, i.credited_amount - coalesce((SELECT sum(n.gross_amount)
    FROM credit_note n WHERE n.org_id = i.org_id AND n.invoice_id = i.id AND n.reason = 'WAIVED' AND n.withdrawn_on IS NULL), 0) amount, b.terminated_at ended_at, i.issued_on, o.time_zone,
  p.id payment, p.paid_on, p.amount paid
  FROM booking b JOIN organization o ON o.id = b.org_id JOIN invoice i ON i.booking_id = b.id AND i.org_id = b.org_id
  JOIN allocation a ON a.org_id = i.org_id AND a.target_id = i.id JOIN payment p ON p.id = a.payment_id AND p.status = 'CONFIRMED'
  WHERE b.settlement IS NOT NULL AND i.credited_amount > 0 ORDER BY b.property_id, i.booking_id, i.period_start,
    CASE WHEN i.replaced_by_id IS NULL AND i.kind = 'PERIOD' THEN '' ELSE i.id END, p.id`
const TAKEN = `SELECT a.amount, max(p.paid_on, coalesce(i.issued_on, r.paid_on)) taken_on FROM allocation a JOIN payment p ON p.id = a.payment_id
  LEFT JOIN invoice i ON i.org_id = a.org_id AND i.id = a.target_id LEFT JOIN payment r ON r.id = a.target_id WHERE a.payment_id = ?`

/**
 * Writes the journal of everything that the tables of `from` say of money into the empty journal of `to`, which may be the
 * same database: the state as it stands, on the days of invoices and payments. What was reversed or cancelled before leaves
 * no entry, as no report counts it. `now`: epoch ms, for fees by the month that have fallen due.
 */
export function convert(from: Database.Database, to: Database.Database, now: number): void {
  to.transaction(() => {
    // Numbers and balances are written at once at the end.
    for (const [, name] of guards.matchAll(/^CREATE TRIGGER (\w+)/gm)) to.exec(`DROP TRIGGER IF EXISTS ${name}`)
    const write = writer(to)
    const places = readPlaces(from, write.holder)
    readInvoices(from, write.post, places)
    readPayments(from, write.post, places)
    readCredited(from, write.post, places)
    readDeposits(from, write.post, places)
    readUnattributed(from, write.post, places)
    readCosts(from, write.post, places)
    monthly(write.post, places, now)
    finish(to)
  })()
}

/** Opens the books of a database that has none yet. @throws where a franc of them differs from its tables */
export function openBooks(client: Database.Database): void {
  if (client.prepare('SELECT 1 FROM book').get() || !client.prepare('SELECT 1 FROM organization').get()) return
  convert(client, client, Date.now())
  const wrong = checkLedger(client)
  if (wrong.length > 0) throw new Error(`the books would differ: ${wrong.slice(0, 5).join('; ')}`)
}

type Post = (book: number, entry: Entry, moves: readonly Move[]) => void
function writer(to: Database.Database): {
  holder: (ref: string, book?: number, property?: number) => number
  post: Post
} {
  let [holders, entries] = [0, 0]
  const addHolder = to.prepare('INSERT INTO holder (id, book, property, ref) VALUES (?, ?, ?, ?)')
  const addBook = to.prepare('INSERT INTO book (id) VALUES (?)')
  const addEntry = to.prepare('INSERT INTO entry (id, seq, book, day, kind, at, source) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const addPosting = to.prepare(
    'INSERT INTO posting (id, day, debit, credit, amount, invoice) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return {
    holder: (ref, book, property) => {
      const id = ++holders
      addHolder.run(id, book ?? id, property ?? null, ref)
      if (book === undefined) addBook.run(id)
      return id
    },
    post: (book, { kind, on, at, source }, moves) => {
      const real = moves.filter(([, , amount]) => amount !== 0)
      const day = dayOf(on)
      for (const [n, [debit, credit, amount, invoice]] of real.entries()) {
        if (n % POSTINGS === 0) addEntry.run(++entries, -entries, book, day, kind, Date.parse(at), source ?? null)
        const id = entries * POSTINGS + (n % POSTINGS)
        if (amount > 0) addPosting.run(id, day, debit, credit, amount, invoice ?? null)
        else addPosting.run(id, day, credit, debit, -amount, invoice ?? null)
      }
    },
  }
}
type Place = {
  readonly book: number
  readonly holder: number
  /** Of a lease: the holder of its property. */
  readonly property: number
  readonly fees: readonly Fee[]
  /** The day since which a lease has run. */
  readonly ran: string | null
}
/** The books of organizations, and the places that hold accounts: properties and leases, by their ids. */
type Places = {
  readonly of: (id: string) => Place
  readonly properties: readonly string[]
  readonly zones: ReadonlyMap<number, string>
}
function readPlaces(from: Database.Database, holder: ReturnType<typeof writer>['holder']): Places {
  const all = <T>(sql: string): T[] => from.prepare(sql).all() as T[]
  const places = new Map<string, Place>()
  const taxes = new Map<string, Taxed>()
  const zones = new Map<number, string>()
  for (const org of all<{ id: string; registered: number; changes: string | null; zone: string; country: string }>(
    'SELECT id, tva_registered registered, tva_changes changes, time_zone zone, country FROM organization',
  )) {
    const id = holder(org.id)
    places.set(org.id, { book: id, holder: id, property: id, fees: [], ran: null })
    zones.set(id, org.zone)
    const tvaChanges = org.changes === null ? null : (JSON.parse(org.changes) as TvaChange[])
    taxes.set(org.id, { country: org.country, tvaRegistered: org.registered === 1, tvaChanges })
  }
  const of = (id: string): Place => {
    const place = places.get(id)
    if (!place) throw new Error(`money of ${id}, which is not there`)
    return place
  }
  const properties = all<{ id: string; org: string; fees: string | null }>(
    'SELECT id, org_id org, management_fees fees FROM property',
  )
  for (const { id, org, fees } of properties) {
    const { book } = of(org)
    const tax = taxes.get(org)
    const dated = fees === null || !tax ? [] : datedFees(JSON.parse(fees) as ManagementFee[], tax)
    const own = holder(id, book)
    places.set(id, { book, holder: own, property: own, fees: dated, ran: null })
  }
  for (const { id, property, ran } of all<{ id: string; property: string; ran: string | null }>(
    'SELECT id, property_id property, activated_at ran FROM booking',
  )) {
    const owner = of(property)
    places.set(id, { ...owner, holder: holder(id, owner.book, owner.holder), ran: ran?.slice(0, 10) ?? null })
  }
  return { of, properties: properties.map(({ id }) => id), zones }
}

function* pages<T>(from: Database.Database, table: string, sql: string): Generator<T> {
  const { last } = from.prepare(`SELECT coalesce(max(rowid), 0) last FROM ${table}`).get() as { last: number }
  const page = from.prepare(sql)
  for (let after = 0; after < last; after += PAGE) yield* page.all(after, after + PAGE) as T[]
}

/** What is owed, and what credit notes took off it. */
function readInvoices(from: Database.Database, post: Post, { of }: Places): void {
  for (const i of pages<Invoice>(from, 'invoice', INVOICES)) {
    const { book, holder } = of(i.booking_id)
    const claim = accountOf(holder, RECEIVABLE)
    const about = { on: i.issued_on, at: i.created_at }
    const rents: Move[] = [
      [claim, accountOf(holder, RENT), i.net - i.opening, i.row],
      [claim, accountOf(holder, OPENING), i.opening, i.row],
      [claim, accountOf(holder, TVA), i.tva, i.row],
    ]
    post(book, { kind: ENTRY.ISSUE, ...about }, rents)
    // Taken off before credit notes were made, in the month of the invoice.
    const off = (i.status === 'CANCELLED' ? i.gross : i.credited) - i.noted
    if (off === 0) continue
    const whole = 10_000 + i.rate
    const tva = i.tva - Math.floor(((i.gross - off) * i.rate * 2 + whole) / (2 * whole))
    const taken: Move[] =
      off === i.gross
        ? rents.map(([debit, credit, amount]): Move => [debit, credit, -amount, i.row])
        : [
            [accountOf(holder, i.opening > 0 ? OPENING : RENT), claim, off - tva, i.row],
            [accountOf(holder, TVA), claim, tva, i.row],
          ]
    post(book, { kind: ENTRY.CREDIT_NOTE, ...about }, taken)
  }
  for (const n of pages<Note>(from, 'credit_note', NOTES)) {
    const { book, holder } = of(n.booking_id)
    const [opening, earned] = [OPENING, n.reason === 'WAIVED' ? WAIVER : n.opening ? OPENING : RENT].map((kind) =>
      accountOf(holder, kind),
    ) as [number, number]
    const about = { at: n.created_at, source: n.id }
    if (n.withdrawn_on === null) {
      const claim = accountOf(holder, RECEIVABLE)
      post(book, { kind: ENTRY.CREDIT_NOTE, on: n.issued_on, ...about }, [
        [earned, claim, n.net, n.invoice],
        [accountOf(holder, TVA), claim, n.tva, n.invoice],
      ])
      continue
    }
    // The invoice has its money again: only the taxes of both months tell that it was taken off.
    const moves: Move[] = [
      ...(earned === opening ? [] : [[earned, opening, n.net] as const]),
      [accountOf(holder, TVA), opening, n.tva],
    ]
    post(book, { kind: ENTRY.CREDIT_NOTE, on: n.issued_on, ...about }, moves)
    const back = moves.map(([debit, credit, amount]): Move => [debit, credit, -amount])
    post(book, { kind: ENTRY.REVERSAL, on: n.withdrawn_on, ...about }, back)
  }
}

/** Money that came, where it went, and the fee on it. */
function readPayments(from: Database.Database, post: Post, places: Places): void {
  let parts: Payment[] = []
  for (const part of pages<Payment>(from, 'payment', PAYMENTS)) {
    if (parts[0] && parts[0].row !== part.row) paid(parts, post, places)
    parts = parts[0]?.row === part.row ? [...parts, part] : [part]
  }
  paid(parts, post, places)
}

function paid(parts: readonly Payment[], post: Post, { of }: Places): void {
  const [p] = parts
  if (!p) return
  const { book, holder, property, fees } = of(p.booking_id)
  const about = { at: p.created_at, source: p.id }
  const on = p.paid_on
  const advance = accountOf(holder, ADVANCE)
  const money = accountOf(book, moneyOf(p.method))
  const fee = feeOn(fees, { type: p.type, method: p.method, paidOn: on, amount: p.amount })
  const [charged, due] = [accountOf(property, FEE), accountOf(property, MANAGEMENT)]
  post(book, { kind: ENTRY.FEE, on, ...about }, [
    [charged, due, fee.net],
    [charged, due, fee.tva],
  ])
  if (p.type === 'REFUND') {
    // Of a set-off, the other half says where it went.
    if (p.method !== 'SET_OFF') post(book, { kind: ENTRY.TRANSFER, on, ...about }, [[advance, money, p.amount]])
    return
  }
  const [kind, source] = {
    SET_OFF: [ENTRY.APPLY, accountOf(of(p.giver ?? p.booking_id).holder, ADVANCE)] as const,
    DEPOSIT: [ENTRY.DEPOSIT, accountOf(holder, DEPOSIT)] as const,
    WITHHOLDING: [ENTRY.TRANSFER, accountOf(holder, WITHHELD)] as const,
  }[p.method] ?? [ENTRY.TRANSFER, money]
  const moves: Move[] = []
  const later: (readonly [Entry, Move])[] = []
  let ahead = 0
  /** A part that stays in the advance of the lease, or goes over to that of a renewal. */
  const keep = (lease: string, amount: number, by: string): void => {
    const { holder: to, ran } = of(lease)
    ahead += amount
    if (to === holder) return
    const day = minDate(by, maxDate(on, ran ?? on))
    later.push([{ kind: ENTRY.CARRY, on: day, ...about }, [advance, accountOf(to, ADVANCE), amount]])
  }
  for (const { part, invoice, invoice_booking, issued_on, refund_booking, refunded_on } of parts) {
    if (part === null) continue
    const target = invoice_booking ?? refund_booking ?? p.booking_id
    if (invoice === null) {
      keep(target, part, refunded_on ?? on)
      continue
    }
    const lease = of(target).holder
    const claim = accountOf(lease, RECEIVABLE)
    const used = maxDate(on, issued_on ?? on)
    // What was kept of a deposit pays invoices of any lease at once.
    const isDirect = lease === holder || p.method === 'DEPOSIT'
    if (isDirect && used === on) {
      moves.push([source, claim, part, invoice])
      continue
    }
    if (isDirect && lease !== holder) moves.push([source, accountOf(lease, ADVANCE), part])
    else keep(target, part, used)
    later.push([{ kind: ENTRY.APPLY, on: used, ...about }, [accountOf(lease, ADVANCE), claim, part, invoice]])
  }
  if (p.rest > 0) keep(p.credit_booking_id ?? p.booking_id, p.rest, LATEST)
  post(book, { kind, on, ...about }, [...moves, [source, advance, ahead]])
  for (const [entry, move] of later) post(book, entry, [move])
}
/** After every day. */
const LATEST = '9999-12-31'

type Credited = {
  readonly invoice: number
  readonly booking_id: string
  readonly property_id: string
  readonly amount: number
  readonly ended_at: string
  readonly issued_on: string
  readonly time_zone: string
  readonly payment: string
  readonly paid_on: string
  readonly paid: number
}
/** An invoice that used money until the end of its lease gave it back. */
type Used = {
  readonly endedOn: string
  takenOn: string
  readonly row: Credited
  readonly payments: Map<string, number>
}

/** What invoices had used of the advance, day by day, and the early end of a lease gave back. */
function readCredited(from: Database.Database, post: Post, { of }: Places): void {
  const byProperty = new Map<string, Map<number, Used>>()
  for (const row of from.prepare(CREDITED).all() as Credited[]) {
    const invoices = byProperty.get(row.property_id) ?? new Map<number, Used>()
    byProperty.set(row.property_id, invoices)
    const endedOn = localDate(Date.parse(row.ended_at), row.time_zone)
    const used = invoices.get(row.invoice) ?? { endedOn, takenOn: row.issued_on, row, payments: new Map() }
    used.takenOn = maxDate(used.takenOn, row.paid_on)
    used.payments.set(row.payment, row.paid)
    invoices.set(row.invoice, used)
  }
  const takenOf = from.prepare(TAKEN)
  for (const invoices of byProperty.values()) {
    const all = [...invoices.values()]
    const taken = new Map(
      all.flatMap(({ payments }) =>
        [...payments.keys()].map((id) => [id, takenOf.all(id) as { amount: number; taken_on: string }[]] as const),
      ),
    )
    const days = new Set(all.flatMap(({ takenOn, endedOn }) => [takenOn, endedOn]))
    for (const parts of taken.values()) for (const { taken_on } of parts) days.add(taken_on)
    const had = new Map<number, number>()
    for (const day of [...days].sort()) {
      const left = new Map<string, number>()
      for (const { row, endedOn, takenOn, payments } of all) {
        let open = takenOn > day || endedOn <= day ? 0 : row.amount
        const most = open
        for (const [id, paid] of payments) {
          const spent = (taken.get(id) ?? []).reduce((n, part) => (part.taken_on <= day ? n + part.amount : n), 0)
          const rest = left.get(id) ?? paid - spent
          const part = Math.min(open, rest)
          left.set(id, rest - part)
          open -= part
        }
        const used = most - open
        const moved = used - (had.get(row.invoice) ?? 0)
        had.set(row.invoice, used)
        const { book, holder } = of(row.booking_id)
        const entry = { kind: ENTRY.APPLY, on: day, at: `${day}T12:00:00.000Z`, source: row.payment }
        post(book, entry, [[accountOf(holder, ADVANCE), accountOf(holder, RECEIVABLE), moved, row.invoice]])
      }
    }
  }
}

function readDeposits(from: Database.Database, post: Post, { of }: Places): void {
  for (const e of pages<DepositEntry>(from, 'deposit_entry', DEPOSITS)) {
    const { book, holder } = of(e.booking_id)
    const [held, money] = [accountOf(holder, DEPOSIT), accountOf(book, moneyOf(e.method))]
    const damage = accountOf(holder, DAMAGE)
    const add = (kind: EntryKind, move: Move): void =>
      post(book, { kind, on: e.paid_on, at: e.created_at, source: e.id }, [move])
    if (e.moved_booking_id !== null) {
      if (e.type === 'RETURNED') add(ENTRY.CARRY, [held, accountOf(of(e.moved_booking_id).holder, DEPOSIT), e.amount])
    } else if (e.type === 'RETURNED') add(ENTRY.TRANSFER, [held, money, e.amount])
    else if (e.type === 'RECEIVED' && e.payment_id === null) add(ENTRY.TRANSFER, [money, held, e.amount])
    else if (e.type === 'RECEIVED') add(ENTRY.REVERSAL, [damage, held, e.amount])
    // What pays invoices is with the payments; one that was taken back since is not.
    else if (e.payment_status !== 'CONFIRMED') add(ENTRY.DEPOSIT, [held, damage, e.amount])
  }
}

/** Money that came and that nobody is named for yet. */
function readUnattributed(from: Database.Database, post: Post, { of }: Places): void {
  type Waiting = { id: string; org_id: string; method: string; paid_on: string; created_at: string; amount: number }
  for (const { id, org_id, method, paid_on, created_at, amount } of from.prepare(UNATTRIBUTED).all() as Waiting[]) {
    const { book } = of(org_id)
    const move: Move = [accountOf(book, moneyOf(method)), accountOf(book, SUSPENSE), amount]
    post(book, { kind: ENTRY.TRANSFER, on: paid_on, at: created_at, source: id }, [move])
  }
}

type Cost = {
  readonly id: string
  readonly property_id: string
  readonly spent_on: string
  readonly paid_on: string
  readonly created_at: string
  readonly amount: number
  readonly paid_by: string
  readonly method: string
}
/** What a property costs, and what its owner was handed. */
function readCosts(from: Database.Database, post: Post, { of }: Places): void {
  for (const cost of pages<Cost>(from, 'expense', EXPENSES)) {
    const { book, holder } = of(cost.property_id)
    const payer = cost.paid_by === 'OWNER' ? accountOf(holder, OWNER) : accountOf(book, OTHER)
    const entry = { kind: ENTRY.EXPENSE, on: cost.spent_on, at: cost.created_at, source: cost.id }
    post(book, entry, [[accountOf(holder, EXPENSE), payer, cost.amount]])
  }
  for (const handed of pages<Cost>(from, 'owner_transfer', HANDED)) {
    const { book, holder } = of(handed.property_id)
    const entry = { kind: ENTRY.TRANSFER, on: handed.paid_on, at: handed.created_at, source: handed.id }
    post(book, entry, [[accountOf(holder, OWNER), accountOf(book, moneyOf(handed.method)), handed.amount]])
  }
}

/** Fees by the month, each on its first day. */
function monthly(post: Post, { of, properties, zones }: Places, now: number): void {
  for (const id of properties) {
    const { book, holder, fees } = of(id)
    const begun = fees.find(({ monthlyAmount }) => monthlyAmount)?.from
    if (begun === undefined) continue
    const today = localDate(now, zones.get(book) ?? 'UTC')
    for (let day = firstOfMonth(begun); day <= today; day = addMonths(day, 1)) {
      const { net, tva } = monthlyFees(fees, day, day)
      const [charged, due] = [accountOf(holder, FEE), accountOf(holder, MANAGEMENT)]
      post(book, { kind: ENTRY.FEE, on: day, at: `${day}T12:00:00.000Z`, source: id }, [
        [charged, due, net],
        [charged, due, tva],
      ])
    }
  }
}

/** Numbers in the order of the days, and balances; from then on the database holds them itself. */
function finish(to: Database.Database): void {
  to.exec(`UPDATE entry SET seq = numbered.n
    FROM (SELECT id, row_number() OVER (PARTITION BY book ORDER BY day, at, id) n FROM entry) numbered WHERE numbered.id = entry.id;
  UPDATE book SET last_seq = counted.n FROM (SELECT book, max(seq) n FROM entry GROUP BY book) counted WHERE counted.book = book.id;
  INSERT INTO account (id, balance)
    SELECT id, sum(amount) FROM (SELECT debit id, amount FROM posting UNION ALL SELECT credit, -amount FROM posting) GROUP BY id;`)
  to.exec(guards)
}
