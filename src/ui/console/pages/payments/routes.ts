import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/payments': { load: () => import('./List.svelte') },
  '/payments/message': { load: () => import('./Message.svelte') },
}
