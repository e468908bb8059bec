import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/invoices': { load: () => import('./List.svelte') },
  '/invoices/:id': { load: () => import('./One.svelte') },
}
