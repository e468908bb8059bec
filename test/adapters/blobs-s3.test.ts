// Media and papers in S3: known once the bucket has them, read here where they are here, and nothing lost when it fails.
import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobs } from '../../src/adapters/blobs/blobs.ts'
import { diskBlobs } from '../../src/adapters/blobs/disk.ts'
import { pullFiles, pushFiles } from '../../src/commands/files.ts'
import { uuid } from '../support/app.ts'
import { commandLine } from '../support/backups.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { startS3 } from '../support/s3.ts'

afterAll(cleaner())

const id = uuid('blob')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const fixed = `${id}.${hashOf('hello world')}`
const streamOf = (text: string) => new Response(text).body
type Kept = ReturnType<typeof openBlobs>
const keep = async (blobs: Kept, name: string, text: string): Promise<void> =>
  (await blobs.receive(streamOf(text), 1000)).keep(name)
const read = async (blobs: Kept, name: string): Promise<string | undefined> => {
  const bytes = await (await blobs.open(name))?.bytes()
  return bytes && new TextDecoder().decode(bytes)
}

async function machine(s3: Awaited<ReturnType<typeof startS3>>, dataDir = temporaryFolder('data')) {
  const bucket = { ...s3.settings, name: 'FILES' as const, patienceMs: 500, waitsMs: [1] }
  const config = { dataDir, files: { to: 's3://homes/loyer', s3: bucket } }
  return { dataDir, blobs: openBlobs(config, 'media'), config }
}

test('what is kept on one machine is read on another, whole and in part, the second time without asking', async () => {
  const s3 = await startS3()
  const [one, two] = [await machine(s3), await machine(s3)]
  await keep(one.blobs, fixed, 'hello world')
  expect([...s3.objects.keys()]).toEqual([`loyer/media/${fixed}`])
  const file = await two.blobs.open(fixed)
  expect(file?.sizeBytes).toBe(11)
  expect(await (await file?.part(6, 10))?.text()).toBe('world')
  const before = s3.asked.length
  for (const { blobs } of [one, two]) expect(await read(blobs, fixed)).toBe('hello world')
  expect(s3.asked.length).toBe(before)
  expect(Object.keys(contents(two.dataDir))).toEqual([join('cache/media', id.slice(-2), id.slice(-4, -2), fixed)])
})

test('two who want a large file at once share one download', async () => {
  const s3 = await startS3()
  const [one, two] = [await machine(s3), await machine(s3)]
  await keep(one.blobs, fixed, 'hello world')
  const parts = await Promise.all(
    Array.from({ length: 10 }, async () => (await two.blobs.open(fixed))?.part(0, 4).then((part) => part.text())),
  )
  expect(parts).toEqual(Array(10).fill('hello'))
  expect(s3.asked.filter((line) => line.startsWith('GET')).length).toBe(1)
})

test('an upload that took the place of another is read everywhere, and leaves no old copy', async () => {
  const s3 = await startS3()
  const [one, two] = [await machine(s3), await machine(s3)]
  const name = `${id}.upload`
  await keep(one.blobs, name, 'first')
  expect(await read(two.blobs, name)).toBe('first')
  await keep(two.blobs, name, 'second')
  for (const { blobs } of [one, two]) expect(await read(blobs, name)).toBe('second')
  expect(contents(one.dataDir)).toEqual({})
})

test('removed is removed: in the bucket, here, and what another object has stays', async () => {
  const s3 = await startS3()
  const { blobs, dataDir } = await machine(s3)
  const other = uuid('other')
  for (const name of [fixed, `${id}.upload`, `${fixed}.320`, `${other}.upload`]) await keep(blobs, name, 'x')
  await blobs.remove(id, (name) => name.endsWith('.upload'))
  expect(await read(blobs, `${id}.upload`)).toBeUndefined()
  expect(await read(blobs, fixed)).toBe('x')
  await blobs.remove(id)
  await blobs.remove(id)
  expect([...s3.objects.keys()]).toEqual([`loyer/media/${other}.upload`])
  expect(contents(dataDir)).toEqual({})
  await expect(blobs.remove('../..')).rejects.toThrow()
  await expect(blobs.open('../x')).rejects.toThrow('not a name')
})

