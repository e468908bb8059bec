import type { Deps } from '../../../deps.ts'
import { purgeUndos } from './store.ts'

/** Forgets the links to undo a change of number whose time is over. */
export const purgeUndoLinks = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeUndos(tx, clock.wall())
    return true
  })
