import { randomBytes } from 'node:crypto'
import { migrations } from './migrations.ts'
import type { Db, Tx } from './open.ts'
import type { Rest } from './snapshot.ts'

/** Everything of an organization but what is secret, passing, or this machine's own; each table after those it refers to. */
const TABLES = [
  'organization',
  'app_user',
  'property',
  'unit',
  'tenant',
  'booking',
  'invoice_counter',
  'invoice',
  'lease_template',
  'media_object',
  'payment',
  'allocation',
  'deposit_entry',
  'money_message',
  'verification_case',
  'verification_document',
  'document_counter',
  'document',
  'signature',
  'signed_copy',
  'notice',
  'notice_letter',
  'consent',
  'webhook_endpoint',
  'audit_entry',
] as const
export type TransferTable = (typeof TABLES)[number]

/** Every other table, and why its rows stay behind; a test holds both lists against the schema. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  credential: 'secret: accounts come in with a password that nobody knows, and people set a new one by phone',
  signing_key: 'secret: the keys of this machine',
  oidc_payload: 'secret: sessions and tokens of this machine',
  challenge: 'passing: codes that live for minutes',
  code_send: 'passing: what the caps on codes count',
  registration_ticket: 'passing: sign-ups under way',
  idempotency: 'passing: answers kept for a day',
  job: 'passing: what is on its way from here would be done twice',
  outbound_message:
    'passing: messages on their way, sealed with a key of this machine; the audit trail tells what was sent',
  delivery_report: 'passing: reports seen by this machine',
  message: 'the inbox of the sandbox',
  webhook_delivery: 'passing: what was delivered from here, kept for a month',
  import_run: 'of this machine: the runs of its imports',
  export_run: 'of this machine: the runs of its exports, whose files go after a day',
  setting: 'of this machine',
}

/** Tenants that an owner knows, as tenants/store.ts has it. */
const KNOWN =
  "(select id from tenant where org_id = :org and created_by = :user union select tenant_id from booking where org_id = :org and owner_user_id = :user and status in ('PENDING', 'ACTIVE', 'TERMINATED'))"
const THEIRS = 'org_id = :org and owner_user_id = :user'
const OF_BOOKING = `org_id = :org and booking_id in (select id from booking where ${THEIRS} and tenant_id in ${KNOWN})`
/** What an owner's own export has, by table; what is not named is left out. */
const OWN: Partial<Record<TransferTable, string>> = {
  organization: 'id = :org',
  app_user: 'org_id = :org and id = :user',
  property: THEIRS,
  unit: 'org_id = :org and property_id in (select id from property where org_id = :org and owner_user_id = :user)',
  tenant: `org_id = :org and id in ${KNOWN}`,
  booking: `${THEIRS} and (tenant_id in ${KNOWN} or (status = 'DRAFT' and (vouched = 1 or requested_by is not null)))`,
  invoice: THEIRS,
  media_object:
    "org_id = :org and status = 'AVAILABLE' and property_id in (select id from property where org_id = :org and owner_user_id = :user)",
  payment: THEIRS,
  allocation: 'org_id = :org and payment_id in (select id from payment where org_id = :org and owner_user_id = :user)',
  deposit_entry: OF_BOOKING,
  document: OF_BOOKING,
  signature: OF_BOOKING,
  notice: OF_BOOKING,
  notice_letter: OF_BOOKING,
}
const ALL: Partial<Record<TransferTable, string>> = {
  organization: 'id = :org',
  media_object: "org_id = :org and status = 'AVAILABLE'",
}

type Cell = string | number | null
export type TransferRow = Readonly<Record<string, Cell>>
const SLICE = 500

/** The version of the tables' shape: rows go only into a database of the same. */
export const SHAPE: string = migrations.at(-1)?.name ?? ''

export const transferTables = (own: boolean): readonly TransferTable[] =>
  own ? TABLES.filter((t) => OWN[t] !== undefined) : TABLES

/** The rows of a table, slice by slice in the order of their keys. */
export async function* transferRows(
  db: Db,
  table: TransferTable,
  who: { readonly org: string; readonly user: string; readonly own: boolean },
  rest: Rest,
): AsyncGenerator<readonly TransferRow[]> {
  const where = (who.own ? OWN : ALL)[table] ?? 'org_id = :org'
  const read = db.$client.prepare(
    `select rowid as "_row", * from ${table} where (${where}) and rowid > :after order by rowid limit ${SLICE}`,
  )
  for (let after = 0; ; ) {
    const { org, user } = who
    const rows = read.all({ org, after, ...(where.includes(':user') ? { user } : {}) }) as (TransferRow & {
      _row: number
    })[]
    if (rows.length === 0) return
    after = rows.at(-1)?._row ?? after
    yield rows.map(({ _row, ...row }) => row)
    await rest()
  }
}

/** A hash that no password has, in the form of the embedded provider's own: the account waits for a new one by phone. */
function noPassword(): string {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${random(16)}$${random(32)}`
}

/**
 * Puts rows into tables that have none of their organization. Webhook endpoints come in disabled: their secrets are
 * another machine's, and who tries a copy must tell nobody. @throws SqliteError for rows that do not fit
 */
export function restoreRows(tx: Tx, rows: ReadonlyMap<string, readonly TransferRow[]>, now: string): void {
  for (const table of TABLES) {
    const columns = (tx.$client.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
    const put = tx.$client.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of rows.get(table) ?? []) put.run(...columns.map((c) => row[c] ?? null))
  }
  const endpoint = tx.$client.prepare("update webhook_endpoint set status = 'DISABLED' where id = ?")
  for (const { id } of rows.get('webhook_endpoint') ?? []) endpoint.run(id)
  // Nobody's number signs in to two accounts: who has one here already keeps that.
  const account = tx.$client.prepare(
    `insert into credential (user_id, password_hash, changed_at, updated_at) select u.id, ?, ?, ? from app_user u
     where u.id = ? and u.subject = u.id and u.username is not null and u.status in ('ACTIVE', 'DISABLED') and not exists
     (select 1 from app_user o join credential c on c.user_id = o.id where o.username = u.username)`,
  )
  const none = noPassword()
  for (const { id } of rows.get('app_user') ?? []) account.run(none, now, now, id)
  // Payments add to the credit of their lease as they come in; it was counted already.
  const credit = tx.$client.prepare('update booking set credit_amount = ?, updated_at = ?, version = ? where id = ?')
  for (const b of rows.get('booking') ?? []) credit.run(b.credit_amount, b.updated_at, b.version, b.id)
  const version = tx.$client.prepare('update organization set version = ? where id = ?')
  for (const o of rows.get('organization') ?? []) version.run(o.version, o.id)
}

export const organizationThere = (db: Db, id: string): boolean =>
  db.$client.prepare('select 1 from organization where id = ?').get(id) !== undefined
