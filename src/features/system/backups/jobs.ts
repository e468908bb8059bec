import type { Deps } from '../../../deps.ts'
import { isDue } from './rules.ts'

type Work = Pick<Deps, 'backups' | 'clock' | 'config' | 'log'>
/** A start has other work to do first. */
const CALM_MS = 10 * 60_000
const started = new WeakMap<object, number>()

/** Makes a backup; a failure is logged and shown where the state is shown. */
export async function makeBackup({ backups, log }: Pick<Deps, 'backups' | 'log'>): Promise<void> {
  try {
    const made = await backups?.run()
    if (made) log.info('backup.made', { name: made.name, place: made.place, bytes: made.sizeBytes, s: made.seconds })
  } catch (e) {
    log.error('backup.failed', e)
  }
}

/** The daily backup, ten minutes after a start at the earliest. Returns at once: it is made in a thread. */
export async function backUpDaily(work: Work): Promise<void> {
  const { backups, clock, config } = work
  if (!backups || backups.running()) return
  const now = clock.wall()
  const since = started.get(backups) ?? now
  started.set(backups, since)
  if (now - since < CALM_MS || !isDue(backups.state(), config.backup.at, config.timeZone, now)) return
  void makeBackup(work)
}
