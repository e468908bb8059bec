import './app.css'
import type { Routes } from '../shared/router.svelte.ts'
import { start } from '../shared/start.ts'
import App from './App.svelte'
import { installWorker } from './offline.ts'
import { router } from './router.ts'

/** Each folder of pages says what it answers for. */
const folders = import.meta.glob<{ routes: Routes }>('./pages/*/routes.ts', { eager: true })
const routes: Routes = Object.assign({}, ...Object.values(folders).map((folder) => folder.routes))

// no wait at the top: a lazy page needs this very file, and would wait for it
void start(App, () => router.serve(routes)).then(installWorker)
