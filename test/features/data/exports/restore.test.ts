// Archives made by somebody who knows how: what comes in is one organization that is not here, or nothing at all.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { zipSync } from 'fflate'
import { SHAPE, transferTables } from '../../../../db/transfer/transfer.ts'
import { forgetHalfImport } from '../../../../src/features/data/exports/jobs.ts'
import { createTestApp, uuid } from '../../../support/app.ts'
import { bytesOf, forged, packAll, type Row, restore, rowsIn } from '../../../support/archives.ts'
import { jpegOf, sha256, upload } from '../../../support/files.ts'
import { contents } from '../../../support/folder.ts'
import { world } from '../../../support/world.ts'

const source = createTestApp()
const their = await world(source, 'elsewhere')
const photo = { ownerType: 'PROPERTY', ownerId: their.properties.PUBLISHED, kind: 'PHOTO', contentType: 'image/jpeg' }
expect((await upload(source, their.as.ana, photo, await jpegOf(400, 300))).status).toBe(200)
const good = await packAll(source, their.orgId)

/** The operator's own, which nothing of it may touch. */
const t = createTestApp()
const w = await world(t)
const card = { ownerType: 'USER', ownerId: w.userIds.tom, kind: 'PHOTO', contentType: 'image/jpeg' }
const mine = await upload(t, w.as.tom, card, await jpegOf(300, 200))
const kept = t.rows('select id, sha256 from media_object where id = ?', String(mine.body.id))[0]

const TABLES = t.rows("select name from sqlite_master where type = 'table' and name <> 'setting'").map((r) => r.name)
const state = () => ({
  rows: TABLES.map((name) => [name, t.rows(`select * from ${name}`)]),
  files: existsSync(t.mediaFolder) ? contents(t.mediaFolder) : {},
})
const before = state()
const refused = async (bytes: Uint8Array, words: string) => {
  await expect(restore(t, bytes, false)).rejects.toThrow(words)
  const after = state()
  for (const [i, [name, rows]] of before.rows.entries()) expect([name, after.rows[i]?.[1]]).toEqual([name, rows])
  expect(after.files).toEqual(before.files)
}

/** Not from loopback, where /metrics asks nobody for a token. */
const FAR = { 'x-forwarded-for': '203.0.113.9' }

