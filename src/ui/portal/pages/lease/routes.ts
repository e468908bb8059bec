import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/lease': { load: () => import('./Leases.svelte') },
  '/lease/:id': { load: () => import('./One.svelte') },
}
