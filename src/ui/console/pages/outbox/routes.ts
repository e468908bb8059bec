import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/outbox': { load: () => import('./Outbox.svelte') } }