test.each(['cut off', 'half kept', 'silent', 'busy'] as const)(
  'a storage that fails (%s): refused for now, nothing known by that name, copies are read on',
  async (fault) => {
    const s3 = await startS3()
    const { blobs, dataDir } = await machine(s3)
    await keep(blobs, fixed, 'hello world')
    s3.state.fault = fault
    const next = `${uuid('next')}.${hashOf('x')}`
    await expect(keep(blobs, next, 'x')).rejects.toMatchObject({
      code: 'storage_unavailable',
      details: { retryAfter: 30 },
    })
    expect(Object.keys(contents(dataDir)).length).toBe(1)
    expect(await read(blobs, fixed)).toBe('hello world')
    s3.state.fault = 'none'
    await keep(blobs, next, 'x')
    expect(await read(blobs, next)).toBe('x')
  },
)

test('a copy that broke off is no copy', async () => {
  const s3 = await startS3()
  const [one, two] = [await machine(s3), await machine(s3)]
  await keep(one.blobs, fixed, 'hello world')
  const file = await two.blobs.open(fixed)
  s3.state.fault = 'half sent'
  await expect(file?.part(0, 10)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(contents(two.dataDir)).toEqual({})
  s3.state.fault = 'none'
  expect(await (await file?.part(0, 10))?.text()).toBe('hello world')
})

test('moved in and out: what is there is not sent twice, what was not moved is read where it was, bytes stay the same', async () => {
  const s3 = await startS3()
  const { blobs, dataDir } = await machine(s3)
  const disk = diskBlobs(join(dataDir, 'media'))
  const papers = diskBlobs(join(dataDir, 'documents'))
  const names = Array.from({ length: 20 }, (_, i) => `${uuid(`file ${i}`)}.${hashOf(String(i))}`)
  for (const [i, name] of names.entries()) await keep(i % 2 === 0 ? disk : papers, name, String(i))
  expect(await read(blobs, names[0] ?? '')).toBe('0')
  const before = contents(dataDir)
  const { endpoint, region, keyId, secret } = s3.settings
  const env = {
    ...{ FILES_TO: 's3://homes/loyer', FILES_ENDPOINT: endpoint, FILES_REGION: region },
    ...{ FILES_KEY_ID: keyId, FILES_KEY_SECRET: secret },
  }
  expect(await pushFiles(commandLine(dataDir, [], {}, env))).toContain(
    'media: 10 copied, 0 already there\ndocuments: 10 copied, 0 already there\nRestart',
  )
  expect(await pushFiles(commandLine(dataDir, [], {}, env))).toContain('media: 0 copied, 10 already there')
  expect(contents(dataDir)).toEqual(before)
  for (const kind of ['media', 'documents']) rmSync(join(dataDir, kind), { recursive: true })
  expect(await read(blobs, names[0] ?? '')).toBe('0')
  rmSync(join(dataDir, 'cache'), { recursive: true, force: true })
  // What others put there: the page of a storage makes such an object for a folder.
  for (const name of ['media/', 'media/notes.txt', 'documents/old/paper.pdf'])
    s3.objects.set(`loyer/${name}`, Buffer.alloc(0))
  expect(await pullFiles(commandLine(dataDir, [], {}, env))).toContain('media: 10 copied, 0 already there')
  expect(contents(dataDir)).toEqual(before)
  expect(await pullFiles(commandLine(dataDir, [], {}, env))).toContain('documents: 0 copied, 10 already there')
  await expect(pushFiles(commandLine(dataDir))).rejects.toThrow('FILES_TO: set it to the storage')
})