const first = (change: (row: Row) => Row) => (rows: Row[]) => rows.map((row, i) => (i === 0 ? change(row) : row))
const added = (table: string, change: Row) => (rows: Row[]) => [
  ...rows,
  { ...rows[0], id: uuid(`new ${table}`), ...change },
]
const ROWS: [what: string, table: string, map: (rows: Row[]) => Row[], words: string][] = [
  [
    'an ADMIN of the operator’s organization',
    'app_user',
    added('app_user', { org_id: w.orgId, subject: uuid('x'), roles: '["ADMIN"]' }),
    'app_user',
  ],
  ['a line of its trail', 'audit_entry', added('audit_entry', { org_id: w.orgId }), 'is of another organization'],
  [
    'every table: another organization',
    'invoice',
    first((r) => ({ ...r, org_id: w.orgId })),
    'is of another organization',
  ],
  ['a second organization', 'organization', (rows) => [...rows, { ...rows[0], id: uuid('second') }], 'organization'],
  ['no organization', 'organization', () => [], 'must be there once'],
  [
    'a user of here, by id',
    'app_user',
    added('app_user', { id: w.userIds.tom, subject: 'nobody', username: null, phone_number: null }),
    'is here already',
  ],
  [
    'a row of another table, by id',
    'tenant',
    added('tenant', { id: w.bookings.ACTIVE, user_id: null, phone_number: null }),
    'is here already (booking)',
  ],
  ['a role that does not exist', 'app_user', first((r) => ({ ...r, roles: '["OPERATOR"]' })), 'roles'],
  ['roles that are no list', 'app_user', first((r) => ({ ...r, roles: '"ADMIN"' })), 'roles'],
  ['a subject of here', 'app_user', first((r) => ({ ...r, subject: w.userIds.ada })), 'is here already (app_user)'],
  ['a verified number of here', 'app_user', first((r) => ({ ...r, phone_number: numberOf('tom') })), 'phone number'],
  ['a user name of here', 'app_user', first((r) => ({ ...r, username: 'tom' })), 'name that is taken'],
  [
    'a tenant with the number of an account here',
    'tenant',
    first((r) => ({ ...r, phone_number: numberOf('tia') })),
    'phone number',
  ],
  ['createdBy of here', 'tenant', first((r) => ({ ...r, created_by: w.userIds.ana })), 'is here already (app_user)'],
  [
    'ownerUserId of here',
    'booking',
    first((r) => ({ ...r, owner_user_id: w.userIds.ana })),
    'is here already (app_user)',
  ],
  [
    'ownerUserId of nobody',
    'booking',
    first((r) => ({ ...r, owner_user_id: uuid('nobody') })),
    'which the export has not',
  ],
  [
    'a lease of here on an invoice',
    'invoice',
    first((r) => ({ ...r, booking_id: w.bookings.ACTIVE })),
    'is here already (booking)',
  ],
  [
    'an invoice of here in JSON',
    'payment',
    first((r) => ({ ...r, invoice_ids: JSON.stringify([w.invoices.PAID]) })),
    'is here already (invoice)',
  ],
  [
    'a document’s data that names a user of here',
    'document',
    first((r) => ({ ...r, data: JSON.stringify({ by: w.userIds.mia }) })),
    'is here already',
  ],
  [
    'a trail about a user of here',
    'audit_entry',
    first((r) => ({ ...r, subject_id: w.userIds.ada })),
    'is here already',
  ],
  [
    'a trail by a user of here',
    'audit_entry',
    first((r) => ({ ...r, actor_user_id: w.userIds.ada })),
    'is here already',
  ],
  [
    'a file of here as proof',
    'payment',
    first((r) => ({ ...r, proof_media_id: mine.body.id })),
    'is here already (media_object)',
  ],
  ['a transfer that it has not', 'payment', first((r) => ({ ...r, transfer: 1_000_000 })), 'refers in transfer'],
  ['a column that nobody knows', 'unit', first((r) => ({ ...r, admin: 1 })), 'a member that nobody knows'],
  [
    'a column that would be SQL',
    'unit',
    first((r) => ({ ...r, 'id) values (1); drop table unit; --': 1 })),
    'a member that nobody knows',
  ],
  ['a column that is missing', 'unit', first(({ label: _, ...r }) => r), 'label'],
  ['a number that is text', 'invoice', first((r) => ({ ...r, gross_amount: '50000' })), 'gross_amount'],
  ['a number that is none', 'invoice', first((r) => ({ ...r, gross_amount: 1.5 })), 'gross_amount'],
  ['a list in a column', 'invoice', first((r) => ({ ...r, number: ['1'] })), 'number'],
  ['a status that does not exist', 'booking', first((r) => ({ ...r, status: 'OWNED' })), 'status'],
  ['a method without a check in the schema', 'payment', first((r) => ({ ...r, method: 'BARTER' })), 'method'],
  ['a flag of 7', 'booking', first((r) => ({ ...r, auto_renew: 7 })), 'auto_renew'],
  ['JSON that is none', 'invoice', first((r) => ({ ...r, lines: '{' })), 'lines'],
  ['a date that is none', 'booking', first((r) => ({ ...r, start_date: '2026-02-30' })), 'start_date'],
  ['a time zone that is none', 'organization', first((r) => ({ ...r, time_zone: 'Mars/Base' })), 'time_zone'],
  [
    'an id that is a path',
    'media_object',
    first((r) => ({ ...r, id: '../../../etc/passwd' })),
    'no value that fits in id',
  ],
  ['a hash that is a path', 'media_object', first((r) => ({ ...r, sha256: '../../x' })), 'sha256'],
  ['a hook that is no address', 'webhook_endpoint', first((r) => ({ ...r, url: 'file:///etc/passwd' })), 'url'],
  ['sums that do not add up', 'invoice', first((r) => ({ ...r, net_amount: 1 })), 'invoice_sum'],
  ['a row twice', 'unit', (rows) => [...rows, ...rows.slice(0, 1)], 'twice in the export'],
  ['a lease of a unit that is not there', 'unit', (rows) => rows.slice(1), 'FOREIGN KEY'],
  [
    'a file’s row that is not there',
    'media_object',
    (rows) => rows.filter((r) => r.kind !== 'PHOTO'),
    'no row that names it',
  ],
  ['a line that is no row', 'unit', (rows) => [...rows, [] as unknown as Row], 'a line that is no row'],
]
function numberOf(name: string): unknown {
  return t.rows('select phone_number from app_user where first_name = ?', name)[0]?.phone_number
}

