import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/declare/:id': { load: () => import('./Declare.svelte') } }
