// Every text of every table that is about a person, filled from the schema itself: what is left once they are erased, and
// what they are given in their own copy. A new column is in neither, unless it is named here with its reason.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { closeAccount, personalFiles } from '../../../../src/features/data/personal-data/service.ts'
import { handlers } from '../../../../src/jobs/registry.ts'
import { createWorker } from '../../../../src/jobs/worker.ts'
import { claimsOf, ORG, type TestApp, uuid } from '../../../support/app.ts'
import { makeReady } from '../../../support/contracts.ts'
import { type World, worldApp } from '../../../support/world.ts'

setDefaultTimeout(60_000)
const folder = join(import.meta.dir, '../../../../db/schema')
const modules: Record<string, unknown>[] = await Promise.all(
  readdirSync(folder).map((file) => import(join(folder, file))),
)
const tables = modules.flatMap((module) => Object.values(module).filter((value) => is(value, SQLiteTable)))

const LEO = 'TENANT.leo'
const NUMBER = claimsOf(LEO, Date.now).phoneNumber ?? ''
type Row = Record<string, unknown>
let marks = 0
const markOf = (place: string): string => `¤${place}¤${++marks}`
const marksIn = (text: string, since = 0): string[] =>
  [...text.matchAll(/¤([\w.]+)¤(\d+)/g)].flatMap(([, place = '', n]) => (Number(n) > since ? [place] : []))
const sorted = (places: readonly string[]): string[] => [...new Set(places)].sort()

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/
const DATE = /^\d{4}-\d\d-\d\d/
/** Names, days and digests of rows, and words of the service's own: they say nothing of a person by themselves. */
const isKey = ({ name, primary, enumValues }: SQLiteColumn, value: unknown): boolean =>
  primary ||
  enumValues !== undefined ||
  /(^|_)(id|ids|by|at|on|to|after|date|sha256|code|source|currency|kind|number_of|trace)$/.test(name) ||
  ID.test(String(value)) ||
  DATE.test(String(value))

/** A value with a mark in each of its objects. */
function marked(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === 'object' ? marked(entry, place) : entry))
  const inside = Object.entries(value ?? {}).map(([name, of]) => [
    name,
    typeof of === 'object' && of !== null ? marked(of, `${place}.${name}`) : of,
  ])
  return { ...Object.fromEntries(inside), mark: markOf(place) }
}

/** Fills every text of the rows that name one of `words`, but for those words. @returns the places filled */
function fill({ store: { client } }: TestApp, words: readonly string[]): string[] {
  const since = marks
  for (const table of tables) {
    const { name, columns } = getTableConfig(table)
    // The trail can only be added to; what it says of people are ids and digests.
    if (name === 'audit_entry') continue
    for (const row of client.prepare(`select rowid at_row, * from "${name}"`).all() as Row[]) {
      if (!words.some((word) => Object.values(row).some((value) => String(value).includes(word)))) continue
      for (const column of columns) {
        const value = row[column.name]
        if (column.getSQLType() !== 'text' || isKey(column, value) || words.includes(String(value))) continue
        const place = `${name}.${column.name}`
        const text =
          column.dataType === 'custom'
            ? JSON.stringify(marked(value === null ? {} : JSON.parse(String(value)), place))
            : markOf(place)
        client.prepare(`update "${name}" set "${column.name}" = ? where rowid = ?`).run(text, row.at_row)
      }
    }
  }
  return marksLeft(client, since)
}
/** Every place that has a mark made since. */
const marksLeft = (client: TestApp['store']['client'], since: number): string[] =>
  sorted(
    tables
      .flatMap((table) => client.prepare(`select * from "${getTableConfig(table).name}"`).all() as Row[])
      .flatMap((row) => marksIn(JSON.stringify(row), since)),
  )
/** Every column that holds a word. */
const holding = (client: TestApp['store']['client'], word: string): string[] =>
  sorted(
    tables
      .map(getTableConfig)
      .flatMap(({ name }) =>
        (client.prepare(`select * from "${name}"`).all() as Row[]).flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) => (String(value).includes(word) ? [`${name}.${column}`] : [])),
        ),
      ),
  )
