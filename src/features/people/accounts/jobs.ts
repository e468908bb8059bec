import type { Deps } from '../../../deps.ts'
import { purgeUndos } from './store.ts'

/** Deletes expired links that undo a change of number. */
export const purgeUndoLinks = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeUndos(tx, clock.wall())
    return true
  })
