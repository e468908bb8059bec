import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/papers': { load: () => import('./Papers.svelte') } }
