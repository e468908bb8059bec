import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/more': { load: () => import('./More.svelte') } }
