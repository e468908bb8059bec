// An archive as others read it, and how little of it stands in memory.
import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import type { ArchiveFile } from '../../src/adapters/archive/port.ts'
import { unzip } from '../../src/adapters/archive/unzip.ts'
import { zip } from '../../src/adapters/archive/zip.ts'
import { safeName } from '../../src/core/file-names.ts'
import { temporaryFolder } from '../support/folder.ts'

const AT = new Date('2026-03-10T08:00:00.000Z')
const whole = async (files: Parameters<typeof zip>[0]): Promise<Uint8Array> => new Response(zip(files, AT)).bytes()
const texts = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(archive)).map(([name, b]) => [name, new TextDecoder().decode(b)]))

async function* slowly(...pieces: (string | Uint8Array)[]) {
  for (const piece of pieces) {
    await Bun.sleep(1)
    yield piece
  }
}

const FILES: [what: string, file: ArchiveFile, content: string][] = [
  ['text', { name: 'a.json', content: '{"é":1}' }, '{"é":1}'],
  ['bytes', { name: 'b.bin', content: new TextEncoder().encode('bytes') }, 'bytes'],
  ['pieces', { name: 'folder/c.txt', content: ['one ', 'two'] }, 'one two'],
  ['pieces that come later', { name: 'folder/d.txt', content: slowly('three ', 'four') }, 'three four'],
  ['nothing', { name: 'empty.txt', content: '' }, ''],
  ['no piece', { name: 'none.txt', content: [] }, ''],
  [
    'what is compressed already',
    { name: 'photo.jpg', content: 'x'.repeat(100_000), stored: true },
    'x'.repeat(100_000),
  ],
  ['a name that is not ASCII', { name: 'façade – 😀.txt', content: 'ok' }, 'ok'],
]

test.each(FILES)('%s comes out as it went in', async (_what, file, content) => {
  expect(texts(await whole([file]))).toEqual({ [file.name]: content })
})

test('an archive of them all, of none, and as another program reads it', async () => {
  const files = FILES.filter(([what]) => what !== 'pieces that come later').map(([, file]) => file)
  const archive = await whole(files)
  expect(Object.keys(texts(archive))).toEqual(files.map(({ name }) => name))
  expect(texts(await whole([]))).toEqual({})
})
test.skipIf(Bun.which('python3') === null)('python3 finds nothing wrong with an archive', async () => {
  const path = join(temporaryFolder('archive'), 'all.zip')
  writeFileSync(path, await whole(FILES.filter(([what]) => what !== 'pieces that come later').map(([, file]) => file)))
  const python = spawnSync('python3', [
    '-c',
    'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())',
    path,
  ])
  expect(String(python.stdout)).toBe('None\n')
})

test('text is compressed, and nothing is read before it is asked for', async () => {
  let read = 0
  let closed = false
  async function* content() {
    try {
      for (; read < 100; read++) yield 'a line of no great meaning\n'.repeat(4000)
    } finally {
      closed = true
    }
  }
  const stream = zip([{ name: 'long.txt', content: content() }], AT)
  expect(read).toBeLessThanOrEqual(1)
  const reader = stream.getReader()
  let size = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    size += value.byteLength
    // What came out is never far behind what went in.
    expect(value.byteLength).toBeLessThan(1024 * 1024)
  }
  expect([read, closed]).toEqual([100, true])
  expect(size).toBeLessThan(10_800_000 / 50)
})

test('a reader who leaves closes the file at hand, and those after it are never opened', async () => {
  const opened: string[] = []
  const closed: string[] = []
  async function* file(name: string) {
    opened.push(name)
    try {
      for (;;) yield crypto.getRandomValues(new Uint8Array(65_536))
    } finally {
      closed.push(name)
    }
  }
  const reader = zip(
    [
      { name: 'one', content: file('one') },
      { name: 'two', content: file('two') },
    ],
    AT,
  ).getReader()
  for (let i = 0; i < 5; i++) await reader.read()
  await reader.cancel()
  expect([opened, closed]).toEqual([['one'], ['one']])
})

test('what a file fails with, the archive fails with', async () => {
  async function* broken() {
    yield 'some'
    throw new Error('the disk is gone')
  }
  await expect(whole([{ name: 'broken', content: broken() }])).rejects.toThrow('the disk is gone')
  function* many() {
    for (let i = 0; i <= 65_535; i++) yield { name: `${i}`, content: '', stored: true }
  }
  await expect(whole(many())).rejects.toThrow('65535 files')
})