describe('an archive is refused by name, and leaves everything as it was, with', () => {
  test.each(ROWS)('%s', async (_what, table, map, words) => {
    await refused(forged(good, { rows: { [table]: map } }), words)
  })
  test.each(transferTables.filter((table) => rowsIn(good, table).length > 0))(
    'a row of %s that is of the operator’s organization',
    async (table) => {
      const key = table === 'organization' ? 'id' : 'org_id'
      await refused(forged(good, { rows: { [table]: first((r) => ({ ...r, [key]: w.orgId })) } }), table)
    },
  )
  const evil = new Uint8Array(Buffer.from('<script>'))
  const FILES: [what: string, name: string, content: Uint8Array<ArrayBuffer>, words: string][] = [
    ['a file above the folder', '../../evil.sh', evil, 'no file called'],
    ['a file at the root', '/etc/cron.d/evil', evil, 'no file called'],
    ['a folder', 'files/media_object/x/', new Uint8Array(0), 'damaged'],
    ['a table that is none', 'data/credential.json', bytesOf('[\n\n]\n'), 'no file called'],
    ['a program', 'files/media_object/run.exe', evil, 'no file called'],
    ['a file of a kind that is none', `files/export_run/${uuid('a')}.${sha256(evil)}`, evil, 'no file called'],
    ['a file that is not what its name says', `files/media_object/${uuid('a')}.${'0'.repeat(64)}`, evil, 'damaged'],
    ['a file without a row', `files/media_object/${uuid('a')}.${sha256(evil)}`, evil, 'no row that names it'],
    ['the name of a file of here', `files/media_object/${kept?.id}.${kept?.sha256}`, evil, 'is here already'],
    ['a thumbnail of a file of here', `files/media_object/${kept?.id}.${kept?.sha256}.320`, evil, 'is here already'],
    ['a name in another case', 'DATA/unit.json', evil, 'damaged'],
    ['another archive', 'files/media_object/nested.zip', zipSync({ a: evil }), 'no file called'],
  ]
  test.each(FILES)('%s', async (_what, name, content, words) => {
    await refused(forged(good, { files: (files) => ({ ...files, [name]: content }) }), words)
  })
  test('a manifest of another organization', async () => {
    const manifest = { format: 'loyer-export', scope: 'organization', exportedAt: '2026-03-01T00:00:00.000Z' }
    const of = (organizationId: string, shape: string = SHAPE) => ({
      files: (files: Record<string, Uint8Array<ArrayBuffer>>) => ({
        ...files,
        'manifest.json': bytesOf(JSON.stringify({ ...manifest, organizationId, shape })),
      }),
    })
    await refused(forged(good, of(w.orgId)), 'there already')
    await refused(forged(good, of(uuid('third'))), 'is of another organization')
    await refused(forged(good, of('../..')), 'damaged')
    // A terminal would obey the first, and scroll away by the second.
    await refused(forged(good, of(w.orgId, '\x1b[2Jall is well')), '("\\u001b[2Jall is well"')
    await refused(forged(good, of(w.orgId, 'x'.repeat(9_000))), `("${'x'.repeat(60)}"`)
  })
  test('rows that claim a mark of their own: the mark is set here', async () => {
    const there = createTestApp()
    const claimed = forged(good, { rows: { audit_entry: (rows) => rows.map((r) => ({ ...r, imported_at: null })) } })
    await restore(there, claimed)
    expect(
      there.rows("select count(*) n from audit_entry where imported_at is null and action <> 'organization.import'"),
    ).toEqual([{ n: 0 }])
  })
})

