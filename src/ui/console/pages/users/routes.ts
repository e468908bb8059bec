import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/users': { load: () => import('./List.svelte'), roles: ['ADMIN'] },
  '/users/new': { load: () => import('./New.svelte'), roles: ['ADMIN'] },
  '/users/:id': { load: () => import('./One.svelte'), roles: ['ADMIN'] },
}
