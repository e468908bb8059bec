// Files on disk: whole under their names or not there, and never outside their folder.
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../db/files.ts'
import { diskBlobs } from '../../src/adapters/blobs/disk.ts'
import { uuid } from '../support/app.ts'
import { contents, modeOf, temporaryFolder } from '../support/folder.ts'

afterEach(() => void setSystemTime())

const id = uuid('blob')
const name = `${id}.upload`
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const streamOf = (...chunks: string[]) => new Response(chunks.join('')).body
const folderOf = (root: string): string => join(root, id.slice(-2), id.slice(-4, -2))

test('what is received is hashed, kept under its name, read back and removed', async () => {
  const root = temporaryFolder('blobs')
  const blobs = diskBlobs(root)
  const received = await blobs.receive(streamOf('hello ', 'world'), 11)
  expect(received.sizeBytes).toBe(11)
  expect(received.sha256).toBe('b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')
  expect(await blobs.open(name)).toBeUndefined()
  await received.keep(name)
  const path = join(folderOf(root), name)
  expect(modeOf(path)).toBe('600')
  const file = await blobs.open(name)
  expect(file?.sizeBytes).toBe(11)
  expect(await (await file?.part(6, 10))?.text()).toBe('world')
  expect(new TextDecoder().decode(await (await blobs.open(name))?.bytes())).toBe('hello world')
  await (await blobs.receive(bytesOf('x'), 1)).keep(`${id}.abc.320`)
  await blobs.remove(id, (n) => n === name)
  expect(Object.keys(contents(root))).toEqual([join(id.slice(-2), id.slice(-4, -2), `${id}.abc.320`)])
  await blobs.remove(id)
  await blobs.remove(id)
  expect(contents(root)).toEqual({})
})

test('a body beyond the limit stops at once and leaves nothing', async () => {
  const root = temporaryFolder('blobs')
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1
      controller.enqueue(new Uint8Array(1024))
    },
  })
  await expect(diskBlobs(root).receive(endless, 10_000)).rejects.toMatchObject({ code: 'body_too_large' })
  expect(pulled).toBeLessThan(20)
  expect(contents(root)).toEqual({})
})

test('a body that breaks off leaves nothing', async () => {
  const root = temporaryFolder('blobs')
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('gone'))
    },
  })
  await expect(diskBlobs(root).receive(broken, 10)).rejects.toMatchObject({ code: 'content_mismatch' })
  expect(contents(root)).toEqual({})
})

test('without room nothing is taken', async () => {
  const root = temporaryFolder('blobs')
  const full = diskBlobs(root, { free: async () => ({ free: 2 * 1024 ** 3, total: 100 * 1024 ** 3 }) })
  await expect(full.receive(streamOf('x'), 10)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(contents(root)).toEqual({})
})

test('only names of the service are names', async () => {
  const blobs = diskBlobs(temporaryFolder('blobs'))
  for (const bad of ['../x', `${id}`, `${id}.`, `${id}.../x`, `${id}.a/b`, `/${name}`, `${id}.UP`, `${id}.a.b.c`, ''])
    await expect(blobs.open(bad)).rejects.toThrow('not a name')
  await expect(blobs.remove('../..')).rejects.toThrow('not an id')
})

test('links inside the folder are not followed', async () => {
  const root = temporaryFolder('blobs')
  const outside = temporaryFolder('outside')
  writeFileSync(join(outside, name), 'secret')
  mkdirSync(folderOf(root), { recursive: true })
  symlinkSync(join(outside, name), join(folderOf(root), name))
  await expect(diskBlobs(root).open(name)).rejects.toThrow()

  const other = temporaryFolder('blobs')
  mkdirSync(join(other, id.slice(-2)))
  symlinkSync(outside, folderOf(other))
  await expect(diskBlobs(other).open(name)).rejects.toThrow('is a link')
  const received = await diskBlobs(other).receive(streamOf('x'), 1)
  await expect(received.keep(name)).rejects.toThrow('is a link')
  await expect(diskBlobs(other).remove(id)).rejects.toThrow('is a link')
  expect(readFileSync(join(outside, name), 'utf8')).toBe('secret')
})

test.each([-3, 0, 400])(
  'by a service clock off by %d days, what another process left half written is cleared at once, what was begun here an hour later',
  async (days) => {
    setSystemTime(Date.now() + days * 86_400_000)
    const root = temporaryFolder('blobs')
    const tmp = () => readdirSync(join(root, 'tmp'))
    await diskBlobs(root).receive(streamOf('killed'), 10)
    const killed = join(root, 'tmp', tmp()[0] ?? '')
    // A minute ago by the disk's clock, before the start of this one.
    const ago = statSync(killed).mtimeMs / 1000 - 60
    utimesSync(killed, ago, ago)
    const time = { now: 0 }
    const blobs = diskBlobs(root, { running: () => time.now })
    time.now = 30_000
    await blobs.receive(streamOf('under way'), 10)
    expect(tmp()).toHaveLength(2)
    expect(await blobs.tidy()).toBe(1)
    expect(await blobs.tidy()).toBe(0)
    time.now += 3_700_000
    expect(await blobs.tidy()).toBe(0)
    const path = join(root, 'tmp', tmp()[0] ?? '')
    const hourAgo = statSync(path).mtimeMs / 1000 - 3601
    utimesSync(path, hourAgo, hourAgo)
    expect(await blobs.tidy()).toBe(1)
    expect(tmp()).toEqual([])
  },
)

test('a folder that is new is on disk in the one above it, up to the data folder, before a file counts as kept', async () => {
  const root = join(temporaryFolder('blobs'), 'media')
  const synced: string[] = []
  const blobs = diskBlobs(root, { sync: async (folder) => void synced.push(folder) })
  await (await blobs.receive(bytesOf('x'), 1)).keep(name)
  const folder = folderOf(root)
  expect(synced.toSorted()).toEqual([join(root, '..'), root, join(folder, '..'), folder].toSorted())
  synced.length = 0
  await (await blobs.receive(bytesOf('y'), 1)).keep(`${id}.abc`)
  expect(synced).toEqual([folder])
  const made: string[] = []
  const deep = join(temporaryFolder('blobs'), 'a', 'b')
  makeFolder(deep, (at) => void made.push(at))
  expect([made.toSorted(), modeOf(deep)]).toEqual([[join(deep, '..'), join(deep, '..', '..')].toSorted(), '700'])
  makeFolder(deep, (at) => void made.push(at))
  expect(made).toHaveLength(2)
})
