import type Database from 'better-sqlite3'
import { type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { movedAway, notOpenYet, standsStill } from '../../src/errors.ts'
import type { Db, Tx } from '../types.ts'

/**
 * Where an organization is on its way between two services; one without a move lives here. A row of `setting`, so that
 * a command and the running service read the same.
 */
export type Move =
  /** Nothing is written until it is released or has moved. `key` opens it elsewhere; `sha256` is of its complete export. */
  | { readonly state: 'FROZEN'; readonly since: string; readonly key: string; readonly sha256?: string }
  /** It lives at the address `to`, and what is here is a copy that nobody changes. */
  | {
      readonly state: 'MOVED'
      readonly since: string
      readonly key: string
      readonly sha256: string
      readonly to: string
    }
  /** It came in and stays closed until the service that it left gives the key, whose SHA-256 is `opens`. */
  | { readonly state: 'ARRIVED'; readonly since: string; readonly sha256: string; readonly opens: string }

const PREFIX = 'move.'
const one = `select value from setting where key = '${PREFIX}' || ?`
const all = `select substr(key, ${PREFIX.length + 1}) as org, value from setting where key >= '${PREFIX}' and key < 'move/'`

const parsed = (value: unknown): Move | undefined =>
  typeof value === 'string' ? (JSON.parse(value) as Move) : undefined

export const readMove = (db: Db, org: string): Move | undefined => parsed(db.$client.prepare(one).pluck().get(org))

const movesOf = (list: Database.Statement): ReadonlyMap<string, Move> =>
  new Map((list.all() as { org: string; value: string }[]).map(({ org, value }) => [org, JSON.parse(value) as Move]))
/** Every organization on its way, by its id. */
export const readMoves = (db: Db): ReadonlyMap<string, Move> => movesOf(db.$client.prepare(all))

/** Sets or ends a move; the organization's version goes up with it, so that nobody is shown an earlier answer. */
export function writeMove(tx: Tx, org: string, move: Move | undefined): void {
  if (move)
    tx.$client
      .prepare('insert or replace into setting (key, value) values (?, ?)')
      .run(PREFIX + org, JSON.stringify(move))
  else tx.$client.prepare('delete from setting where key = ?').run(PREFIX + org)
  tx.$client.prepare('update organization set version = version + 1 where id = ?').run(org)
}

/** A condition of queries for work in the background: that of an organization on its way pauses. */
export const livesHere = (orgId: AnySQLiteColumn | SQL): SQL =>
  sql`not exists (select 1 from setting where setting.key = 'move.' || ${orgId})`

/** @throws organization_frozen, organization_moved */
function refuseWrite(move: Move): never {
  throw move.state === 'MOVED' ? movedAway(move.to) : move.state === 'FROZEN' ? standsStill() : notOpenYet()
}

/**
 * `checkWrite(org)`, inside the transaction of a write of that organization, so that no route and no job passes it by.
 * @throws organization_frozen, organization_moved
 */
export function createWriteCheck(client: Database.Database): (org: string) => void {
  const find = client.prepare(one).pluck()
  return (org) => {
    const move = parsed(find.get(org))
    if (move) refuseWrite(move)
  }
}

/** What a command has changed shows to readers after this long at the latest, ms. */
const SEEN_MS = 100

/**
 * What commands in another process change, looked for at most every `SEEN_MS`. `changed` is called once another
 * connection has written. `checkRead(org)` @throws organization_moved, and organization_frozen before it is opened here
 */
export function createWatch(client: Database.Database, now: () => number, changed: () => void) {
  const version = client.prepare('pragma data_version').pluck()
  const list = client.prepare(all)
  let lookedAt = Number.NEGATIVE_INFINITY
  let seen = version.get()
  let moves: ReadonlyMap<string, Move> = new Map()
  function look(): void {
    const at = now()
    if (at - lookedAt < SEEN_MS) return
    lookedAt = at
    const latest = version.get()
    if (latest !== seen) changed()
    seen = latest
    moves = movesOf(list)
  }
  return {
    look,
    checkRead(org: string): void {
      look()
      const move = moves.size === 0 ? undefined : moves.get(org)
      if (move && move.state !== 'FROZEN') refuseWrite(move)
    },
  }
}
