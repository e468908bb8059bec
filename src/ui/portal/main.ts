import './app.css'
import type { Routes } from '../shared/router.svelte.ts'
import { start } from '../shared/start.ts'
import App from './App.svelte'
import { foresee, installWorker, userId } from './offline.ts'
import { router } from './router.ts'

/** Each folder of pages says what it answers for. */
const folders = import.meta.glob<{ routes: Routes }>('./pages/*/routes.ts', { eager: true })
const routes: Routes = Object.assign({}, ...Object.values(folders).map((folder) => folder.routes))

const isGlimpsed = document.querySelector('#app[inert]') !== null
/** The app takes the place of a copy of the home (`glimpse.ts`) only when its page and what was kept for it are here. */
async function ready(): Promise<void> {
  await Promise.all([router.serve(routes), isGlimpsed && foresee(`overview ${userId()}`)])
  if (isGlimpsed) await router.retry()
}

// no wait at the top: a lazy page needs this very file, and would wait for it
void start(App, ready).then(installWorker)
