import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createCopier } from '../../adapters/checkpoints/checkpoints.ts'
import { type Config, ConfigError } from '../../config.ts'
import type { Deps, Team } from '../../deps.ts'
import { added, type Seen } from '../../http/observe.ts'
import type { Log } from '../../log.ts'
import { type Fetch, LARGEST_BODY, type Listening } from '../listen.ts'
import { createReception, type Door } from './hand-on.ts'
import { createLogKeeper } from './log.ts'
import { type Memory, openMemory } from './memory.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** How often the workers are told the time, ms. */
const TIMES_MS = 200
/**
 * Pauses before a worker that ended is started again, ms: the first one, the longest one, and the running time after
 * which the first one applies again.
 */
const AGAIN = { first: 50, most: 5_000, sound: 10_000 }
/** How long a worker may take to listen, to report its counts, and to end, ms. */
const START_MS = 60_000
const SEEN_MS = 1_000
const STOP_MS = 6_000
/** How often each worker is asked for its counts, ms, and how many times in a row it may leave that unanswered. */
const BEAT_MS = 2_000
const SILENT_BEATS = 5
/** An earlier service's workers may hold the port for a moment after its death. */
const PORT_MS = 2_000
/** Requests that a worker hands on at once: the most that the runtime takes. */
const MOST_HANDED_ON = '65336'
/** How often the write-ahead log is looked at, ms. */
const LOG_EVERY_MS = 500
/** Longest path of a socket in bytes. */
const LONGEST = 107

/** @throws ConfigError where this runtime cannot share a port */
export function expectSharing({ workers, dataDir }: Pick<Config, 'workers' | 'dataDir'>, demo: boolean): void {
  if (workers === 1) return
  const why =
    typeof Bun === 'undefined' || process.platform !== 'linux'
      ? 'several processes share a port on Linux alone, and not under Deno'
      : demo
        ? 'a demo is served by one process'
        : Buffer.byteLength(socketIn(dataDir)) > LONGEST
          ? `the path ${dataDir} is too long for the socket between the processes`
          : undefined
  if (why !== undefined) throw new ConfigError([`WORKERS: ${why}; leave it out or say 1`])
}
const socketIn = (dataDir: string): string => join(dataDir, 'writer.sock')
const memoryIn = (dataDir: string): string => join(dataDir, 'shared.mem')

type Process = ReturnType<typeof Bun.spawn>
/** `seen`: its latest counts. `unanswered`: beats since it last answered. */
type Worker = {
  readonly child: Process
  readonly startedAt: number
  isServing: boolean
  seen: Seen
  unanswered: number
}

