import type { Routes } from '../../../shared/router.svelte.ts'
import Home from './Home.svelte'

// shown first, and so here at once
export const routes: Routes = { '/': { page: Home } }
