import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/audit': { load: () => import('./List.svelte'), roles: ['ADMIN'] } }