/** The processes that answer reads for this one, the writer. Call it with the folder locked. */
export function createTeam(config: Config, log: Log, { store, access, clock, time, advanceClock }: Deps) {
  const memory: Memory = openMemory(memoryIn(config.dataDir), true)
  const door: Door = { socket: socketIn(config.dataDir), secret: randomBytes(24).toString('base64url') }
  const workers: (Worker | undefined)[] = Array.from({ length: config.workers })
  const waiting = new Map<number, () => void>()
  let turn = 0
  /** What workers counted that have ended: without it the sums would fall, which means a restart to Prometheus. */
  let seenByEnded: Seen = []
  const restarts = workers.map(() => 0)
  let stopping = false

  /** Starts the n-th worker. Resolves when it listens. @throws Error with its reason */
  function startWorker(n: number, epoch: string, fails = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => child.kill('SIGKILL'), START_MS)
      const child = Bun.spawn([...ownProgram(), 'worker'], {
        stdin: 'ignore',
        stdout: 'inherit',
        stderr: 'inherit',
        // Otherwise 256 streams or slow uploads would keep all other requests from the writer.
        env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: MOST_HANDED_ON },
        // Only settings that are data can be sent; functions are for commands.
        serialization: 'json',
        ipc(message: FromWorker) {
          if (message.kind === 'seen') {
            Object.assign(self, { seen: message.seen, unanswered: 0 })
            return waiting.get(message.turn)?.()
          }
          clearTimeout(late)
          if (message.kind === 'failed') {
            reject(new Error(message.message))
            return void child.kill('SIGKILL')
          }
          self.isServing = true
          resolve()
        },
        onExit(_child, code, signal) {
          clearTimeout(late)
          workers[n] = undefined
          seenByEnded = added([seenByEnded, self.seen])
          reject(new Error(`A worker ended with ${code ?? signal}.`))
          if (stopping) return
          restarts[n] = (restarts[n] ?? 0) + 1
          log.error('worker.ended', new Error(`A worker ended with ${code ?? signal}.`), { worker: n + 1 })
          const soundly = performance.now() - self.startedAt > AGAIN.sound
          const failed = soundly ? 0 : fails
          setTimeout(restart, Math.min(AGAIN.most, AGAIN.first * 2 ** failed), failed + 1)
        },
      })
      const restart = (failed: number): void => {
        if (!stopping) startWorker(n, epoch, failed).catch((e: unknown) => log.error('worker.not_started', e))
      }
      const self: Worker = { child, startedAt: performance.now(), isServing: false, seen: [], unanswered: 0 }
      workers[n] = self
      say(child, { kind: 'start', config, door, memory: memoryIn(config.dataDir), epoch })
    })
  }

  const there = (): Worker[] => workers.filter((worker) => worker !== undefined)
  const serving = (): Worker[] => there().filter(({ isServing }) => isServing)
  /** Asks a worker for its counts. One that takes too long is not waited for, and its counts stay as they were. */
  function ask({ child }: Worker): Promise<void> {
    turn += 1
    const mine = turn
    const answer = new Promise<void>((resolve) => {
      waiting.set(mine, resolve)
      setTimeout(resolve, SEEN_MS)
    })
    say(child, { kind: 'seen', turn: mine })
    return answer.finally(() => waiting.delete(mine))
  }
  /** A worker that hangs would keep its share of all connections waiting: it is ended, and started again. */
  function beat(): void {
    for (const worker of serving()) {
      worker.unanswered += 1
      if (worker.unanswered <= SILENT_BEATS) {
        void ask(worker)
        continue
      }
      log.error('worker.silent', new Error(`A worker did not answer for ${(SILENT_BEATS * BEAT_MS) / 1000} s.`))
      worker.isServing = false
      worker.child.kill('SIGKILL')
    }
  }

  const team: Team = {
    limiter: memory.limiter,
    workers: () => ({
      wanted: config.workers,
      serving: serving().length,
      restarts,
    }),
    async seen() {
      await Promise.all(serving().map(ask))
      // One that ended meanwhile is in the second part only.
      return [...there().map(({ seen }) => seen), seenByEnded]
    },
  }

  const tellTimes = (): void =>
    memory.setTimes({
      lead: time?.lead() ?? 0,
      business: clock.now() - clock.wall(),
      resets: time?.resets() ?? 0,
    })
  tellTimes()
  const copier = createCopier(store.file)
  const keeper = createLogKeeper(store, memory, copier, log)
  const look = (): void => void keeper.look()
  look()
  store.watch(() => {
    memory.committed()
    keeper.committed()
  })
  // In place of the thread that does so for one process alone.
  store.whenRead(() => keeper.look())
  const timers = [setInterval(tellTimes, TIMES_MS), setInterval(look, LOG_EVERY_MS), setInterval(beat, BEAT_MS)]

  /** Listens for the workers, then starts them. @throws as listen does */
  async function listen(fetch: Fetch): Promise<Listening> {
    await expectFree(config)
    rmSync(door.socket, { force: true })
    // The workers limit the clients' time; the setting exists on such a socket too, but not in the types.
    const endless: object = { idleTimeout: 0 }
    const inner = Bun.serve({
      ...endless,
      unix: door.socket,
      maxRequestBodySize: LARGEST_BODY,
      fetch: createReception(door, fetch, access.verify),
    })
    chmodSync(door.socket, 0o600)
    const stop = async (): Promise<void> => {
      stopping = true
      const left = there()
      for (const { child } of left) say(child, { kind: 'stop' })
      const late = setTimeout(() => {
        for (const { child } of left) child.kill('SIGKILL')
      }, STOP_MS)
      await Promise.all(left.map(({ child }) => child.exited))
      clearTimeout(late)
      await inner.stop(true)
      for (const file of [door.socket, memoryIn(config.dataDir)]) rmSync(file, { force: true })
    }
    try {
      await Promise.all(workers.map((_, n) => startWorker(n, store.epoch)))
    } catch (e) {
      await stop()
      throw e
    }
    return { port: config.port, stop }
  }
  return {
    listen,
    forget: memory.forget,
    end(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      return copier.end()
    },
    /** The part of this that the writer's app gets. */
    deps: {
      team,
      advanceClock:
        advanceClock &&
        (async (days: number) => {
          const now = await advanceClock(days)
          tellTimes()
          return now
        }),
    },
  }
}

/** Says something to a worker that may be about to end. */
function say(child: Process, message: ToWorker): void {
  try {
    child.send(message)
  } catch {
    // The worker is ending, and will be started again.
  }
}

/** The line that started this process: the binary, or the runtime with the program. */
const ownProgram = (): string[] =>
  import.meta.url.endsWith('/workers/team.ts') ? [process.execPath, process.argv[1] ?? ''] : [process.execPath]

/** A shared port would let two services answer in turn: a port in use is refused, as always. */
async function expectFree({ port, host }: Config): Promise<void> {
  const until = performance.now() + PORT_MS
  for (;;)
    try {
      return await Bun.serve({ port, hostname: host, fetch: () => new Response() }).stop(true)
    } catch (e) {
      if (performance.now() > until) throw e
      await Bun.sleep(50)
    }
}
