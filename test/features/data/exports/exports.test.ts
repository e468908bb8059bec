// Everything of an organization in one file, and out of it again elsewhere: equal, to the franc.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { unzipSync, zipSync } from 'fflate'
import { LEFT_OUT, transferTables } from '../../../../db/transfer/transfer.ts'
import { runExports } from '../../../../src/features/data/exports/jobs.ts'
import { drawLetters } from '../../../../src/features/news/reminders/jobs.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { createTestApp, uuid } from '../../../support/app.ts'
import { allPages, pack, packAll, restore, textOf } from '../../../support/archives.ts'
import { jpegOf, PDF, sha256, upload } from '../../../support/files.ts'
import { contents as folderContents } from '../../../support/folder.ts'
import { LISTS } from '../../../support/lists.ts'
import { world, worldApp } from '../../../support/world.ts'

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
type App = ReturnType<typeof createTestApp>
const ABOUT_EXPORTS = /^export\.|^organization\.(im|ex)port$/
/** What changes on the way: lines of the trail are marked, endpoints disabled. */
const PASSING: Record<string, string> = {
  'data/organization.json': 'version',
  'data/webhook_endpoint.json': 'status',
  'data/audit_entry.json': 'imported_at',
}
/** What an archive holds, but for the time and what an export itself leaves in the trail. */
const contents = (bytes: Uint8Array) =>
  Object.fromEntries(
    Object.entries(unzipSync(bytes))
      .filter(([name]) => name !== 'manifest.json' && name !== 'checksums.json')
      .map(([name, file]) => {
        if (!name.endsWith('.json')) return [name, name.startsWith('files/') ? sha256(file) : textOf(file)]
        const rows = JSON.parse(textOf(file)) as Record<string, unknown>[]
        const kept = rows.filter((r) => !ABOUT_EXPORTS.test(String(r.action)))
        const passing = PASSING[name] ?? ''
        return [name, kept.map(({ [passing]: _, ...r }) => r)]
      }),
  )
const REPORTS = ['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement']

/** A world with more papers: a photo with its thumbnails, the scan of a lease, an identity paper, clauses of its own. */
async function richWorld(t: App) {
  const w = await world(t)
  const { ana, tom, ada } = w.as
  const make = async (who: string, line: string, body: object = {}, method = 'POST'): Promise<string> => {
    const answer = await t.call(who, `${method} /api/v1/${line}`, body)
    if (answer.status > 202) throw new Error(`${line}: ${answer.status} ${answer.text}`)
    return String(answer.body.id)
  }
  const photo = { ownerType: 'PROPERTY', ownerId: w.properties.PUBLISHED, kind: 'PHOTO', contentType: 'image/jpeg' }
  expect((await upload(t, ana, photo, await jpegOf(1200, 900))).status).toBe(200)
  const pdf = { kind: 'DOCUMENT', contentType: 'application/pdf' }
  // An archive within the archive.
  const sheet = { kind: 'DOCUMENT', contentType: SHEET, ownerType: 'USER', ownerId: w.userIds.ana }
  const inner = zipSync({ 'a.xml': new Uint8Array(5_000), 'b.xml': new Uint8Array(9) }, { level: 0 })
  expect((await upload(t, ana, sheet, inner)).status).toBe(200)
  const scan = await upload(t, ana, { ...pdf, ownerType: 'USER', ownerId: w.userIds.ana }, PDF)
  await make(ana, `bookings/${w.bookings.UNSIGNED}/signed-copy`, { mediaObjectId: scan.body.id })
  const card = { ownerType: 'VERIFICATION', ownerId: w.userIds.tom, kind: 'PHOTO', contentType: 'image/jpeg' }
  const paper = await upload(t, tom, card, await jpegOf(800, 500))
  await make(tom, `verification/kyc/${w.kyc.tom}/documents`, {
    mediaObjectId: paper.body.id,
    role: 'SELF_ID',
    documentType: 'NATIONAL_ID',
  })
  await make(tom, `verification/kyc/${w.kyc.tom}/submit`)
  for (const step of ['start-review', 'approve']) await make(ada, `admin/verification/${w.kyc.tom}/${step}`)
  const { body } = await t.call<{ clauses: object[] }>(ada, 'GET /api/v1/lease-templates/HOME')
  await make(ada, 'lease-templates/HOME', { clauses: body.clauses.slice(0, 3) }, 'PUT')
  await make(ana, `bookings/${w.bookings.ENDING}/payments`, { amount: 123_456, method: 'CASH', paidOn: '2026-03-09' })
  t.store.client
    .prepare("insert into consent values (?, ?, ?, 'TERMS', '1', 'fr', ?, '2026-03-01T00:00:00.000Z')")
    .run(uuid('consent'), w.orgId, w.userIds.tom, 'a'.repeat(64))
  await t.work()
  while ((await renderDocuments(t.deps)) + (await drawLetters(t.deps)) > 0);
  return w
}
/** What a request for a file answers, by its hash. */
async function fileOf(t: App, who: string, line: string): Promise<string> {
  const link = await t.call<{ url: string }>(who, `GET /api/v1/${line}`)
  if (link.status !== 200) return `${link.status} ${link.body}`
  const file = await t.app.handle(new Request(link.body.url))
  return file.status === 200 ? `200 ${sha256(new Uint8Array(await file.arrayBuffer()))}` : String(file.status)
}
const page = async (t: App, code: unknown): Promise<string> => {
  const answer = await t.app.handle(new Request(`http://localhost/verify/${code}`))
  return `${answer.status} ${(await answer.text()).replace(/nonce[-=]"?[\w+/=-]+/g, '')}`
}

