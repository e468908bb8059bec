// An archive as others read it, and how little of it stands in memory.
import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { ArchiveFile } from '../../src/adapters/archive/port.ts'
import { zip } from '../../src/adapters/archive/zip.ts'
import { safeName } from '../../src/core/files.ts'
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
  const path = join(temporaryFolder('archive'), 'all.zip')
  writeFileSync(path, archive)
  const python = spawnSync('python3', [
    '-c',
    'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())',
    path,
  ])
  if (python.error) process.stderr.write('python3 is not here: the archive was read by its own library only\n')
  else expect(String(python.stdout)).toBe('None\n')
  expect(readFileSync(path)).toEqual(Buffer.from(archive))
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
