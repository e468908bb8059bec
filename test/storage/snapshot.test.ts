// Long reads: of one moment, beside the writer, on connections that cannot write and are given back.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { goodDatabase } from '../support/stored.ts'

afterAll(cleaner())
const good = await goodDatabase()
function open() {
  const file = join(temporaryFolder(), 'loyer.db')
  writeFileSync(file, good)
  return openStore(file)
}
const count = "select count(*) from setting where key like 'n%'"

test('what is written meanwhile is not seen, the writer does not wait, and the next one sees it', async () => {
  const store = open()
  const add = (key: string) =>
    store.write(null, (tx) => tx.$client.prepare('insert into setting values(?, 1)').run(key) as object)
  await add('n0')
  const seen: unknown[] = []
  await store.snapshot(async (db) => {
    seen.push(db.$client.prepare(count).pluck().get())
    await add('n1')
    seen.push(db.$client.prepare(count).pluck().get(), store.client.prepare(count).pluck().get())
    expect(() => db.$client.exec('delete from setting')).toThrow()
  })
  await store.snapshot(async (db) => void seen.push(db.$client.prepare(count).pluck().get()))
  expect(seen).toEqual([1, 1, 2, 2])
  await store.close()
})

test('eight at once, the ninth is told to come again, and what fails gives its place back', async () => {
  const store = open()
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const running = Array.from({ length: 8 }, () => store.snapshot(() => gate))
  expect(store.snapshot(async () => true)).rejects.toMatchObject({ code: 'overloaded' })
  release()
  await Promise.all(running)
  for (let i = 0; i < 20; i++)
    expect(store.snapshot(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await store.snapshot(async (db) => db.$client.prepare(count).pluck().get())).toBe(0)
  await store.close()
})

test('others have their turn while a long one rests', async () => {
  const store = open()
  let turn = false
  setImmediate(() => {
    turn = true
  })
  const resting = store.snapshot(async (_db, rest) => {
    // Without a rest nothing else would ever run, and this would go on to its last turn.
    for (let n = 0; n < 5_000_000 && !turn; n++) await rest()
  })
  await resting
  expect(turn).toBe(true)
  await store.close()
})