describe('an export brought into an empty database', async () => {
  const t = createTestApp()
  const w = await richWorld(t)
  const first = await packAll(t, w.orgId)
  const there = createTestApp()
  await restore(there, first)
  const people = Object.values(w.as)

  test('gives the same export', async () => {
    // Another one than is read beside this, as reading draws papers.
    const there = createTestApp()
    const done = await restore(there, first)
    expect(done.organizationId).toBe(w.orgId)
    expect(contents(await packAll(there, w.orgId))).toEqual(contents(first))
    expect(there.rows('pragma foreign_key_check')).toEqual([])
    // What each person entered is counted from nothing: a share is about the rows to come.
    const counts = (app: App) =>
      app.rows("select * from row_count where org_id = ? and instr(kind, ' ') = 0 order by kind", w.orgId)
    expect([counts(t).length, counts(there)]).toEqual([7, counts(t)])
    expect(there.rows('select status from webhook_endpoint')).toEqual([{ status: 'DISABLED' }])
  })
  test.each(REPORTS)('gives the same %s, to the franc', async (name) => {
    for (const who of [w.as.ana, w.as.eve, w.as.mia]) {
      const query = `GET /api/v1/reports/${name}?from=2025-12-01&to=2026-06-30`
      const here = await t.call(who, query)
      expect(here.status).toBe(200)
      expect((await there.call(who, query)).body).toEqual(here.body)
    }
  })
  // Archives of the trail stay on the machine whose key signed them, runs where they ran.
  test.each(LISTS.filter(({ table }) => !/^audit_archive$|_run$/.test(table)).map((l) => [l.line, l] as const))(
    'gives the same rows: %s',
    async (line, list) => {
      let seen = 0
      for (const who of people) {
        const path = `${line.replace(':id', list.of?.(w) ?? '')}?limit=200&count=true`
        const [here, its] = [await allPages(t, who, path), await allPages(there, who, path)]
        const told = ({ status, body }: typeof here) => [
          status,
          // A refusal names its request.
          ...(Array.isArray(body) ? body : [])
            // Uploads under way are of the machine that waits for them; files are viewed by these tests themselves.
            .filter(({ action }) => !ABOUT_EXPORTS.test(String(action)) && action !== 'media.view')
            .filter((r) => !('sizeBytes' in r && r.status === 'PENDING'))
            // Deliveries of messages are of the machine that sent them.
            .map(({ importedAt: _, delivery: _delivery, ...r }) => (r.url ? { ...r, status: '' } : r)),
        ]
        // Deliveries are of the machine that made them.
        if (list.table === 'webhook_delivery') expect(told(its)).toEqual([here.status])
        else expect(told(its)).toEqual(told(here))
        if (Array.isArray(here.body)) seen += here.body.length
      }
      expect(seen).toBeGreaterThan(0)
    },
  )
  test('gives the same papers byte for byte, whose codes are still known', async () => {
    const papers = t.rows('select id, code, status from document where org_id = ? order by id', w.orgId)
    let whole = 0
    for (const { id, code } of papers) {
      const line = `documents/${id}/download-url`
      const here = await fileOf(t, w.as.ada, line)
      if (here.startsWith('200')) whole += 1
      expect(await fileOf(there, w.as.ada, line)).toBe(here)
      expect(await page(there, code)).toBe(await page(t, code))
    }
    // The others' files were only said to be there.
    expect(whole).toBeGreaterThan(15)
    expect(await page(there, papers[0]?.code)).toStartWith('200')
    for (const rentMessage of [w.rentMessage, w.hers.rentMessage]) {
      const line = `messages/${rentMessage}/letter-url`
      expect(await fileOf(t, w.as.ada, line)).toStartWith('200')
      expect(await fileOf(there, w.as.ada, line)).toBe(await fileOf(t, w.as.ada, line))
    }
  })
  test('gives the same files of media, thumbnails too', async () => {
    const files = t.rows("select id, kind from media_object where status = 'AVAILABLE'")
    expect(files.length).toBe(4)
    for (const { id, kind } of files)
      for (const size of kind === 'PHOTO' ? ['', '?size=320', '?size=800'] : ['']) {
        const line = `media/${id}/download-url${size}`
        const who = [w.as.ana, w.as.tom]
        const here = await Promise.all(who.map((p) => fileOf(t, p, line)))
        expect(here.some((told) => told.startsWith('200'))).toBe(true)
        expect(await Promise.all(who.map((p) => fileOf(there, p, line)))).toEqual(here)
      }
  })
  test('goes on living: the next invoice has the next number', async () => {
    // Another one than the tests beside this compare.
    const living = createTestApp()
    await restore(living, first)
    living.advance(40)
    await living.work()
    expect(living.rows('select number from invoice group by number having count(*) > 1')).toEqual([])
    expect(living.rows('select count(*) n from invoice')[0]?.n).toBeGreaterThan(
      Number(t.rows('select count(*) n from invoice')[0]?.n),
    )
  })
})

