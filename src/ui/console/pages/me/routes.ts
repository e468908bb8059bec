import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/me': { load: () => import('./Me.svelte') } }
