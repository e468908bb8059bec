import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/settings/webhooks': { load: () => import('./List.svelte'), roles: ['MANAGER', 'ADMIN'] },
  '/settings/webhooks/:id': { load: () => import('./One.svelte'), roles: ['MANAGER', 'ADMIN'] },
}
