import { dated } from '../../../shared/clock.svelte.ts'
import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/bookings': { load: () => import('./List.svelte') },
  '/bookings/new': { load: dated(() => import('./New.svelte')) },
  '/bookings/:id': { load: () => import('./One.svelte') },
  '/bookings/:id/edit': { load: () => import('./Edit.svelte') },
  '/bookings/:id/terminate': { load: dated(() => import('./Terminate.svelte')) },
  '/bookings/:id/renew': { load: () => import('./Renew.svelte') },
}
