import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/reviews': { load: () => import('./List.svelte'), roles: ['ADMIN'] },
  '/reviews/:id': { load: () => import('./One.svelte'), roles: ['ADMIN'] },
}
