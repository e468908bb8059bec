// Files as they are: encodings, spreadsheets, sizes, and what is made to do harm.
import { expect, test } from 'bun:test'
import { zip } from '../../../../src/adapters/archive/zip.ts'
import { createTables } from '../../../../src/adapters/tables/tables.ts'
import { runImports } from '../../../../src/features/data/imports/jobs.ts'
import { createTestApp } from '../../../support/app.ts'

const OWNER = 'OWNER.ana'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const rest = async () => {}
const AT = new Date('2026-01-01T00:00:00Z')
const tables = createTables(zip)
const said = async (bytes: Uint8Array, maxRows = 100): Promise<string> => {
  try {
    return JSON.stringify((await tables.read(new Uint8Array(bytes), maxRows, rest)).rows)
  } catch (e) {
    const { details } = e as { details?: { errors?: { message: { en: string } }[] } }
    return details?.errors?.[0]?.message.en ?? String(e)
  }
}
const ROWS = [
  ['Nom', 'Prix'],
  ['Évêché à Ngaoundéré', '1 €'],
]
const CSV = ROWS.map((r) => r.join(';')).join('\n')
const utf16 = (littleEndian: boolean): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${CSV}`, 'utf16le')
  return littleEndian ? bytes : bytes.swap16()
}
/** Windows-1252 of what is in it below. */
const ansi = Uint8Array.from(CSV, (c) => (c === '€' ? 0x80 : c.charCodeAt(0)))
const UNREADABLE = 'The characters of this file cannot be read. Save it as "CSV UTF-8" and try again.'
const BROKEN = 'This is no CSV or XLSX file, or it is damaged.'

test.each([
  ['UTF-8', Buffer.from(CSV)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${CSV}`)],
  ['UTF-16, little end first', utf16(true)],
  ['UTF-16, big end first', utf16(false)],
  ['Windows-1252, as Excel saves in France', ansi],
  ['a first line that names the delimiter', Buffer.from(`\ufeffsep=;\r\n${CSV}`)],
])('%s is read', async (_name, bytes) => {
  expect(await said(bytes)).toBe(JSON.stringify(ROWS))
})

test.each([
  ['UTF-16 without its mark', utf16(true).subarray(2), UNREADABLE],
  ['bytes that no text has', Uint8Array.of(0x4e, 0x81, 0x8d, 0x3b), UNREADABLE],
  ['an open quote', Buffer.from('Nom;Prix\n"Villa;1\n'), BROKEN],
  ['a zip that is no spreadsheet', Buffer.from('PK\x03\x04nonsense'), BROKEN],
  [
    'too many rows',
    Buffer.from('a\n'.repeat(200)),
    'The file has more than 100 rows. Divide it and bring in one part after the other.',
  ],
])('%s is refused with a sentence', async (_name, bytes, sentence) => {
  expect(await said(bytes)).toBe(sentence)
})

test('half a million rows are refused by the first of them that is too many', async () => {
  const bytes = Buffer.from('Nom;Adresse;Ville\n'.repeat(500_000))
  expect(await said(bytes, 20_000)).toContain('more than 20000 rows')
})

test('as many rows as may be, with or without the end of the last line, and one more', async () => {
  const lines = (n: number, end: string) => Buffer.from(`Nom${'\nx'.repeat(n)}${end}`)
  for (const end of ['', '\n', '\n\n']) expect(JSON.parse(await said(lines(100, end))).length).toBe(101)
  for (const end of ['', '\n']) expect(await said(lines(101, end))).toContain('more than 100 rows')
})

test('a spreadsheet is read: text, numbers, dates', async () => {
  const columns = (['text', 'amount', 'date'] as const).map((kind) => ({ heading: kind, kind }))
  const sheet = { name: 'x', columns, rows: [['Évêché', 150_000, '2026-12-31']] }
  const bytes = new Uint8Array(await new Response(tables.xlsx(sheet, AT, rest)).arrayBuffer())
  expect(await said(bytes)).toBe('[["text","amount","date"],["Évêché","150000","2026-12-31"]]')
  // What was cut on its way.
  expect(await said(bytes.subarray(0, bytes.length / 3))).toBe(BROKEN)
})

