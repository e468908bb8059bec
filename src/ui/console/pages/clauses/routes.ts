import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/settings/clauses': { load: () => import('./Clauses.svelte'), roles: ['MANAGER', 'ADMIN'] },
  '/settings/clauses/:kind': { load: () => import('./Clauses.svelte'), roles: ['MANAGER', 'ADMIN'] },
}
