import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/inspections': { load: () => import('./Inspections.svelte') },
  '/inspections/:id': { load: () => import('./One.svelte') },
}
