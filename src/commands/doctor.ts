import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { givingBack, strangerIn, strangerText } from '../../db/files.ts'
import { checkFromOutside } from '../../db/integrity.ts'
import { refuseNewer } from '../../db/migrate.ts'
import { readOnlyOrEmpty } from '../../db/snapshot.ts'
import { isNotUnpacked, reason } from '../../db/store-error.ts'
import { readState } from '../adapters/backups/run.ts'
import type { Config } from '../config.ts'
import { movesIn } from '../features/data/exports/moves.ts'
import { checkFolder } from '../features/system/health/checks.ts'
import type { Finding } from '../features/system/health/rules.ts'
import { type Command, spoken } from './command.ts'
import { expectSettled } from './swap.ts'

const MARKS = { GOOD: 'ok  ', WARNING: 'warn', BAD: 'BAD ' } as const

/** `loyer doctor`: what is wrong with this server, and what to do, while the service runs or is stopped; exit 1 if anything is bad. */
export const doctor: Command = async ({ config: settings }) => {
  const config = settings()
  expectSettled(config)
  if (!existsSync(config.databaseFile))
    throw new Error(
      `${config.dataDir} holds no database: \`loyer serve\` makes one, or LOYER_DATA names another folder.`,
    )
  const { findings, moves } = await examine(config)
  const text = [
    `LOYER_DATA=${config.dataDir}`,
    ...findings.map(({ check, state, text }) => `${MARKS[state]}  ${check.padEnd(11)}  ${spoken(text)}`),
    ...moves.map((text) => spoken(text)),
  ].join('\n')
  if (findings.some(({ state }) => state === 'BAD')) throw new Error(text)
  return text
}

/** @throws what to do, where this user cannot open it */
function opened(file: string): ReturnType<typeof readOnlyOrEmpty> {
  try {
    return readOnlyOrEmpty(file)
  } catch (e) {
    if (isNotUnpacked(e)) throw e
    throw new Error(`${file} cannot be opened: ${reason(e)}.${strangerText(dirname(file))}`, { cause: e })
  }
}

async function examine(config: Config): Promise<{ findings: Finding[]; moves: ReturnType<typeof movesIn> }> {
  const file = config.databaseFile
  let damage: readonly string[]
  try {
    damage = checkFromOutside(file)
  } catch (e) {
    damage = [reason(e)]
  }
  const db = opened(file)
  try {
    // An unreadable file is opened as an empty database: the damage is reported instead.
    const isOurs = db.$client.prepare("select 1 from sqlite_master where name = 'organization'").get() !== undefined
    if (!isOurs && damage.length === 0)
      throw new Error(`${file} is no database of this service: put the right one back, or restore a backup.`)
    // Whatever else is wrong: the service does not start with it.
    refuseNewer(db.$client)
    const path = strangerIn(config.dataDir)
    const stranger = path === undefined ? undefined : { path, giveBack: givingBack(config.dataDir) }
    const backups = readState(config.dataDir)
    const findings = await checkFolder({ config, db, file, wall: Date.now(), backups, stranger }, damage)
    return { findings, moves: isOurs ? movesIn(db) : [] }
  } finally {
    db.$client.close()
  }
}
