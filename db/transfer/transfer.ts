import { randomBytes } from 'node:crypto'
import { checkLedger } from '../ledger/invariants.ts'
import { migrations } from '../migrations.ts'
import type { Db, Tx } from '../open.ts'
import type { Rest } from '../snapshot.ts'
import { type Cell, checkTogether, RowProblem, rowChecker, strangers, type TransferRow } from './checks.ts'
import { closeBook, entryWriter, JOURNAL_ROWS, removeJournal } from './journal.ts'

/**
 * The exported tables: everything of an organization except secrets, temporary data and data of this machine. Each
 * table comes after those that it refers to.
 */
const TABLES = [
  'organization',
  'app_user',
  'property',
  'unit',
  'assignment',
  'tenant',
  'booking',
  'invoice_counter',
  'invoice',
  'credit_note',
  'lease_template',
  'media_object',
  'meter',
  'meter_reading',
  'regularisation',
  'regularisation_share',
  'expense',
  'owner_transfer',
  'transfer',
  'payment',
  'allocation',
  'deposit_entry',
  'money_message',
  'entry',
  'book',
  'verification_case',
  'verification_document',
  'document_counter',
  'document',
  'lease_party',
  'lease_payer',
  'signature',
  'signed_copy',
  'repair',
  'repair_entry',
  'inspection',
  'inspection_photo',
  'inspection_signature',
  'rent_change',
  'rent_message',
  'letter',
  'consent',
  'webhook_endpoint',
  'audit_entry',
] as const
export type TransferTable = (typeof TABLES)[number]

/** The tables that are not exported, with the reason; a test compares both lists with the schema. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  credential: 'secret: accounts come in with a password that nobody knows, and people set a new one by phone',
  second_factor: 'secret: apps and passkeys belong to the address of this machine; people set them up again',
  second_factor_code: 'secret: goes with the second factor',
  second_factor_try: 'passing: wrong codes in a row',
  signing_key: 'secret: the keys of this machine',
  oidc_payload: 'secret: sessions and tokens of this machine',
  challenge: 'passing: codes that live for minutes',
  code_send: 'passing: what the caps on codes count',
  known_place: 'of this machine: where its accounts signed in',
  budget_day: 'passing: what was spent on a day',
  registration_ticket: 'passing: sign-ups under way',
  phone_undo: 'passing: changes of number that can be undone for three days, by links of this machine',
  recovery: 'passing: what waits a day before it lets an ADMIN back in, by links of this machine',
  idempotency: 'passing: answers kept for a day',
  job: 'passing: what is on its way from here would be done twice',
  outbound_message:
    'passing: messages on their way, sealed with a key of this machine; the audit trail tells what was sent',
  news_item: 'passing: news that waits for the morning',
  delivery_report: 'passing: reports seen by this machine',
  message: 'the inbox of the sandbox',
  webhook_delivery: 'passing: what was delivered from here, kept for a month',
  import_run: 'of this machine: the runs of its imports',
  audit_archive:
    'of this machine: archives of the trail, signed with its key; an ADMIN fetches their files before moving house',
  row_count: 'counted anew as rows come in',
  holder: 'made anew as entries come in, which name what it stands for',
  account: 'summed anew as entries come in',
  posting: 'comes with its entry',
  export_run: 'of this machine: the runs of its exports, whose files go after a day',
  setting: 'of this machine',
  ...Object.fromEntries(
    ['', '_config', '_content', '_data', '_docsize', '_due', '_idx'].map((end) => [
      `search${end}`,
      'indexed anew as rows come in',
    ]),
  ),
}

type AlongTable = 'credential' | 'second_factor' | 'outbound_message' | 'job' | 'news_item' | 'webhook_delivery'
const OF_USERS = 'user_id in (select id from app_user where org_id = :org)'
/**
 * What goes along, beside the exported tables, when an organization moves for good: accounts and what waits to be done.
 * A passkey belongs to the address of its server; codes in messages are void before anybody could type them elsewhere.
 */
