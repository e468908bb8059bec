// A move between two running services, killed twenty times at every step: the organization is open at one of them alone, whole, and
// both say where. And what somebody might try with a file or a command that is not meant so.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { unzipSync, zipSync } from 'fflate'
import { forged, type Row } from '../support/archives.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { home, homesOf, house, say, settle, signIn, told } from '../support/moves.ts'
import { launch, type Options } from '../support/server.ts'

const clean = cleaner()
const root = temporaryFolder('kills')
const one = await house(root, 'one', '+237677000001')
const two = await house(root, 'two', '+237677000002')
afterAll(async () => {
  for (const { server } of [one, two]) expect((await server.end('SIGTERM')).code).toBe(0)
  clean()
}, 30_000)
const file = join(root, 'house.zip')
const org = two.org
const lineOf = (out: string): string => /^there: loyer import --open (\S+)$/m.exec(out)?.[1] ?? ''

/** Starts a command and kills it after a while, or lets it end. @returns whether it was killed before its end */
async function killed(data: string, command: NonNullable<Options['command']>, args: string[], ms: number) {
  const running = launch({ data, command, args })
  await Promise.race([running.end(), Bun.sleep(ms)])
  return (await running.end('SIGKILL')).signal === 'SIGKILL'
}

/** Where a sign-in and a write succeed: with one service or with none, and never with both. */
async function openAt(): Promise<string[]> {
  const found: string[] = []
  for (const [name, { server }] of [
    ['one', one],
    ['two', two],
  ] as const) {
    const { token } = await signIn(server, two.phone)
    if (token === '') continue
    const { status } = await server.call(token, 'POST /api/v1/properties', home(`${name} ${crypto.randomUUID()}`))
    expect([201, 503]).toContain(status)
    if (status === 201) found.push(name)
  }
  return found
}

test('killed twenty times on its way there and back: open at one alone, with everything, and both say where', async () => {
  let [from, to] = [two, one]
  const { token } = await signIn(two.server, two.phone)
  for (let n = 0; n < 40; n++) await two.server.call(token, 'POST /api/v1/properties', home(`first ${n}`))
  let kills = 0
  // Spread over the span of each step, from the start of its process to its end: shorter where one ended before.
  let span = 600
  for (let round = 0; kills < 20; round++) {
    if (round > 60) throw new Error(`only ${kills} commands could be killed`)
    const after = (step: number): number => 100 + ((round * 97 + step * 211) % span)
    const began = await signIn(from.server, two.phone)
    const names = await homesOf(from.server, began.token)
    rmSync(file, { force: true })
    const out: string[] = []
    const step = async (
      data: string,
      command: NonNullable<Options['command']>,
      args: string[],
      at: number,
      says: { readonly there: RegExp; readonly other?: RegExp | undefined },
    ): Promise<void> => {
      const wasKilled = kills < 20 && (await killed(data, command, args, after(at)))
      if (!wasKilled) span = Math.max(150, span - 20)
      else {
        kills += 1
        const places = await openAt()
        expect(places.length).toBeLessThan(2)
        const open = places[0]
        if (open !== undefined) {
          const { token } = await signIn(open === 'one' ? one.server : two.server, two.phone)
          const seen = await homesOf(open === 'one' ? one.server : two.server, token)
          expect(seen.filter((name) => names.includes(name))).toEqual(names)
          names.splice(0, names.length, ...seen)
        }
        // Closed at both: one of them says so.
        else expect(`${await told(from.data)}${await told(to.data)}`).toContain(`organization ${org} `)
      }
      const again = await say(data, command, args)
      const done = again.code === 0 || says.there.test(again.out)
      expect([done, again.out]).toEqual([true, again.out])
      out.push(again.out)
    }
    await step(from.data, 'export', [file, '--organization', org], 0, { there: /frozen/ })
    expect(await told(from.data)).toContain(`organization ${org} lives here and is frozen`)
    const operator = to === two ? ['--operator'] : []
    await step(to.data, 'import', [file, ...operator], 1, { there: /closed/ })
    expect(await told(to.data)).toContain(`organization ${org} has come and is closed`)
    expect(await openAt()).toEqual([])
    await step(from.data, 'export', ['--organization', org, '--moved-to', to.server.base], 2, { there: /moved/ })
    const code = lineOf(out.at(-1) ?? '')
    expect(await told(from.data)).toContain(`organization ${org} has moved to ${to.server.base}`)
    await step(to.data, 'import', ['--open', code], 3, { there: /open here already/ })
    expect(await openAt()).toEqual([to === one ? 'one' : 'two'])
    const there = await signIn(to.server, two.phone)
    const arrived = await homesOf(to.server, there.token)
    expect(arrived.filter((name) => names.includes(name))).toEqual(names)
    expect(new Set(arrived).size).toBe(arrived.length)
    await step(from.data, 'export', ['--organization', org, '--forget'], 4, { there: /does not exist/ })
    ;[from, to] = [to, from]
  }
  expect(kills).toBe(20)
}, 600_000)