test.each([
  ['reçu mars.pdf', 'reçu mars.pdf'],
  ['../../etc/passwd', '__.._etc_passwd'],
  ['C:\\Windows\\a.dll', 'C__Windows_a.dll'],
  ['.htaccess', '_.htaccess'],
  ['..', '_'],
  ['', '_'],
  ['a'.repeat(300), 'a'.repeat(120)],
  [`${'😀'.repeat(200)}.jpeg`, `${'😀'.repeat(120)}.jpeg`],
])('%p is packed as %p', (name, expected) => {
  expect(safeName(name)).toBe(expected)
})

describe('what is unpacked is limited, whatever an archive says of itself', () => {
  const LIMITS = { entries: 100, bytes: 64 * 1024 * 1024 }
  const text = (length: number) =>
    new Uint8Array(length).map((_, i) => 97 + ((Math.imul(i, 2_654_435_761) >>> 13) % 23))
  const readable = (bytes: Uint8Array) => ({ size: bytes.length, read: (a: number, b: number) => bytes.subarray(a, b) })
  const take = async (bytes: Uint8Array, limits = LIMITS) => {
    const out: Record<string, number> = {}
    let most = 0
    for (const entry of await unzip(readable(bytes), limits)) {
      out[entry.name] = 0
      for (const piece of entry.pieces()) {
        out[entry.name] = (out[entry.name] ?? 0) + piece.byteLength
        most = Math.max(most, piece.byteLength)
      }
    }
    return { out, most }
  }
  const good = zipSync({ 'a.txt': text(300_000), 'b.bin': [text(9), { level: 0 }], 'none.txt': new Uint8Array(0) })
  /** Writes into the directory's record of the first entry. */
  const patched = (change: (record: DataView) => void, bytes = good) => {
    const copy = new Uint8Array(bytes)
    const at = Buffer.from(copy).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    change(new DataView(copy.buffer, at))
    return copy
  }
  test('a good one, a piece at a time', async () => {
    const { out, most } = await take(good)
    expect(out).toEqual({ 'a.txt': 300_000, 'b.bin': 9, 'none.txt': 0 })
    expect(most).toBeLessThan(300_000)
    expect(Object.keys(texts(await whole([{ name: 'x', content: 'y' }])))).toEqual(['x'])
    expect((await take(await whole([{ name: 'x', content: 'y'.repeat(99) }]))).out).toEqual({ x: 99 })
  })
  const bomb = zipSync({ 'zeros.txt': new Uint8Array(40 * 1024 * 1024) }, { level: 9 })
  const BAD: [what: string, bytes: () => Uint8Array][] = [
    ['a bomb that says how large it is', () => bomb],
    ['a bomb that says it is small', () => patched((r) => r.setUint32(24, 1000, true), bomb)],
    ['a size that is too small', () => patched((r) => r.setUint32(24, 299_999, true))],
    ['a size that is too large', () => patched((r) => r.setUint32(24, 300_001, true))],
    ['a packed size beyond the end', () => patched((r) => r.setUint32(20, 0x7fff_ffff, true))],
    ['a packed size that cuts it', () => patched((r) => r.setUint32(20, 100, true))],
    ['an entry that begins elsewhere', () => patched((r) => r.setUint32(42, 77, true))],
    ['an encrypted entry', () => patched((r) => r.setUint16(8, 1, true))],
    ['another way of packing', () => patched((r) => r.setUint16(10, 12, true))],
    ['a symbolic link', () => patched((r) => r.setUint32(38, (0o120777 << 16) >>> 0, true))],
    ['a folder', () => zipSync({ 'folder/': new Uint8Array(0) })],
    ['a name twice but for its case', () => zipSync({ 'a.txt': text(1), 'A.TXT': text(1) })],
    [
      'a name twice',
      () =>
        Buffer.from(
          zipSync({ 'a.txt': text(1), 'b.txt': text(1) }).map((c, i, all) => (c === 98 && all[i + 1] === 46 ? 97 : c)),
        ),
    ],
    ['a name that is no text', () => patched((r) => r.setUint8(46, 0xff))],
    ['too many entries', () => zipSync(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}`, text(1)])))],
    ['no archive', () => text(1000)],
    ['nothing', () => new Uint8Array(0)],
  ]
  test.each(BAD)('%s is refused', async (_what, bytes) => {
    const before = process.memoryUsage().rss
    await expect(take(bytes())).rejects.toThrow()
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
  test('more bytes than allowed together', async () => {
    const two = zipSync({ a: text(600_000), b: text(600_000) })
    expect((await take(two)).out).toEqual({ a: 600_000, b: 600_000 })
    await expect(take(two, { entries: 2, bytes: 1_000_000 })).rejects.toThrow('damaged')
  })
})
