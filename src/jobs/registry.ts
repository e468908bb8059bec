import type { Deps } from '../deps.ts'
import type { Handlers } from './worker.ts'

type Periodic = { readonly name: string; readonly seconds: number; readonly work: () => Promise<unknown> }

/** Every kind of job and who does it. */
export const handlers = (_deps: Deps): Handlers => ({})

/** What comes round by itself. */
export const periodic = (_deps: Deps): readonly Periodic[] => []
