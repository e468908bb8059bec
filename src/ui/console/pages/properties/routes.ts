import type { Routes } from '../../../shared/router.svelte.ts'
import { WHOLE } from '../../reach.svelte.ts'

export const routes: Routes = {
  '/properties': { load: () => import('./List.svelte') },
  '/properties/new': { load: () => import('./New.svelte'), roles: WHOLE },
  '/properties/:id': { load: () => import('./One.svelte') },
  '/properties/:id/edit': { load: () => import('./Edit.svelte') },
}
