import type { Routes } from '../../../shared/router.svelte.ts'
import Rent from './Rent.svelte'

// shown first, and so here at once
export const routes: Routes = { '/': { page: Rent } }
