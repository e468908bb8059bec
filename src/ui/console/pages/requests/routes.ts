import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/requests': { load: () => import('./List.svelte') },
  '/requests/new': { load: () => import('./New.svelte') },
  '/requests/:id': { load: dated(() => import('./One.svelte')) },
}
