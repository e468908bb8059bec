import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { documents } from './papers/documents/routes.ts'
import { media } from './papers/media/routes.ts'
import { vacancies } from './papers/vacancies/routes.ts'
import { verification } from './papers/verification/routes.ts'

/** Files, generated documents and the checks of papers. */
export const papers = (deps: Deps, http: Http) =>
  new Elysia({ name: 'papers' })
    .use(documents(deps, http))
    .use(media(deps, http))
    .use(vacancies(deps, http))
    .use(verification(deps, http))
