import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/requests': { load: () => import('./Requests.svelte') },
  '/requests/new/:lease': { load: () => import('./Report.svelte') },
  '/requests/:id': { load: () => import('./One.svelte') },
}
