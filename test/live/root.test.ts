// What root and other users may do in the folder of a service, and whose the files are afterwards.
import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { copyDatabase } from '../../db/copy.ts'
import { migrations } from '../../db/migrations.ts'
import { giveTo } from '../../src/commands/install.ts'
import { commandsIn } from '../support/command.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
const folder = temporaryFolder('root')
const loyer = commandsIn(folder)
const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

const NOBODY = 65_534
test.skipIf(process.getuid?.() !== 0)(
  'as another user: refused before a file is made that the service cannot open',
  () => {
    const data = join(folder, 'of-nobody')
    mkdirSync(data)
    spawnSync('chown', [String(NOBODY), data])
    const settings = join(folder, 'nobody.env')
    writeFileSync(settings, `LOYER_DATA=${data}\n`)
    const refused = loyer(['migrate'], { env: { LOYER_CONFIG: settings } })
    expect([refused.code, refused.out]).toEqual([78, expect.stringContaining('sudo -u loyer loyer')])
    expect(readdirSync(data)).toEqual([])
  },
)

test.skipIf(process.getuid?.() !== 0)('as root in the folder of somebody without a unit: refused, nothing made', () => {
  const data = join(folder, 'by-hand')
  const env = { LOYER_DATA: data }
  expect(loyer(['migrate'], { env }).code).toBe(0)
  spawnSync('chown', ['-R', String(NOBODY), data])
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  spawnSync('chown', [String(NOBODY), empty])
  const before = readdirSync(data, { recursive: true }).sort()
  for (const command of [['restore', 'a.tar.zst'], ['migrate'], ['keys', 'new'], ['backup']])
    for (const at of [env, { LOYER_DATA: empty }]) {
      const { code, out } = loyer(command, { env: at })
      expect([command, code, out]).toEqual([command, 78, expect.stringContaining(`sudo -u '#${NOBODY}' loyer`)])
    }
  expect([readdirSync(data, { recursive: true }).sort(), readdirSync(empty)]).toEqual([before, []])
})

test.skipIf(process.getuid?.() !== 0)(
  'root who types the line of the unit serves nothing in the service’s folder',
  () => {
    const data = join(temporaryFolder('unit-line'), 'data')
    mkdirSync(data)
    spawnSync('chown', [String(NOBODY), data])
    const settings = join(dirname(data), 'loyer.env')
    writeFileSync(settings, `LOYER_DATA=${data}\nPUBLIC_URL=https://rent.example.cm\n`)
    const { code, out } = loyer(['serve', '--config', settings], { env: { LOYER_CONFIG: settings } })
    expect([code, out]).toEqual([78, expect.stringContaining('belongs to another user. Run it as the service does')])
    expect(readdirSync(data)).toEqual([])
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'what root left in the folder: the service’s start and the doctor say whose it is',
  () => {
    const data = join(temporaryFolder('strange'), 'data')
    const env = { LOYER_DATA: data }
    expect(loyer(['migrate'], { env }).code).toBe(0)
    expect(loyer(['doctor'], { env }).out).not.toContain('belongs to another user')
    const giveBack = `sudo chown -R ${NOBODY}:${NOBODY} ${data}`
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data])
    // A disk's own folder is nobody's mistake.
    mkdirSync(join(data, 'lost+found'))
    expect(loyer(['doctor'], { env }).out).not.toContain('belongs to another user')
    const photos = join(data, 'media/ab')
    mkdirSync(photos, { recursive: true })
    spawnSync('chown', [`${NOBODY}`, dirname(photos)])
    expect(loyer(['doctor'], { env }).out).toMatch(new RegExp(`^warn  PERMISSIONS .*${photos} .*: ${giveBack}$`, 'm'))
    spawnSync('chown', ['0:0', join(data, 'loyer.db')])
    spawnSync('chmod', ['711', dirname(data)])
    const child = join(import.meta.dirname, '../support/starting.ts')
    const opened = spawnSync(process.execPath, [child, data, String(NOBODY)], { encoding: 'utf8' })
    expect([opened.status, opened.stdout]).toEqual([
      78,
      expect.stringContaining(`${join(data, 'loyer.db')} belongs to another user. Give it back: ${giveBack}`),
    ])
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data])
    expect(spawnSync(process.execPath, [child, data, String(NOBODY)]).status).toBe(0)
  },
)

test.skipIf(process.getuid?.() !== 0)('folders that an installation makes can be reached by the service', () => {
  const above = join(temporaryFolder('deep'), 'agency')
  const [data, there] = [join(above, 'rent/data'), join(above, 'there')]
  spawnSync('chmod', ['711', dirname(above)])
  giveTo(data, NOBODY, NOBODY)
  expect([above, dirname(data), data].map((path) => [statSync(path).uid, mode(path)])).toEqual([
    [NOBODY, '755'],
    [NOBODY, '755'],
    [NOBODY, '700'],
  ])
  // What was there before keeps its owner.
  mkdirSync(there)
  giveTo(there, NOBODY, NOBODY)
  expect(statSync(there).uid).toBe(0)
})

test.skipIf(process.getuid?.() !== 0)(
  'a rollback as root, who alone may change the program: what it makes in the folder is its owner’s',
  () => {
    const data = join(temporaryFolder('rolled-back'), 'data')
    const env = { LOYER_DATA: data }
    expect(loyer(['migrate'], { env }).code).toBe(0)
    mkdirSync(join(data, 'backups'))
    const copy = join(data, 'backups', `before-schema-${migrations.length}.db`)
    copyDatabase(join(data, 'loyer.db'), copy)
    const client = new Database(copy)
    client.pragma(`user_version = ${migrations.length - 1}`)
    client.close()
    spawnSync('chown', ['-R', String(NOBODY), data])
    spawnSync('chmod', ['711', dirname(data)])
    const { code, out } = loyer(['rollback'], { env })
    expect([code, out]).toEqual([0, expect.stringContaining('The database is back')])
    const made = readdirSync(data, { recursive: true }).map(String)
    expect(made).toContainEqual(expect.stringMatching(/^replaced-/))
    expect(made.filter((name) => statSync(join(data, name)).uid !== NOBODY)).toEqual([])
  },
)
