import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/homes': { load: () => import('./Homes.svelte') },
  '/homes/:place/:id': { load: dated(() => import('./Home.svelte')) },
}
