import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/audit': { load: () => import('./List.svelte'), roles: ['ADMIN'] },
  '/audit/archives': { load: dated(() => import('./Archives.svelte')), roles: ['ADMIN'] },
}
