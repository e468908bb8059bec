import { is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isDate, isDateTime, isTimeZone } from '../../src/core/dates.ts'
import { isUuid } from '../../src/core/id.ts'
import { E164, maskPhone } from '../../src/core/phone.ts'
import { isRole } from '../../src/core/roles.ts'
import type { Db, Tx } from '../open.ts'
import * as bookings from '../schema/bookings.ts'
import { consent } from '../schema/challenges.ts'
import * as contracts from '../schema/contracts.ts'
import * as deposits from '../schema/deposits.ts'
import * as documents from '../schema/documents.ts'
import * as expenses from '../schema/expenses.ts'
import * as inspections from '../schema/inspections.ts'
import * as invoices from '../schema/invoices.ts'
import * as media from '../schema/media.ts'
import * as meters from '../schema/meters.ts'
import * as money from '../schema/mobile-money.ts'
import * as operations from '../schema/operations.ts'
import * as organizations from '../schema/organizations.ts'
import * as payments from '../schema/payments.ts'
import * as properties from '../schema/properties.ts'
import * as regularisations from '../schema/regularisations.ts'
import * as reminders from '../schema/reminders.ts'
import * as rents from '../schema/rents.ts'
import * as repairs from '../schema/repairs.ts'
import * as tenants from '../schema/tenants.ts'
import * as users from '../schema/users.ts'
import * as verification from '../schema/verification.ts'
import * as webhooks from '../schema/webhooks.ts'

const LEASES = [
  bookings,
  contracts,
  deposits,
  documents,
  expenses,
  inspections,
  invoices,
  media,
  meters,
  money,
  payments,
  properties,
  regularisations,
  reminders,
  repairs,
  rents,
  tenants,
]
const OTHERS = [{ consent }, operations, organizations, users, verification, webhooks]
let known: ReadonlyMap<string, ReturnType<typeof getTableConfig>> | undefined
/** Every table by its name, read at the first use. */
function configs() {
  known ??= new Map(
    [...LEASES, ...OTHERS]
      .flatMap((file): unknown[] => Object.values(file))
      .flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : []))
      .map((config) => [config.name, config]),
  )
  return known
}

/** Says why rows cannot be imported: the table, the row if one is to blame, and the end of the sentence. */
export class RowProblem extends Error {
  readonly table: string
  readonly id: string | undefined
  readonly en: string
  readonly fr: string
  constructor(table: string, id: string | undefined, en: string, fr: string) {
    super(`${table} ${id ?? ''}: ${en}`)
    this.table = table
    this.id = id
    this.en = en
    this.fr = fr
  }
}