test('every table is exported, or named as left behind with a reason', () => {
  const t = createTestApp()
  const tables = t.rows("select name from sqlite_master where type = 'table' and name not like 'sqlite%'")
  const known = [...transferTables, ...Object.keys(LEFT_OUT)]
  expect(known.toSorted()).toEqual(tables.map(({ name }) => String(name)).toSorted())
})

test('secrets and what is of this machine alone stay behind', async () => {
  const { t, w } = await worldApp()
  const names = Object.keys(unzipSync(await pack(t, w.as.ada)))
  for (const table of [
    'credential',
    'oidc_payload',
    'signing_key',
    'challenge',
    'idempotency',
    'outbound_message',
    'job',
  ])
    expect(names).not.toContain(`data/${table}.json`)
  expect(names).toContain('csv/invoice.csv')
})

test("an owner's export holds what is theirs, and cannot be brought in", async () => {
  const { t, w } = await worldApp()
  const bytes = await pack(t, w.as.ana)
  const files = unzipSync(bytes)
  const of = (name: string) => JSON.parse(textOf(files[`data/${name}.json`])) as Record<string, unknown>[]
  expect(new Set(of('property').map((p) => p.owner_user_id))).toEqual(new Set([w.userIds.ana]))
  expect(of('app_user').map((u) => u.id)).toEqual([w.userIds.ana])
  const all = textOf(Buffer.concat(Object.values(files)))
  for (const id of [w.hers.property, w.hers.unit, w.hers.booking, w.hers.invoice, w.hers.payment])
    expect(all).not.toContain(id)
  expect(Object.keys(files)).not.toContain('data/audit_entry.json')
  await expect(restore(createTestApp(), bytes)).rejects.toThrow("one person's part")
})

