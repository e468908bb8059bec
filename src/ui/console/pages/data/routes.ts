import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/data': { load: () => import('./Exports.svelte') } }
