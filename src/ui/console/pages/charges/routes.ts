import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/charges': { load: () => import('./Start.svelte') },
  '/properties/:id/charges': { load: () => import('./Charges.svelte') },
  '/properties/:id/charges/readings': { load: dated(() => import('./Readings.svelte')) },
}
