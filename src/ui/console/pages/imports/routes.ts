import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/imports': { load: () => import('./Imports.svelte') } }