const MOST_TEXT = 1_000_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const isAny = (): boolean => true
/** The format of a text column, by its name; the first match applies. */
const TEXTS: readonly (readonly [name: RegExp, test: (value: string) => boolean])[] = [
  [/^(request|transaction|subject|challenge)_id$/, isAny],
  [/^id$|_id$/, isUuid],
  [/_by$|^assigned_to$/, (v) => v === 'system' || isUuid(v)],
  [/_at$/, isDateTime],
  [/^paused_until$/, (v) => v === '' || isDateTime(v)],
  [/_on$|_date$|^period_|^bill_from$/, isDate],
  [/^currency$|_currency$/, (v) => v === 'XAF'],
  [/sha256$/, (v) => /^[0-9a-f]{64}$/.test(v)],
  [/^phone_number$/, (v) => E164.test(v)],
  [/^time_zone$/, isTimeZone],
  [/^quiet_/, (v) => /^\d\d:\d\d$/.test(v)],
  [/^url$/, (v) => /^https?:\/\//.test(v) && URL.canParse(v)],
]

function isJson(text: string, test: (value: unknown) => boolean): boolean {
  try {
    return test(JSON.parse(text))
  } catch {
    return false
  }
}
const isRoles = (value: unknown): boolean =>
  Array.isArray(value) && value.every((r) => typeof r === 'string' && isRole(r))

function testOf(column: SQLiteColumn): (value: unknown) => boolean {
  const { name, enumValues, columnType } = column
  const custom = columnType === 'SQLiteCustomColumn'
  if (column.getSQLType() === 'real') return (v) => typeof v === 'number' && Number.isFinite(v)
  if (column.getSQLType() === 'integer') return custom ? (v) => v === 0 || v === 1 : (v) => Number.isSafeInteger(v)
  const text = (test: (v: string) => boolean) => (v: unknown) =>
    typeof v === 'string' && v.length <= MOST_TEXT && test(v)
  if (custom) return text((v) => isJson(v, name === 'roles' ? isRoles : isAny))
  if (enumValues && enumValues.length > 0) return text((v) => enumValues.includes(v))
  const named = TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? isAny
  return text((v) => !CONTROL.test(v) && named(v))
}

type Column = { readonly name: string; readonly notNull: boolean; readonly holds: (value: unknown) => boolean }
const number = (name: string): Column => ({ name, notNull: true, holds: Number.isSafeInteger })
const words = (name: string, notNull: boolean, test: (value: string) => boolean): Column => ({
  name,
  notNull,
  holds: (value) => typeof value === 'string' && value.length <= MOST_TEXT && test(value),
})
/** The columns of a journal in an export, which are not those of its tables. */
const JOURNAL: Readonly<Record<string, readonly Column[]>> = {
  book: [words('org_id', true, isUuid), number('closed_on'), words('numbers', false, (value) => isJson(value, isAny))],
  entry: [
    words('org_id', true, isUuid),
    ...['seq', 'day', 'kind', 'at'].map(number),
    words('source', false, isUuid),
    words('moves', true, (value) => isJson(value, isAny)),
  ],
}

export type Cell = string | number | null
export type TransferRow = Readonly<Record<string, Cell>>
type Cells = { readonly id: string; readonly cells: readonly Cell[] }

/**
 * Checks exported rows of a table: exactly the table's columns, each with a valid value, all of one organization.
 * @throws RowProblem
 */
export function rowChecker(
  table: string,
  orgId: string,
): { readonly columns: readonly string[]; check: (row: unknown) => Cells } {
  const columns =
    JOURNAL[table] ??
    (configs().get(table)?.columns ?? []).map((column) => ({
      name: column.name,
      notNull: column.notNull,
      holds: testOf(column),
    }))
  const names = new Set(columns.map(({ name }) => name))
  const owner = table === 'organization' ? 'id' : 'org_id'
  return {
    columns: columns.map(({ name }) => name),
    check(line) {
      if (typeof line !== 'object' || line === null || Array.isArray(line))
        throw new RowProblem(table, undefined, 'has a line that is no row', 'contient une ligne qui n’en est pas une')
      const row = line as TransferRow
      const id = typeof row.id === 'string' ? row.id : undefined
      const unknown = Object.keys(row).find((key) => !names.has(key))
      if (unknown !== undefined)
        throw new RowProblem(
          table,
          id,
          `has a member that nobody knows (${unknown.slice(0, 40)})`,
          'a un membre inconnu',
        )
      const cells = columns.map(({ name, notNull, holds }) => {
        const value = row[name]
        if (value === undefined || (value === null ? notNull : !holds(value)))
          throw new RowProblem(table, id, `has no value that fits in ${name}`, `a dans ${name} une valeur inadmissible`)
        return value
      })
      if (row[owner] !== orgId)
        throw new RowProblem(table, id, 'is of another organization', 'relève d’une autre organisation')
      return { id: id ?? '', cells }
    },
  }
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** JSON may write any character of an id as its code. */
const plain = (cell: string): string =>
  cell.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
/** Size of the cache of ids already looked up: they repeat from row to row. */
const REMEMBERED = 50_000

/**
 * Checks that no id in a cell, also inside JSON, exists in another organization here: imported rows must neither
 * replace nor refer to existing rows. @throws RowProblem
 */
export function strangers(tx: Tx, orgId: string): (table: string, row: Cells) => void {
  const { $client } = tx
  const tables = $client
    .prepare("select name from sqlite_master where type = 'table' and name not like 'search%'")
    .pluck()
    .all()
    .map(String)
  const places = tables.flatMap((name) => {
    const columns = $client.prepare('select name from pragma_table_info(?)').pluck().all(name)
    if (!columns.includes('id')) return []
    const others = name === 'organization' ? 'id <> :org' : columns.includes('org_id') ? 'org_id is not :org' : '1'
    const some = $client.prepare(`select 1 from ${name} where ${others} limit 1`).get({ org: orgId })
    return some ? [`select '${name}' as name from ${name} where id = :id and ${others}`] : []
  })
  if (places.length === 0) return () => {}
  const find = $client.prepare(`${places.join(' union all ')} limit 1`).pluck()
  const known = new Set<string>()
  return (table, { id: row, cells }) => {
    for (const cell of cells)
      if (typeof cell === 'string' && cell.length >= 36)
        for (const [id] of plain(cell).matchAll(UUIDS)) {
          if (known.has(id)) continue
          const there = find.get({ id, org: orgId })
          if (there !== undefined)
            throw new RowProblem(
              table,
              row,
              `names ${id}, which is here already (${there})`,
              `cite ${id}, qui existe déjà ici (${there})`,
            )
          if (known.size >= REMEMBERED) known.clear()
          known.add(id)
        }
  }
}

/** Tables that a column refers to by its name, where there is no foreign key. */
const REFERENCES: readonly (readonly [name: RegExp, table: string, key?: string])[] = [
  [/(^|_)user_id$|_by$|^assigned_to$/, 'app_user'],
  [/(^|_)booking_id$/, 'booking'],
  [/^invoice_id$|^replaced_by_id$/, 'invoice'],
  [/^payment_id$/, 'payment'],
  [/^property_id$/, 'property'],
  [/^unit_id$/, 'unit'],
  [/^tenant_id$/, 'tenant'],
  [/^document_id$/, 'document'],
  [/^signer_id$/, 'lease_party'],
  [/^regularisation_id$/, 'regularisation'],
  [/^transfer$/, 'transfer', 'row'],
]
const ACCOUNTS = [
  ['app_user', 'a.subject = b.subject', 'has an account here already', 'a déjà un compte ici'],
  [
    'app_user',
    'a.username = b.username',
    'signs in with a name that is taken here',
    'a un nom de connexion déjà pris ici',
  ],
  [
    'app_user',
    'a.phone_number = b.phone_number and (a.phone_verified = 1 or b.phone_verified = 1)',
    'has a phone number that is known here already',
    'a un numéro de téléphone déjà connu ici',
  ],
  [
    'tenant',
    'a.phone_number = b.phone_number and b.phone_verified = 1',
    'has the phone number of an account here',
    'a le numéro de téléphone d’un compte existant ici',
  ],
] as const

const NUMBER_KNOWN = `select 1 from app_user b where b.org_id <> :org and b.phone_number = :number and (b.phone_verified = 1 or :verified = 1)`
/**
 * Checks a person of an export before anything comes in: nobody of another organization here has their number.
 * @throws RowProblem with the masked number
 */
export function checkPerson(db: Db, orgId: string, table: 'app_user' | 'tenant', line: unknown): void {
  const { id, phone_number: number, phone_verified: verified } = (line ?? {}) as TransferRow
  if (typeof number !== 'string') return
  const known = db.$client
    .prepare(NUMBER_KNOWN)
    .get({ org: orgId, number, verified: table === 'app_user' && verified === 1 ? 1 : 0 })
  if (known === undefined) return
  const masked = maskPhone(number)
  throw new RowProblem(
    table,
    String(id),
    `has a phone number that is known here already (${masked}): free it here or there first`,
    `a un numéro de téléphone déjà connu ici (${masked}) : libérez-le d’abord ici ou là-bas`,
  )
}

/** Checks imported rows against each other, once all are in their tables. @throws RowProblem */
export function checkTogether(tx: Tx, orgId: string, tables: readonly string[]): void {
  const first = (sql: string) => tx.$client.prepare(sql).pluck().get({ org: orgId })
  for (const table of tables)
    for (const { name, enumValues } of configs().get(table)?.columns ?? []) {
      // A column of words, such as who paid, refers to nobody.
      if (enumValues && enumValues.length > 0) continue
      const [, target, key = 'id'] = REFERENCES.find(([pattern]) => pattern.test(name)) ?? []
      if (target === undefined) continue
      const id = first(
        `select coalesce(${name}, '') from ${table} t where t.org_id = :org and t.${name} is not null and t.${name} <> 'system'
         and not exists (select 1 from ${target} x where x.org_id = t.org_id and x.${key} = t.${name}) limit 1`,
      )
      if (id !== undefined)
        throw new RowProblem(
          table,
          undefined,
          `refers in ${name} to ${id}, which the export has not`,
          `cite dans ${name} ${id}, absent de l’export`,
        )
    }
  for (const [table, same, en, fr] of ACCOUNTS) {
    const id = first(
      `select a.id from ${table} a join app_user b on ${same} and b.org_id <> a.org_id where a.org_id = :org limit 1`,
    )
    if (id !== undefined) throw new RowProblem(table, String(id), en, fr)
  }
}
