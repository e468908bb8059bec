import './app.css'
import type { Routes } from '../shared/router.svelte.ts'
import { session } from '../shared/session.ts'
import { start } from '../shared/start.ts'
import App from './App.svelte'
import { router } from './router.ts'

/** Each folder of pages says what it answers for. */
const folders = import.meta.glob<{ routes: Routes }>('./pages/*/routes.ts', { eager: true })
const routes: Routes = Object.assign({}, ...Object.values(folders).map((folder) => folder.routes))

void start(App, () => Promise.all([router.serve(routes), session.begin()]))