const ALONG: Readonly<Record<AlongTable, string>> = {
  credential: OF_USERS,
  second_factor: `kind = 'TOTP' and ${OF_USERS}`,
  outbound_message: 'org_id = :org and sealed is not null and next_at is not null and challenge_id is null',
  job: 'org_id = :org',
  news_item: 'org_id = :org',
  webhook_delivery: "org_id = :org and status = 'PENDING'",
}
export type AlongRow = Readonly<Record<string, string | number | null>>
export type Along = Readonly<Record<AlongTable, readonly AlongRow[]>>

/** The rows that go along when an organization moves, as they stand. */
export function rowsAlong(db: Db, org: string): Along {
  const of = (table: AlongTable) =>
    db.$client.prepare(`select * from ${table} where ${ALONG[table]}`).all({ org }) as AlongRow[]
  return {
    credential: of('credential'),
    second_factor: of('second_factor'),
    outbound_message: of('outbound_message'),
    job: of('job'),
    news_item: of('news_item'),
    webhook_delivery: of('webhook_delivery'),
  }
}

/** Brings in the rows that went along with an organization that is here. @throws RowProblem for one of somebody else */
export function bringAlong(tx: Tx, org: string, rows: Along): void {
  const { $client } = tx
  const isOurs = $client.prepare('select 1 from app_user where id = ? and org_id = ?')
  for (const table of Object.keys(ALONG) as AlongTable[]) {
    const columns = $client.prepare('select name from pragma_table_info(?)').pluck().all(table).map(String)
    const put = $client.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of rows[table]) {
      const ours = columns.includes('org_id') ? row.org_id === org : isOurs.get(row.user_id, org) !== undefined
      if (!ours) throw new RowProblem(table, undefined, 'is of another organization', 'relève d’une autre organisation')
      put.run(...columns.map((name) => row[name] ?? null))
    }
  }
  // What ran there when it was packed runs again here: a job may run twice.
  $client.prepare("update job set status = 'READY' where org_id = ? and status = 'RUNNING'").run(org)
}

/** How many of its messages a vendor may be taking at this moment. */
export const messagesUnderWay = (db: Db, org: string, now: number): number =>
  db.$client
    .prepare("select count(*) from outbound_message where next_at > ? and status = 'SENDING' and org_id = ?")
    .pluck()
    .get(now, org) as number

/** Deletes everything of an organization, except its files. */
export function removeOrganization(tx: Tx, org: string): void {
  const { $client } = tx
  const tables = $client
    .prepare(
      `select m.name, (select group_concat(i.name) from pragma_table_info(m.name) i) as columns from sqlite_master m
       where m.type = 'table' and m.name not like 'search%' and m.name not like 'sqlite%'`,
    )
    .all() as { name: string; columns: string }[]
  const having = (column: string): string[] =>
    tables.flatMap(({ name, columns }) => (columns.split(',').includes(column) ? [name] : []))
  const ofOrg = having('org_id')
  $client.pragma('defer_foreign_keys = ON')
  // An audit trail is kept for as long as its organization is; nobody else sees the database without these triggers.
  const guards = $client
    .prepare("select name, sql from sqlite_master where type = 'trigger' and sql like '%before delete%'")
    .all() as { name: string; sql: string }[]
  for (const { name } of guards) $client.exec(`drop trigger ${name}`)
  for (const table of having('user_id').filter((name) => !ofOrg.includes(name)))
    $client.prepare(`delete from ${table} where ${OF_USERS}`).run({ org })
  endSessionsOf(tx, org)
  // The counts last: the triggers of the others change them.
  for (const table of [...ofOrg.filter((name) => name !== 'row_count'), 'row_count'])
    $client.prepare(`delete from ${table} where org_id = ?`).run(org)
  removeJournal(tx, org)
  $client.prepare('delete from organization where id = ?').run(org)
  for (const { sql } of guards) $client.exec(sql)
}