/** Every mark in a person's own copy. */
async function exported(t: TestApp, userId: string, since: number): Promise<string[]> {
  const found: string[] = []
  const caller = { orgId: ORG, userId, roles: ['TENANT'] as const, scope: { kind: 'tenant' as const, userId } }
  for await (const { content } of personalFiles(t.deps, caller as never)) {
    let text = ''
    for await (const part of typeof content === 'string' ? [content] : content)
      text += typeof part === 'string' ? part : ''
    found.push(...marksIn(text, since))
  }
  return sorted(found)
}
async function erase(t: TestApp, userId: string): Promise<void> {
  const deps = { ...t.deps, identity: { deleteAccount: async () => {} } as never }
  const caller = { orgId: ORG, userId, roles: ['TENANT'], scope: { kind: 'tenant', userId } }
  await closeAccount(deps, { caller, address: '', requestId: 'erase', locale: 'fr' } as never, {})
  await createWorker(deps, handlers(deps)).drain()
}

/** Leo asked for a lease, signed another that was then dropped, may be a guarantor, and brought his papers. */
async function leo(t: TestApp, w: World): Promise<void> {
  const made = async (who: string, line: string, body: object = {}) => {
    const answer = await t.call(who, line, body)
    expect([line, answer.status < 300, answer.text]).toEqual([line, true, answer.text])
    return String(answer.body.id)
  }
  const startDate = '2026-06-01'
  await t.call(LEO, 'GET /api/v1/me')
  await made(LEO, 'POST /api/v1/bookings', { unitId: w.units.SPARE, startDate })
  const lease = await made(w.as.ana, 'POST /api/v1/bookings', {
    unitId: w.units.SPARE,
    tenantUserId: uuid('leo~organization'),
    startDate,
  })
  await made(w.as.ana, `POST /api/v1/bookings/${lease}/submit`)
  await makeReady(t, lease)
  const { body } = await t.call(LEO, `POST /api/v1/bookings/${lease}/signatures/otp`, {})
  const signature = { challengeId: body.challengeId, code: t.sent.at(-1)?.code, fullName: 'Leo' }
  await made(LEO, `POST /api/v1/bookings/${lease}/signatures`, signature)
  await made(w.as.ana, `POST /api/v1/bookings/${lease}/cancel`)
  const guarantor = { role: 'GUARANTOR', fullName: 'Leo', phoneNumber: NUMBER, idNumber: '1' }
  expect(
    (await t.call(w.as.ana, `PUT /api/v1/bookings/${w.bookings.DRAFT}/parties`, { parties: [guarantor] })).status,
  ).toBe(200)
  await made(LEO, 'POST /api/v1/verification/kyc')
}

type Reasons = Readonly<Record<string, string>>
const named = (reasons: Reasons): string[] => sorted(Object.values(reasons).flatMap((places) => places.split(/\s+/)))
const PAPER_OF_LANDLORD = `document.number document.data document.data.landlord document.data.premises document.data.clauses
  document.data.clauses.blocks document.data.clauses.blocks.runs`