test('what is refused, with nothing changed: ids, releases, codes and files that are not meant so', async () => {
  const stray = crypto.randomUUID()
  rmSync(file, { force: true })
  const data = join(root, 'third')
  const third = await settle(data, '+237677000003')
  const table: [
    what: string,
    data: string,
    command: 'import' | 'export',
    args: string[],
    code: number,
    words: string,
  ][] = [
    ['an id that is not there', data, 'export', [file, '--organization', stray], 1, 'does not exist'],
    ['another’s id', data, 'export', [file, '--organization', one.org], 1, 'does not exist'],
    ['no id', data, 'export', [file, '--organization', '../x'], 64, 'a UUID'],
    ['a release of what is open', data, 'export', ['--organization', third, '--release'], 1, 'is not frozen'],
    ['a release without an id', data, 'export', ['--release'], 64, '--organization ID'],
    ['two acts at once', data, 'export', ['--organization', third, '--release', '--forget'], 64, 'Say which file'],
    [
      'away without an export',
      data,
      'export',
      ['--organization', third, '--moved-to', 'https://a.cm'],
      1,
      'not frozen',
    ],
    ['forgetting what is open', data, 'export', ['--organization', third, '--forget'], 1, 'has not moved away'],
    ['undoing what is open', data, 'import', ['--undo', third], 1, 'no import to undo'],
    ['a code of nothing', data, 'import', ['--open', 'x'], 1, 'opens no organization'],
    ['a code of what is open', data, 'import', ['--open', `${third}.${'a'.repeat(43)}`], 1, 'open here already'],
  ]
  for (const [what, folder, command, args, code, words] of table) {
    const said = await say(folder, command, args)
    expect([what, said.code, said.out]).toEqual([what, code, expect.stringContaining(words)])
  }
  expect(existsSync(file)).toBe(false)
  expect((await say(data, 'export', [file, '--organization', third])).code).toBe(0)
  for (const [url, code] of [
    ['http://a.cm', 1],
    ['https://a.cm/x', 1],
    ['https://u:p@a.cm', 1],
    ['javascript:alert(1)', 1],
  ] as const)
    expect([url, (await say(data, 'export', ['--organization', third, '--moved-to', url])).code]).toEqual([url, code])
  const good = new Uint8Array(readFileSync(file))
  const bad = join(root, 'bad.zip')
  const numbered = (rows: Row[]) => rows.map((row) => ({ ...row, phone_number: one.phone, phone_verified: 1 }))
  /** A file of the archive with one byte changed, under the checksums of before. */
  const swapped = (name: string): Uint8Array => {
    const all = unzipSync(good)
    const bytes = all[name] ?? new Uint8Array()
    return zipSync({ ...all, [name]: Uint8Array.from([...bytes, 32]) })
  }
  const files: [what: string, bytes: Uint8Array, words: string][] = [
    ['cut', good.slice(0, good.length - 100), 'damaged'],
    ['changed', swapped('data/app_user.json'), 'damaged'],
    ['a sheet that was changed', swapped('csv/tenant.csv'), 'damaged'],
    ['a sealed part that was changed', swapped('sealed.txt'), 'damaged'],
    ['a sealed part that is missing', forged(good, { files: ({ 'sealed.txt': _, ...rest }) => rest }), 'damaged'],
    ['a number of here', forged(good, { rows: { app_user: numbered } }), 'known here already (+237•••••••01)'],
  ]
  for (const [what, bytes, words] of files) {
    writeFileSync(bad, bytes)
    const said = await say(one.data, 'import', [bad])
    expect([what, said.code, said.out]).toEqual([what, 1, expect.stringContaining(words)])
  }
  const count = () => {
    const db = new Database(join(one.data, 'loyer.db'), { readonly: true })
    const n = db.prepare('select count(*) from organization where id = ?').pluck().get(third)
    db.close()
    return n
  }
  expect(count()).toBe(0)
  const first = await say(one.data, 'import', [file])
  const twice = await say(one.data, 'import', [file])
  expect([first.code, twice.code, twice.out]).toEqual([0, 0, expect.stringContaining('closed')])
  expect(count()).toBe(1)
  const wrong = await say(one.data, 'import', ['--open', `${third}.${'a'.repeat(43)}`])
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('opens no organization')])
  // Released there: the copy here can never be opened, and goes by one command.
  expect((await say(data, 'export', ['--organization', third, '--release'])).code).toBe(0)
  expect([(await say(one.data, 'import', ['--undo', third])).code, count()]).toEqual([0, 0])
}, 300_000)