/** Ends every sign-in of an organization's people: no token is renewed. */
export const endSessionsOf = (tx: Tx, org: string): void =>
  void tx.$client
    .prepare('delete from oidc_payload where account_id in (select subject from app_user where org_id = ?)')
    .run(org)

/** Rows that are read and written out in one turn of a few ms. */
const SLICE = 100
/** Keys that are read in such a turn. */
const MANY = 5000

/** The version of the schema: rows can only be imported into a database of the same version. */
export const SHAPE: string = migrations.at(-1)?.name ?? ''

export const transferTables: readonly TransferTable[] = TABLES

/** Incomplete uploads stay with the machine that waits for them. */
const WHERE: Partial<Record<TransferTable, string>> = {
  organization: 'id = :org',
  media_object: "org_id = :org and status = 'AVAILABLE'",
  entry: 'book = (select id from holder where ref = :org) order by seq',
  book: 'id = (select id from holder where ref = :org)',
}

/** All rows of an organization in a table, slice by slice in the order of their keys. */
export async function* transferRows(
  db: Db,
  table: TransferTable,
  org: string,
  rest: Rest,
): AsyncGenerator<readonly TransferRow[]> {
  const where = WHERE[table] ?? 'org_id = :org'
  // The rows of one organization lie scattered: to ask for the next of them by key would sort all of them each time.
  const keys: number[] = []
  for (const key of db.$client.prepare(`select rowid from ${table} where ${where}`).pluck().iterate({ org })) {
    keys.push(Number(key))
    if (keys.length % MANY === 0) await rest()
  }
  // Entries come in by their numbers.
  if (table !== 'entry') keys.sort((a, b) => a - b)
  const read = db.$client.prepare(
    table === 'entry' || table === 'book' ? JOURNAL_ROWS[table] : `select * from ${table} where rowid = ?`,
  )
  for (let at = 0; at < keys.length; at += SLICE) {
    yield keys.slice(at, at + SLICE).map((key) => read.get(key) as TransferRow)
    await rest()
  }
}

/** The rows of an organization that have one of the values in a column. */
export const rowsWith = (
  db: Db,
  org: string,
  {
    table,
    column,
    values,
  }: { readonly table: TransferTable; readonly column: string; readonly values: readonly string[] },
): readonly TransferRow[] =>
  db.$client
    .prepare(`select * from ${table} where org_id = ? and ${column} in (select value from json_each(?))`)
    .all(org, JSON.stringify(values)) as TransferRow[]

