import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/tenants': { load: () => import('./List.svelte') },
  '/tenants/new': { load: () => import('./New.svelte') },
  '/tenants/:id': { load: () => import('./One.svelte') },
  '/tenants/:id/edit': { load: () => import('./Edit.svelte') },
}
