import type { Routes } from '../../../shared/router.svelte.ts'
import { WHOLE } from '../../reach.svelte.ts'

export const routes: Routes = { '/imports': { load: () => import('./Imports.svelte'), roles: WHOLE } }
