import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/transfers': { load: () => import('./List.svelte') },
  '/transfers/new': { load: dated(() => import('./New.svelte')), roles: ['MANAGER', 'ADMIN'] },
}
