import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/settings/server': { load: () => import('./Server.svelte'), roles: ['ADMIN'] } }
