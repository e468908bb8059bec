import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/expenses': { load: () => import('./List.svelte') },
  '/expenses/new': { load: dated(() => import('./New.svelte')) },
  '/expenses/:id': { load: () => import('./One.svelte') },
  '/expenses/:id/edit': { load: dated(() => import('./Edit.svelte')) },
}
