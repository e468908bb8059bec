import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { purgeRecoveries } from '../codes/store.ts'
import { carryOut } from './recovery.ts'
import { purgeUndos } from './store.ts'

/** Removes second factors of ADMINs who had their day to stop it. */
export const recoveryHandlers = (deps: Deps): Handlers => ({
  'recovery.due': ({ source }) => carryOut(deps, source),
})

/** Deletes expired links that undo a change of number or stop a recovery. */
export const purgeUndoLinks = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeUndos(tx, clock.wall())
    purgeRecoveries(tx, clock.wall())
    return true
  })
