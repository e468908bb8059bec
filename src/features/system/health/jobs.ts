import { DAY_MS } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'

type Work = Pick<Deps, 'clock' | 'log' | 'store' | 'checkDatabase'>
/** When the last check of each open database began, epoch ms. */
const begun = new WeakMap<object, number>()
const running = new WeakSet<object>()

/** Stores the time; if the clock turns out to have been wrong, whatever counts by it starts over. */
export async function keepTime({ time, embedded }: Pick<Deps, 'time' | 'embedded'>): Promise<void> {
  if (await time?.keep()) await embedded?.beginAnew()
}

/**
 * Checks the whole database file right after the start, then once a day, in another thread. Returns at once. Damage is
 * logged, stops all writes, and makes /readyz answer 503.
 */
export async function checkDaily(deps: Work): Promise<void> {
  const { clock, store, log } = deps
  const last = begun.get(store)
  if (store.file === ':memory:' || running.has(store)) return
  if (last !== undefined && Math.abs(clock.wall() - last) < DAY_MS) return
  begun.set(store, clock.wall())
  running.add(store)
  void check(deps)
    .catch((e: unknown) => {
      // The check did not run: the next round tries again.
      begun.delete(store)
      log.error('database.check_failed', e)
    })
    .finally(() => running.delete(store))
}

async function check({ clock, store, log, checkDatabase }: Work): Promise<void> {
  const began = clock.wall()
  const problems = await checkDatabase(store.file)
  store.health.checked(problems)
  if (problems.length > 0)
    log.error('database.damaged', new Error(problems.join('; ')), { file: store.file, advice: 'Restore a backup.' })
  else log.info('database.checked', { ms: clock.wall() - began })
}