test('an uploaded spreadsheet is imported; one that is none is not completed', async () => {
  const t = createTestApp()
  const upload = async (
    contentType: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<{ id: string; status: number }> => {
    const me = (await t.call(OWNER, 'GET /api/v1/me')).body
    const { body } = await t.call<{ id: string; upload: { url: string; headers: Record<string, string> } }>(
      OWNER,
      'POST /api/v1/media',
      {
        ownerType: 'USER',
        ownerId: me.userId ?? me.id,
        kind: 'DOCUMENT',
        filename: 'baux.xlsx',
        contentType,
        sizeBytes: bytes.byteLength,
      },
    )
    await t.app.handle(new Request(body.upload.url, { method: 'PUT', headers: body.upload.headers, body: bytes }))
    return { id: body.id, status: (await t.call(OWNER, `POST /api/v1/media/${body.id}/complete`, {})).status }
  }
  const columns = ['Nom', 'Adresse', 'Ville'].map((heading) => ({ heading, kind: 'text' as const }))
  const sheet = { name: 'Biens', columns, rows: [['Résidence', '=1+1', 'Kribi']] }
  const bytes = new Uint8Array(await new Response(tables.xlsx(sheet, AT, rest)).arrayBuffer())
  const { id, status } = await upload(XLSX, bytes)
  expect(status).toBe(200)
  const run = await t.call<{ id: string }>(OWNER, 'POST /api/v1/imports', { kind: 'properties', mediaObjectId: id })
  expect(run.status).toBe(202)
  await runImports(t.deps)
  expect((await t.call(OWNER, `GET /api/v1/imports/${run.body.id}`)).body).toMatchObject({ status: 'SUCCEEDED' })
  expect(t.rows('select name, address_line a from property')).toEqual([{ name: 'Résidence', a: '=1+1' }])
  expect((await upload(XLSX, new Uint8Array(Buffer.from('no spreadsheet')))).status).toBe(422)
  expect((await upload('text/csv', new Uint8Array(bytes))).status).toBe(422)
  expect((await upload('text/csv', new Uint8Array(Buffer.from('Nom;Adresse')))).status).toBe(200)
  const other = await t.call('OWNER.eve', 'POST /api/v1/imports', { kind: 'properties', mediaObjectId: id })
  expect(other.status).toBe(404)
})

test('two thousand leases come in at once', async () => {
  const t = createTestApp()
  const N = 2_000
  const bring = async (kind: string, head: string, line: (i: number) => string): Promise<string> => {
    const csv = [head, ...Array.from({ length: N }, (_, i) => line(i))].join('\n')
    const { body } = await t.call<{ id: string }>(OWNER, 'POST /api/v1/imports', { kind, csv: 'x;y' })
    t.store.client.prepare('update import_run set csv = ? where id = ?').run(csv, body.id)
    return body.id
  }
  await t.call(OWNER, 'POST /api/v1/properties', { name: 'Tour', addressLine: 'Rue 1', city: 'Douala' })
  await bring('units', 'Bien;Logement;Loyer', (i) => `Tour;U${i};50 000`)
  await runImports(t.deps)
  const id = await bring(
    'leases',
    'Bien;Logement;Locataire;Téléphone;Début;Solde initial',
    (i) => `Tour;U${i};Locataire ${i};67${String(i).padStart(7, '0')};01/01/2026;1 000`,
  )
  await runImports(t.deps)
  expect((await t.call(OWNER, `GET /api/v1/imports/${id}`)).body).toMatchObject({
    status: 'SUCCEEDED',
    rowsDone: N,
    created: { bookings: N, tenants: N, invoices: N },
  })
}, 60_000)