describe('a good one', async () => {
  const there = createTestApp()
  const own = await world(there)
  const done = await restore(there, good, false)
  test('comes in beside the operator’s organization, which stays theirs', async () => {
    expect(there.rows('select id from organization order by rowid')).toEqual([{ id: own.orgId }, { id: their.orgId }])
    const metrics = (who: string) => there.call(who, 'GET /metrics', undefined, FAR)
    expect((await metrics(own.as.ada)).status).toBe(200)
    for (const who of [their.as.ada, their.as.mia, own.as.mia, own.as.ana, own.as.tom])
      expect([who, (await metrics(who)).status]).toEqual([who, 403])
  })
  test('shows its ADMIN nothing of the operator’s organization', async () => {
    for (const line of ['users', 'audit', 'verification']) {
      const answer = await there.call<Row[]>(their.as.ada, `GET /api/v1/admin/${line}?limit=200`)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(own.userIds.ana)
    }
    expect((await there.call(their.as.ada, `GET /api/v1/bookings/${own.bookings.ACTIVE}`)).status).toBe(404)
  })
  test('is told in both trails, and its own lines are marked as brought in', async () => {
    const of = async (who: string) => (await there.call<Row[]>(who, 'GET /api/v1/admin/audit?limit=200')).body
    for (const who of [own.as.ada, their.as.ada]) {
      const [line] = (await of(who)).filter((r) => r.action === 'organization.import')
      expect(line).toMatchObject({
        actor: 'system',
        subjectId: their.orgId,
        details: { by: 'root', sha256: sha256(good), rows: done.rows, files: done.files },
      })
      expect(line).not.toHaveProperty('importedAt')
    }
    const rest = (await of(their.as.ada)).filter((r) => r.action !== 'organization.import')
    expect(rest.length).toBeGreaterThan(10)
    expect(rest.every((r) => typeof r.importedAt === 'string')).toBe(true)
    expect((await of(own.as.ada)).some((r) => 'importedAt' in r)).toBe(false)
  })
})

describe('the operator’s organization is the first one, and nobody becomes it silently', () => {
  test('an empty server asks', async () => {
    const there = createTestApp()
    await expect(restore(there, good, false)).rejects.toThrow('--operator')
    expect(there.rows('select id from organization')).toEqual([])
    await restore(there, good, true)
    expect((await there.call(their.as.ada, 'GET /metrics', undefined, FAR)).status).toBe(200)
  })
  test('a server that has one keeps it', async () => {
    await expect(restore(t, good, true)).rejects.toThrow('leave --operator out')
  })
})

test('what a killed import left is forgotten', async () => {
  const there = createTestApp()
  const { write } = there.deps
  let writes = 0
  // The process dies while the rows would come in: nothing is tidied up.
  const killed = {
    ...there.deps,
    write: ((org, fn, aside) => (++writes > 1 ? new Promise(() => {}) : write(org, fn, aside))) as typeof write,
  }
  void restore({ ...there, deps: killed }, good)
  while (writes < 2) await Bun.sleep(5)
  const files = () => Object.keys(contents(there.mediaFolder)).filter((name) => !name.includes('tmp'))
  expect(files().length).toBeGreaterThan(0)
  expect(await forgetHalfImport(there.deps)).toBeGreaterThan(0)
  expect(files()).toEqual([])
  expect(await forgetHalfImport(there.deps)).toBe(0)
  await restore(there, good)
  expect(await forgetHalfImport(there.deps)).toBe(0)
  expect(files().length).toBeGreaterThan(0)
})
