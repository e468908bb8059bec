import './app.css'
import type { Routes } from '../shared/router.svelte.ts'
import { start } from '../shared/start.ts'
import App from './App.svelte'
import { installWorker } from './offline.ts'
import { router } from './router.ts'

/** Each folder of pages says what it answers for. */
const folders = import.meta.glob<{ routes: Routes }>('./pages/*/routes.ts', { eager: true })
const routes: Routes = Object.assign({}, ...Object.values(folders).map((folder) => folder.routes))

await start(App, () => router.serve(routes))
installWorker()
