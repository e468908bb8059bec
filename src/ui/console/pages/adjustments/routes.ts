import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/adjustments': { load: () => import('./List.svelte') } }
