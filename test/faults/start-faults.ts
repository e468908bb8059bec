import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../db/migrate.ts'
import { contents, temporaryFolder } from '../support/folder.ts'
import { fillHouses, openOld, rebuild, release } from '../support/old-schema.ts'
import { launch } from '../support/server.ts'

const HOUSES = 4000

/** The made-up first release with rows enough that its rebuild can be interrupted. */
function oldRelease(folder: string): string {
  const file = join(folder, 'loyer.db')
  const client = openOld(file)
  migrate(client, file, release())
  fillHouses(client, HOUSES)
  client.close()
  return file
}

/** What a database of the made-up schema is after an interrupted migration: all old, or all new. */
function stateOf(file: string): string {
  const client = openOld(file)
  try {
    const one = (sql: string) => client.prepare(sql).pluck().get()
    const version = client.pragma('user_version', { simple: true })
    const cities = one("select count(*) from pragma_table_info('house') where name = 'city'")
    const rows = one('select count(*) from room join house on house.id = house_id')
    const check = client.pragma('integrity_check', { simple: true })
    return `version ${version}, ${cities} new columns, ${rows} of ${HOUSES * 3} rooms, ${check}`
  } finally {
    client.close()
  }
}
const WHOLE = [1, 2].map((v) => `version ${v}, ${v - 1} new columns, ${HOUSES * 3} of ${HOUSES * 3} rooms, ok`)
const DONE = WHOLE[1] ?? ''

export const migrateOld = (file: string): void => {
  const client = openOld(file)
  migrate(client, file, release(rebuild.join('\n')))
  client.close()
}

/**
 * Kills migrations of the made-up old release at different moments, and lets the next start finish each.
 * @returns how many were found all old or all new; whatever else was found stands in `broken`
 */
export async function killedMigrations(folder: string, rounds: number) {
  const original = oldRelease(folder)
  const seen = { old: 0, done: 0, broken: [] as string[] }
  for (let i = 0; i < rounds; i++) {
    const home = join(folder, `try-${i}`)
    const file = join(home, 'loyer.db')
    cpSync(original, file, { recursive: true })
    const child = spawn(process.execPath, [fileURLToPath(new URL('./migrate-child.ts', import.meta.url)), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    await Bun.sleep((i * 2) % 40)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    const state = stateOf(file)
    if (state === WHOLE[0]) seen.old++
    else if (state === DONE) seen.done++
    else seen.broken.push(state)
    migrateOld(file)
    if (stateOf(file) !== DONE) seen.broken.push(`after the next start: ${stateOf(file)}`)
    const left = Object.keys(contents(home)).filter((name) => name.includes('.new'))
    if (left.length > 0) seen.broken.push(`left behind: ${left.join()}`)
  }
  return seen
}

/** `loyer migrate` on an empty folder, killed some milliseconds after it began to make the database. @returns what it left */
export async function killedFirstStart(data: string, afterMs: number): Promise<string[]> {
  const running = launch({ data, command: 'migrate' })
  while (!running.ended() && !existsSync(join(data, 'loyer.db.new'))) await Bun.sleep(0)
  await Bun.sleep(afterMs)
  await running.end('SIGKILL')
  return Object.keys(contents(data))
}

/** Runs a command to its end: exit code and last line. */
export async function finish(options: Parameters<typeof launch>[0]): Promise<{ code: number | null; says: string }> {
  const running = launch(options)
  const { code } = await running.end()
  return { code, says: running.output().trim() }
}

/** A copy of a data folder in which nobody may write; `shell` runs the command bound by the modes. */
export function readOnlyCopy(from: string): { data: string; shell: string | undefined } {
  const data = join(temporaryFolder('read-only'), 'data')
  mkdirSync(data)
  cpSync(from, data, { recursive: true })
  chmodSync(join(data, '..'), 0o755)
  for (const name of Object.keys(contents(data))) chmodSync(join(data, name), 0o444)
  chmodSync(data, 0o555)
  const root = process.getuid?.() === 0
  // Still root, so that the checkout can be read wherever it is, but bound by what the modes say.
  return { data, shell: root ? 'exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"' : undefined }
}
