import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/documents': { load: () => import('./List.svelte') } }
