import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/accounting': { load: () => import('./Books.svelte') } }
