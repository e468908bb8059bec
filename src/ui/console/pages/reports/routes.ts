import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/reports': { load: () => import('./List.svelte') },
  '/reports/:kind': { load: () => import('./One.svelte') },
}
