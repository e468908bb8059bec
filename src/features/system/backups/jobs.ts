import type { Deps } from '../../../deps.ts'
import { isDue } from './rules.ts'
import { makeBackup } from './service.ts'

type Work = Pick<Deps, 'backups' | 'clock' | 'config' | 'log'>
/** A start has other work to do first. */
const CALM_MS = 10 * 60_000
const started = new WeakMap<object, number>()

/** The daily backup, ten minutes after a start at the earliest. Returns at once: it is made in a thread. */
export async function backUpDaily(work: Work): Promise<void> {
  const { backups, clock, config } = work
  if (!backups || backups.running()) return
  const now = clock.wall()
  const since = started.get(backups) ?? now
  started.set(backups, since)
  if (Math.abs(now - since) < CALM_MS || !isDue(backups.state(), config.backup.at, config.timeZone, now)) return
  void makeBackup(work)
}
