import { createRouter } from '../shared/router.svelte.ts'

export const router = createRouter('/portal')
