import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/charges/:id': { load: () => import('./Charges.svelte') } }
