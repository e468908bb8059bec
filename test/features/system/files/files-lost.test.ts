// A paper whose file is gone or damaged is drawn again from what was frozen of it, by whoever asks or by the schedule.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { drawLetters } from '../../../../src/features/news/reminders/jobs.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { createMender } from '../../../../src/features/system/files/jobs.ts'
import { ANA, start } from '../../../support/reminded.ts'

setDefaultTimeout(60_000)

/** A lease with its papers and a formal notice, all drawn; `redrawn` is the same paper after its file was spoilt. */
async function drawn() {
  const s = await start()
  s.t.advance(10)
  await s.t.work()
  const rentMessage = String((await s.remind({ step: 'FORMAL_NOTICE' })).body.id)
  await drawLetters(s.t.deps)
  while ((await renderDocuments(s.t.deps)) > 0);
  const { body } = await s.t.call<{ id: string; kind: string }[]>(ANA, 'GET /api/v1/documents?kind=INVOICE&order=asc')
  const invoice = String(body[0]?.id)
  const urls = {
    document: String((await s.t.call(ANA, `GET /api/v1/documents/${invoice}/download-url`)).body.url),
    letter: String((await s.t.call(ANA, `GET /api/v1/messages/${rentMessage}/letter-url`)).body.url),
  }
  const fetchPaper = async (kind: keyof typeof urls) => {
    const { pathname, search } = new URL(urls[kind])
    const answer = await s.t.app.handle(new Request(`http://localhost${pathname}${search}`))
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { status: answer.status, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  const ids = { document: invoice, letter: rentMessage }
  const fileOf = (kind: keyof typeof urls): string =>
    [...new Bun.Glob(`**/${ids[kind]}.*`).scanSync({ cwd: s.t.mediaFolder, absolute: true })][0] ?? ''
  const rowOf = (kind: keyof typeof urls) => s.t.rows(`select * from ${kind} where id = ?`, ids[kind])[0] ?? {}
  const trail = () => s.t.rows("select action, subject_id, details from audit_entry where action like '%redraw'")
  return { ...s, ids, fetchPaper, fileOf, rowOf, trail }
}
const SPOILT: [name: string, spoil: (file: string) => void][] = [
  ['gone', (file) => rmSync(file)],
  ['cut short', (file) => truncateSync(file, 100)],
  ['changed', (file) => writeFileSync(file, '%PDF-1.7 something else')],
]
for (const kind of ['document', 'letter'] as const)
  for (const [name, spoil] of SPOILT)
    test(`a ${kind} that is ${name}: the same bytes again, in its place, and nothing is noted`, async () => {
      const s = await drawn()
      const [before, row, file] = [await s.fetchPaper(kind), s.rowOf(kind), s.fileOf(kind)]
      expect(before).toEqual({ status: 200, sha256: String(row.sha256) })
      spoil(file)
      expect(await s.fetchPaper(kind)).toEqual(before)
      expect(s.fileOf(kind)).toBe(file)
      expect([s.rowOf(kind), s.trail()]).toEqual([row, []])
      // The second time it is read from the disk.
      const render = () => Promise.reject(new Error('drawn once more'))
      expect(await createMender({ ...s.t.deps, pdf: { ...s.t.deps.pdf, render } })()).toBe(0)
    })

test('the schedule finds files that are gone or cut short, of all papers, and draws no other', async () => {
  const s = await drawn()
  rmSync(s.fileOf('letter'))
  truncateSync(s.fileOf('document'), 10)
  const mend = createMender(s.t.deps)
  expect([await mend(), await mend()]).toEqual([2, 0])
  for (const kind of ['document', 'letter'] as const)
    expect(s.fileOf(kind)).toEndWith(`${s.ids[kind]}.${s.rowOf(kind).sha256}`)
})

test('at a stop the schedule breaks off after the paper in hand, and begins there again', async () => {
  const s = await drawn()
  rmSync(s.fileOf('letter'))
  rmSync(s.fileOf('document'))
  const stop = new AbortController()
  let opened = 0
  const open = (name: string) => {
    opened += 1
    stop.abort()
    return s.t.deps.documents.open(name)
  }
  const documents = { ...s.t.deps.documents, open }
  await createMender({ ...s.t.deps, documents, stopping: stop.signal })()
  // One paper: looked at, and read once more before it is drawn.
  expect(opened).toBeLessThanOrEqual(2)
  expect(await createMender(s.t.deps)()).toBeGreaterThan(0)
  expect(s.fileOf('letter')).not.toBe('')
})

test('a stop that keeps a paper from being drawn is no lost paper', async () => {
  const s = await drawn()
  rmSync(s.fileOf('letter'))
  rmSync(s.fileOf('document'))
  const stop = new AbortController()
  const render = () => {
    stop.abort()
    return Promise.reject(new Error('stopped'))
  }
  const lost: string[] = []
  const log = { ...s.t.deps.log, error: (event: string) => void lost.push(event) }
  await createMender({ ...s.t.deps, log, stopping: stop.signal, pdf: { ...s.t.deps.pdf, render } })()
  expect(lost).toEqual(['document.damaged'])
})

test('with another layout it has another hash, the trail says so, and both files are genuine', async () => {
  const s = await drawn()
  const was = String(s.rowOf('document').sha256)
  // As a newer program draws it.
  const older = 'a'.repeat(64)
  for (const table of ['document', 'letter'])
    s.t.store.client.prepare(`update ${table} set sha256 = ?, template_version = 0`).run(older)
  const told = await s.fetchPaper('document')
  expect(told).toEqual({ status: 200, sha256: was })
  expect(s.rowOf('document')).toMatchObject({ sha256: was, template_version: s.t.deps.pdf.versions.invoice })
  expect(await s.fetchPaper('letter')).toMatchObject({ status: 200 })
  expect(s.trail()).toEqual([
    {
      action: 'document.redraw',
      subject_id: s.ids.document,
      details: JSON.stringify({ was: older, sha256: was }),
    },
    {
      action: 'rent_message.letter_redraw',
      subject_id: s.ids.letter,
      details: JSON.stringify({ was: older, sha256: s.rowOf('letter').sha256 }),
    },
  ])
  const verify = async (sha256: string): Promise<string> => {
    const path = `/verify/${s.rowOf('document').code}?lang=en&sha256=${sha256}`
    return (await s.t.app.handle(new Request(`http://localhost${path}`))).text()
  }
  for (const digest of [was, older]) expect(await verify(digest)).toContain('This paper is genuine')
  expect(await verify('b'.repeat(64))).toContain('not the original')
})

test('without room the same bytes are given all the same; what cannot be drawn is not found, and stays as it was', async () => {
  const s = await drawn()
  const row = s.rowOf('document')
  rmSync(s.fileOf('document'))
  const receive = () => Promise.reject(new Error('no room'))
  const { documents, pdf } = s.t.deps
  Object.assign(s.t.deps, { documents: { ...documents, receive } })
  expect(await s.fetchPaper('document')).toEqual({ status: 200, sha256: String(row.sha256) })
  Object.assign(s.t.deps, { pdf: { ...pdf, render: () => Promise.reject(new Error('no glyphs')) } })
  expect((await s.fetchPaper('document')).status).toBe(404)
  expect(s.rowOf('document')).toEqual(row)
})
