import type { Routes } from '../../../shared/router.svelte.ts'

export const routes: Routes = {
  '/me': { load: () => import('./Me.svelte') },
  '/me/name': { load: () => import('./Name.svelte') },
  '/me/phone': { load: () => import('./Phone.svelte') },
  '/me/password': { load: () => import('./Password.svelte') },
  '/me/devices': { load: () => import('./Devices.svelte') },
  '/me/messages': { load: () => import('./News.svelte') },
  '/me/data': { load: () => import('./Data.svelte') },
}
