import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/inspections': { load: () => import('./List.svelte') },
  '/inspections/:id': { load: dated(() => import('./One.svelte')) },
}