/** A hash that matches no password, in the format of the embedded provider: the user sets a new one by phone. */
function noPassword(): string {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${random(16)}$${random(32)}`
}

/** Exported rows, table by table, parsed but not yet checked. */
export type Incoming = { readonly table: TransferTable; readonly rows: Iterable<unknown> }

/**
 * Imports the rows of an organization into tables that have none of it; transfer-checks.ts says what is refused.
 * Audit entries are marked as imported. Webhook endpoints come in disabled: their secrets belong to another machine,
 * and whoever tries a copy must not notify anybody. `moving`: passwords follow, see `bringAlong`.
 * @returns how many rows @throws RowProblem
 */
export function restoreRows(
  tx: Tx,
  org: string,
  incoming: Iterable<Incoming>,
  { now, moving }: { readonly now: string; readonly moving: boolean },
): number {
  const { $client } = tx
  const isStranger = strangers(tx, org)
  const came: TransferTable[] = []
  let count = 0
  // Rows of some tables are numbered by each server: those that come in follow those that are here.
  const shifts = new Map<string, number>(
    ['transfer', 'invoice'].map((table) => [
      table,
      Number($client.prepare(`select coalesce(max(row), 0) from ${table}`).pluck().get()),
    ]),
  )
  let book: readonly Cell[] = []
  // Inserting payments triggers an addition to the credit of their lease, which already includes them.
  $client
    .prepare('create temp table if not exists brought (id text primary key, credit integer, at text, version integer)')
    .run()
  const remember = $client.prepare(
    'insert into brought select id, credit_amount, updated_at, version from booking where id = ?',
  )
  let version: unknown
  for (const { table, rows } of incoming) {
    const { columns, check } = rowChecker(table, org)
    const put = writerOf(tx, org, table, columns)
    const mark = table === 'audit_entry' ? columns.indexOf('imported_at') : -1
    const isNumbered = shifts.has(table)
    const numbered = columns.indexOf(isNumbered ? 'row' : 'transfer')
    const shift = shifts.get(isNumbered ? table : 'transfer') ?? 0
    const shifted = (cells: readonly Cell[]): readonly Cell[] => {
      const number = cells[numbered]
      return typeof number === 'number' ? cells.with(numbered, number + shift) : cells
    }
    let some = 0
    for (const line of rows) {
      const row = check(line)
      isStranger(table, row)
      try {
        put(shifted(mark < 0 ? row.cells : row.cells.with(mark, now)))
      } catch (e) {
        throw misfit(e, table, row.id)
      }
      if (table === 'booking') remember.run(row.id)
      if (table === 'book') book = row.cells
      some += 1
    }
    if (table === 'organization') {
      if (some !== 1) throw new RowProblem(table, org, 'must be there once', 'doit s’y trouver une fois')
      version = $client.prepare('select version from organization where id = ?').pluck().get(org)
    }
    came.push(table)
    count += some
  }
  checkTogether(
    tx,
    org,
    came.filter((table) => table !== 'organization'),
  )
  $client.prepare("update webhook_endpoint set status = 'DISABLED' where org_id = ?").run(org)
  // A phone number must not sign in to two accounts.
  const passwords = $client.prepare(
    `insert into credential (user_id, password_hash, changed_at, updated_at) select u.id, ?, ?, ? from app_user u
     where u.org_id = ? and u.subject = u.id and u.username is not null and u.status in ('ACTIVE', 'DISABLED') and not exists
     (select 1 from app_user o where o.username = u.username and o.id < u.id)`,
  )
  if (!moving) passwords.run(noPassword(), now, now, org)
  $client
    .prepare(
      `update booking set credit_amount = b.credit, updated_at = b.at, version = b.version from brought b
       where booking.org_id = ? and booking.id = b.id`,
    )
    .run(org)
  $client.prepare('drop table brought').run()
  if (came.includes('entry')) {
    closeBook(tx, org, book)
    const [wrong] = checkLedger($client, $client, org)
    if (wrong !== undefined)
      throw new RowProblem(
        'entry',
        undefined,
        `does not fit the rows beside it: ${wrong}`,
        `ne concorde pas\u00a0: ${wrong}`,
      )
  }
  $client.prepare('update organization set version = ? where id = ?').run(version, org)
  return count
}

/** Writes the cells of a row that comes in. */
function writerOf(
  tx: Tx,
  org: string,
  table: TransferTable,
  columns: readonly string[],
): (cells: readonly Cell[]) => void {
  if (table === 'entry') return entryWriter(tx, org)
  if (table === 'book') return () => {}
  const put = tx.$client.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return (cells) => void put.run(...cells)
}

/** Turns SQLite's error about a row into one that people understand. */
function misfit(e: unknown, table: string, id: string): unknown {
  if (!(e instanceof Error) || !('code' in e) || !String(e.code).startsWith('SQLITE_CONSTRAINT')) return e
  if (/UNIQUE|PRIMARYKEY/.test(String(e.code)))
    return new RowProblem(
      table,
      id,
      'is here already, or twice in the export',
      'existe déjà, ou figure deux fois dans l’export',
    )
  return new RowProblem(table, id, `does not fit: ${e.message}`, `ne convient pas : ${e.message}`)
}

export const organizationThere = (db: Db, id: string): boolean =>
  db.$client.prepare('select 1 from organization where id = ?').get(id) !== undefined
