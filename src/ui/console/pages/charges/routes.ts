import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/charges': { load: () => import('./Start.svelte') },
  '/charges/:id': { load: () => import('./One.svelte') },
  '/properties/:id/charges': { load: () => import('./Charges.svelte') },
  '/properties/:id/charges/new': { load: dated(() => import('./New.svelte')) },
  '/properties/:id/charges/readings': { load: dated(() => import('./Readings.svelte')) },
}
