import { randomBytes } from 'node:crypto'
import type Database from 'better-sqlite3'
import { AppError } from '../../src/errors.ts'
import { afterWrites, type Wrote } from '../fast.ts'
import { isStorageFailure } from '../store-error.ts'
import { createPlayer, encode, type Position } from './changes.ts'
import type { Entry, Primary } from './primary.ts'

/** How long the primary may take to answer, ms: a write that waits for it fails within two seconds. */
const ANSWER_MS = 1000
/** Changes beyond this size, in bytes, have longer: an import, or a night of billing. */
const [SMALL, BYTES_A_MS] = [256 * 1024, 250]
/** How often others' changes are fetched, ms. */
const POLL_MS = 500
/** Between two tries of one request, ms. */
const AGAIN_MS = 40

const away = (cause?: unknown): AppError =>
  new AppError(
    'storage_unavailable',
    {
      en: 'The primary database does not answer: nothing is saved until it does. Reading goes on.',
      fr: 'La base de données principale ne répond pas : rien n’est enregistré d’ici là. La lecture reste possible.',
    },
    { retryAfter: 2 },
    cause,
  )
const unsure = (cause: unknown): AppError =>
  new AppError(
    'storage_unavailable',
    {
      en: 'The primary database did not say whether this was saved. Look before you send it again, or send it again under the same Idempotency-Key.',
      fr: 'La base de données principale n’a pas dit si ceci a été enregistré. Vérifiez avant de renvoyer, ou renvoyez avec la même Idempotency-Key.',
    },
    { retryAfter: 2 },
    cause,
  )

/** What a node needs from where it was opened. `lost`: called once, when this node no longer fits the log. */
export type Joined = {
  readonly primary: Primary
  readonly position: Position
  readonly node: string
}

/** One of several services with one log of changes; each plays it into a database of its own. */
export type Node = ReturnType<typeof createNode>

/**
 * Agrees with the other nodes on each change before it counts: the statements of a group commit are recorded and undone,
 * appended to the log, and played once they have their place in it.
 */
