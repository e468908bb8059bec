import type { Deps } from '../../deps.ts'
import { lastCheck, putCheck } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'log' | 'store' | 'checkDatabase'>
const DAY_MS = 24 * 3600_000
const running = new WeakSet<object>()

/**
 * Once a day the whole database file is looked through, in a thread beside the service: what a start does not check of
 * a large one is found here. Comes back at once; damage is logged, and stands in /metrics and /readyz until it is gone.
 */
export async function checkDaily(deps: Work): Promise<void> {
  const { db, write, clock, store, log } = deps
  if (store.file === ':memory:' || running.has(store)) return
  const last = lastCheck(db)
  // A database seen for the first time has just been opened: its day begins now.
  if (!last) return write(null, (tx) => putCheck(tx, { at: clock.wall() }))
  if (Math.abs(clock.wall() - last.at) < DAY_MS) return
  running.add(store)
  void check(deps)
    .catch((e: unknown) => log.error('database.check_failed', e))
    .finally(() => running.delete(store))
}

async function check({ write, clock, store, log, checkDatabase }: Work): Promise<void> {
  const began = clock.wall()
  const problems = await checkDatabase(store.file)
  const ms = clock.wall() - began
  if (problems.length > 0)
    log.error('database.damaged', new Error(problems.join('; ')), { file: store.file, advice: 'Restore a backup.' })
  else log.info('database.checked', { ms })
  await write(null, (tx) => putCheck(tx, { at: began, ms, problems }))
}