/** By reason, of whoever it is: what stays after an erasure. */
const STAYS: Reasons = {
  'the landlord’s record of a lease, which names the place and no person': `booking.unit_label booking.property_name
    booking.notice booking.review_clause booking.settlement booking.termination_reason booking.trade`,
  'the landlord’s papers, without those whom a dropped lease named': PAPER_OF_LANDLORD,
  'what a network spent, without whose number it was': 'code_send.address code_send.prefix code_send.site',
  'a signature under a text, with the last two digits of a number': 'signature.masked_number',
  'ids of work done, which go with the work': 'job.payload',
}
/** Of whoever had a lease: what the law keeps for ten years. */
const LAW_KEEPS: Reasons = {
  'the party of the lease': `tenant.full_name tenant.address tenant.niu tenant.id_type tenant.id_number tenant.rccm
    tenant.representative_name tenant.representative_role booking.tenant_name signature.full_name`,
  'the other parties of the lease': `lease_party.full_name lease_party.phone_number lease_party.id_type lease_party.id_number
    lease_party.address`,
  'invoices, receipts and notes, and what they were drawn from': `invoice.number invoice.lines invoice.tenant_name
    invoice.unit_label invoice.property_name credit_note.number document.data.tenant document.data.signatures
    document.data.lines document.data.credits document.data.invoices document.data.payment document.data.earlier
    document.data.account document.data.deposit`,
  'what was paid, and what it was counted on': `payment.reference payment.note deposit_entry.reason transfer.reference
    transfer.note`,
  'the state of the rooms, which both signed': `inspection.note inspection.rooms inspection.rooms.items document.data.rooms
    document.data.rooms.items`,
  'the rent as it was changed, and who agreed': `rent_change.reason rent_change.signed_name rent_change.masked_number
    rent_change.declined_reason`,
  'formal notices, which a court asks for': `rent_message.masked_destination rent_message.once letter.number letter.data
    letter.data.tenant letter.data.landlord letter.data.premises letter.data.invoices
    letter.data.coming`,
  'repairs that the landlord noted': 'repair.title repair.description repair.refusal_reason',
  'why work failed that is no longer tried': 'job.last_error',
}
/** By reason: what a person’s own copy does not repeat. */
const WITHHELD: Reasons = {
  'codes, and how often they were asked for': `challenge.asker challenge.code_hash challenge.joins code_send.address
    code_send.prefix code_send.site`,
  'it is in the papers of the copy, as PDF': `document.data document.data.landlord document.data.premises document.data.tenant
    document.data.clauses document.data.clauses.blocks document.data.clauses.blocks.runs booking.settlement`,
  'work under way': 'job.payload job.last_error',
}
const WITHHELD_OF_LEASE: Reasons = {
  'it is in the papers of the copy, as PDF': `credit_note.number deposit_entry.reason document.data.account document.data.deposit
    document.data.credits document.data.earlier document.data.invoices document.data.lines document.data.payment
    document.data.rooms document.data.rooms.items document.data.signatures inspection.note inspection.rooms
    inspection.rooms.items`,
  'a rent change that they have not signed': `rent_change.reason rent_change.signed_name rent_change.masked_number
    rent_change.declined_reason`,
  'letters that they were sent': `rent_message.masked_destination rent_message.once letter.number letter.data
    letter.data.coming letter.data.invoices letter.data.landlord letter.data.premises
    letter.data.tenant`,
  'how money came, as its payments tell': `transfer.reference transfer.note transfer.payer_name
    transfer.payer_number`,
  'others of the lease': `lease_party.full_name lease_party.phone_number lease_party.id_type lease_party.id_number
    lease_party.address`,
}

test.each([
  ['who had no lease', () => uuid('leo~organization'), [STAYS], [WITHHELD], []],
  [
    'who had a lease',
    (w: World) => w.userIds.tom,
    [STAYS, LAW_KEEPS],
    [WITHHELD, WITHHELD_OF_LEASE],
    ['document.data', 'letter.data', 'tenant.phone_number'],
  ],
] as const)(
  '%s: every text is filled; what stays and what is withheld is named',
  async (_, who, stays, withheld, numbered) => {
    const { t, w } = await worldApp()
    await leo(t, w)
    const userId = who(w)
    const { client } = t.store
    const pluck = (sql: string) => client.prepare(sql).pluck().all(userId) as string[]
    const [number = ''] = pluck('select phone_number from app_user where id = ?')
    const ids = ['booking where tenant_user_id', 'tenant where user_id'].flatMap((of) =>
      pluck(`select id from ${of} = ?`),
    )
    const since = marks
    const filled = fill(t, [userId, number, ...ids])
    expect(filled).toEqual(expect.arrayContaining(['app_user.first_name', 'app_user.notifications']))
    const out = await exported(t, userId, since)
    const copied = ['booking.tenant_name', 'booking.unit_label', 'booking.property_name']
    expect(filled.filter((place) => !out.includes(place) && !copied.includes(place))).toEqual(
      sorted(withheld.flatMap(named)),
    )
    await erase(t, userId)
    expect(marksLeft(client, since)).toEqual(sorted(stays.flatMap(named)))
    expect(holding(client, number)).toEqual([...numbered])
  },
)
