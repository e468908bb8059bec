import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/settings': { load: () => import('./Settings.svelte'), roles: ['ADMIN'] },
  '/settings/law': { load: () => import('./Law.svelte') },
}
