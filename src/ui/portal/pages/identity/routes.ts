import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/identity': { load: () => import('./Identity.svelte') } }