describe('what cannot be brought in changes nothing', async () => {
  const t = createTestApp()
  const w = await richWorld(t)
  const good = await pack(t, w.as.ada)
  const nothing = (there: App) => expect(there.rows('select id from organization')).toEqual([])
  test('an organization that is there already', async () => {
    await expect(restore(t, good, false)).rejects.toThrow('there already')
  })
  const refused = async (bytes: Uint8Array, words: string) => {
    const there = createTestApp()
    await expect(restore(there, bytes)).rejects.toThrow(words)
    nothing(there)
    expect(there.rows('select count(*) n from audit_entry')).toEqual([{ n: 0 }])
    expect(existsSync(there.mediaFolder) ? Object.keys(folderContents(there.mediaFolder)) : []).toEqual([])
  }
  const DAMAGED = 'damaged or was changed'
  const changed = (name: string, change: (words: string) => string): Uint8Array => {
    const files = unzipSync(good)
    const file = files[name]
    if (!file) throw new Error(`no ${name}`)
    return zipSync({
      ...files,
      [name]: new Uint8Array(Buffer.from(change(Buffer.from(file).toString('latin1')), 'latin1')),
    })
  }
  const paper = Object.keys(unzipSync(good)).find((name) => name.startsWith('files/document/')) ?? ''
  test.each([
    ['a quarter of it', () => good.subarray(0, good.length / 4)],
    ['half of it', () => good.subarray(0, good.length / 2)],
    ['all but the last entries', () => good.subarray(0, good.length * 0.95)],
    ['all but its directory and last file', () => good.subarray(0, good.lastIndexOf(0x50, good.length - 20_000))],
    [
      'an amount that was changed',
      () => changed('data/invoice.json', (w) => w.replace('"gross_amount":50000', '"gross_amount":10000')),
    ],
    ['a paper that was changed', () => changed(paper, (w) => w.replace('PDF-1', 'PDF-2'))],
    ['a table that is no JSON', () => changed('data/unit.json', (w) => w.slice(1))],
    [
      'a table that is missing',
      () => zipSync(Object.fromEntries(Object.entries(unzipSync(good)).filter(([n]) => n !== 'data/payment.json'))),
    ],
    [
      'a file that was added',
      () => zipSync({ ...unzipSync(good), 'data/more.json': new Uint8Array(Buffer.from('[]')) }),
    ],
  ])('%s', async (_name, bytes) => {
    await refused(bytes(), DAMAGED)
  })
  test('another version', async () => {
    await refused(
      changed('manifest.json', (w) => w.replace(/"shape": "[^"]+/, '"shape": "another')),
      'another version of Loyer',
    )
  })
  test('rows that contradict one another', async () => {
    const files = unzipSync(good)
    const names = ['data/unit.json', 'checksums.json']
    const [units = '', sums = ''] = names.map((name) => textOf(files[name]))
    const orphans = units.replaceAll(/"property_id":"[^"]+"/g, `"property_id":"${uuid('nowhere')}"`)
    const sum = (words: string) => sha256(new Uint8Array(Buffer.from(words)))
    const made = [orphans, sums.replace(sum(units), sum(orphans))].map((words) => new Uint8Array(Buffer.from(words)))
    await refused(
      zipSync({ ...files, ...Object.fromEntries(names.map((n, i) => [n, made[i] ?? new Uint8Array()])) }),
      'FOREIGN KEY',
    )
  })
  test('no export at all', async () => {
    const there = createTestApp()
    await expect(restore(there, Buffer.from('PK no zip'))).rejects.toThrow('damaged')
    nothing(there)
  })
})

test('the file goes after a day', async () => {
  const { t, w } = await worldApp()
  t.advance(2)
  await runExports(t.deps)
  const answer = await t.call(w.as.ana, `GET /api/v1/exports/${w.exports.MINE}`)
  expect(answer.body).toMatchObject({ status: 'EXPIRED' })
  expect((await t.call(w.as.ana, `GET /api/v1/exports/${w.exports.MINE}/download-url`)).status).toBe(409)
})
