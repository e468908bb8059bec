import type { Db } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { isLate } from './rules.ts'

/** A backup holds the data of all organizations. @throws forbidden to administrators of another one */
export function refuseOthers(db: Db, orgId: string): void {
  if (orgId !== operatorOrganization(db)?.id) throw new AppError('forbidden')
}

/** The state of the backups of this server. */
export function stateOf({ backups, config, clock }: Pick<Deps, 'backups' | 'config' | 'clock'>) {
  if (!backups) return { running: false, late: false, backups: [] }
  const state = backups.state()
  const { place, at } = config.backup
  return {
    ...(place ? { place: place.to } : {}),
    at,
    running: backups.running(),
    late: isLate(state, clock.wall()),
    ...state,
  }
}

/** Notes who asked for a backup. @throws backups_off */
export function askForBackup(ctx: Ctx, { backups }: Pick<Deps, 'backups'>): void {
  const { orgId } = ctx.caller
  refuseOthers(ctx.tx, orgId)
  if (!backups) throw new AppError('backups_off')
  record(ctx, 'backup.make', { type: 'organization', after: { id: orgId } })
}

/** Makes a backup; a failure is logged and shown where the state is shown. */
export async function makeBackup({ backups, log }: Pick<Deps, 'backups' | 'log'>): Promise<void> {
  try {
    const backup = await backups?.run()
    if (backup)
      log.info('backup.made', { name: backup.name, place: backup.place, bytes: backup.sizeBytes, s: backup.seconds })
  } catch (e) {
    log.error('backup.failed', e)
  }
}