export function createNode(client: Database.Database, { primary, position, node }: Joined) {
  const { epoch } = position
  let at = position
  let recorded: Wrote[] | undefined
  afterWrites(
    client,
    () => recorded !== undefined,
    (wrote) => recorded?.push(wrote),
  )
  const play = createPlayer(client, position)
  let failing = false
  /** An append whose outcome is unknown. */
  let open = false
  let lost: string | undefined
  let heardAt = performance.now()
  let played = (): void => {}
  const listeners: ((wrote: readonly Wrote[]) => void)[] = []
  let onLost = (_why: string): void => {}
  let last: Promise<unknown> = Promise.resolve()
  let ended = false

  /** One at a time: a batch must see the log as the last one left it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
  function giveUp(why: string): never {
    if (lost === undefined) {
      lost = why
      onLost(why)
    }
    throw away(new Error(why))
  }
  function take(entry: Entry, others: boolean): void {
    let statements: readonly Wrote[]
    try {
      statements = play(entry)
    } catch (e) {
      // A full disk may have room again; any other error means that this database no longer matches the log.
      if (!isStorageFailure(e)) giveUp(`Change ${entry.n} cannot be played: ${e instanceof Error ? e.message : e}.`)
      throw e
    }
    at = { ...at, n: entry.n, id: entry.id }
    played()
    if (others) for (const listener of listeners) listener(statements)
  }

  /** Repeats a request that may be repeated until its time is over; one with much to send has longer. */
  async function asked<T>(ask: (ms: number) => Promise<T>, bytes = 0): Promise<T> {
    const until = performance.now() + ANSWER_MS + bytes / BYTES_A_MS
    for (;;)
      try {
        const answer = await ask(Math.max(1, until - performance.now()))
        heardAt = performance.now()
        return answer
      } catch (e) {
        if (performance.now() + AGAIN_MS >= until || ended) {
          failing = true
          throw e
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
  }

  /** Fetches and plays what others wrote. */
  async function catchUp(): Promise<void> {
    for (;;) {
      if (lost !== undefined) throw away(new Error(lost))
      const { epoch: now, entries } = await asked((ms) => primary.since(at.n, ms))
      const [own, ...fresh] = entries
      if (now !== epoch) giveUp('The nodes begin anew.')
      if (own?.n !== at.n || own.id !== at.id) giveUp(`The log does not continue change ${at.n} of this node.`)
      for (const entry of fresh) {
        if (entry.n !== at.n + 1) giveUp(`Change ${at.n + 1} is missing in the log.`)
        take(entry, true)
      }
      if (fresh.length === 0) return
    }
  }
  const entryOf = (statements: readonly Wrote[]): Entry => ({
    n: at.n + 1,
    id: randomBytes(9).toString('base64url'),
    node,
    body: statements.length === 0 ? new Uint8Array(0) : encode(statements),
  })

  /** After this, an append of unknown outcome has its place in the log or will never have one. */
  async function settle(): Promise<void> {
    while (open) {
      const fence = entryOf([])
      if (await asked((ms) => primary.append(fence, at.id, ms))) {
        take(fence, false)
        open = false
      } else {
        await catchUp()
        open = false
      }
    }
  }
  /** Looks whether the primary answers again. */
  async function recover(): Promise<void> {
    await catchUp()
    await settle()
    failing = false
  }

  function record(work: () => void): readonly Wrote[] {
    recorded = []
    try {
      work()
      return recorded
    } finally {
      recorded = undefined
    }
  }

  let polling: Promise<void> | undefined
  /** Resolves when this database has all that the log had when it was called. @throws storage_unavailable */
  function fresh(): Promise<void> {
    if (failing) return Promise.reject(away())
    polling ??= inTurn(async () => {
      polling = undefined
      if (failing) throw away()
      await catchUp().catch((e: unknown) => {
        throw e instanceof AppError ? e : away(e)
      })
    })
    return polling
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  const poll = (): void => {
    timer = setTimeout(() => {
      const round = failing ? inTurn(recover) : fresh()
      round.catch(() => {}).finally(() => !ended && lost === undefined && poll())
    }, POLL_MS)
    timer.unref?.()
  }

  return {
    epoch,
    /** Begins to follow the log. `seen`: called after each change, before anybody is answered. */
    begin(seen: () => void): void {
      played = seen
      poll()
    },
    /** Called once, when this node has to begin anew. */
    onLost(listener: (why: string) => void): void {
      onLost = listener
      if (lost !== undefined) listener(lost)
    },
    fresh,
    /** Called with the changes of other nodes once they are in this database: for data kept in memory. */
    onOthers: (listener: (wrote: readonly Wrote[]) => void): void => void listeners.push(listener),
    primary,
    id: node,
    /** Forgets what a trial has recorded, from `mark` on. */
    mark: (): number => recorded?.length ?? 0,
    back(mark = 0): void {
      if (recorded) recorded.length = mark
    },
    /**
     * Runs `trial`, which writes and undoes all, until its change has its place in the log, then plays it. @throws
     * storage_unavailable within two seconds
     */
    async commit(trial: () => void): Promise<void> {
      // `recover` holds the turn while it waits for the primary.
      if (failing || lost !== undefined) throw away()
      await inTurn(async () => {
        for (;;) {
          if (failing || lost !== undefined) throw away()
          const statements = record(trial)
          if (statements.length === 0) return
          const entry = entryOf(statements)
          let accepted: boolean
          try {
            accepted = await asked((ms) => primary.append(entry, at.id, ms), Math.max(0, entry.body.length - SMALL))
          } catch (e) {
            open = true
            throw unsure(e)
          }
          if (accepted) return take(entry, false)
          await catchUp().catch((e: unknown) => {
            throw e instanceof AppError ? e : away(e)
          })
        }
      })
    },
    /** `lagMs`: since the primary answered last. */
    state: (): { readonly n: number; readonly lagMs: number; readonly away: boolean } => ({
      n: at.n,
      lagMs: Math.round(performance.now() - heardAt),
      away: failing || lost !== undefined,
    }),
    /** Waits for the work in progress, then stops following the log. */
    async end(): Promise<void> {
      ended = true
      clearTimeout(timer)
      await last
    },
  }
}
