import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/payments': { load: () => import('./List.svelte') },
  '/payments/split': { load: dated(() => import('./Split.svelte')) },
  '/payments/message': { load: () => import('./Message.svelte') },
}
