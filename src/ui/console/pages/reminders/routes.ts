import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = { '/reminders': { load: () => import('./Reminders.svelte') } }
