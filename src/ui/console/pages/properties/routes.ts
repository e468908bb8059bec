import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/properties': { load: () => import('./List.svelte') },
  '/properties/new': { load: () => import('./New.svelte') },
  '/properties/:id': { load: () => import('./One.svelte') },
  '/properties/:id/edit': { load: () => import('./Edit.svelte') },
}
