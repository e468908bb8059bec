import type { TSchema } from '@sinclair/typebox'
import type { Role } from '../../src/core/roles.ts'
import { uuid } from './app.ts'

/** A route as it was declared; `line` is its name in the tables: `POST /api/v1/bookings/:id/submit`. */
export type Route = {
  readonly line: string
  readonly method: string
  readonly path: string
  /** Undefined when nothing was declared: no route may stay so. */
  readonly roles: readonly Role[] | 'public' | undefined
  /** Not for a manager of some properties. */
  readonly whole: boolean
  readonly hidden: boolean
  readonly body: TSchema | undefined
  readonly query: TSchema | undefined
  readonly answers: Readonly<Record<number, TSchema>>
}

type Detail = {
  hide?: boolean
  'x-whole'?: true
  'x-roles'?: readonly Role[] | 'public'
  'x-answers'?: Record<number, TSchema>
}
type Declared = {
  readonly method: string
  readonly path: string
  readonly hooks: { body?: TSchema; query?: TSchema; detail?: Detail }
}

/** Every route of an app, the hidden ones (pages, the OpenID provider) too. */
export const routesOf = (app: { readonly routes: readonly unknown[] }): Route[] =>
  (app.routes as readonly Declared[]).map(({ method, path, hooks: { body, query, detail } }) => ({
    line: `${method} ${path}`,
    method,
    path,
    roles: detail?.['x-roles'],
    whole: detail?.['x-whole'] === true,
    hidden: detail?.hide === true,
    body,
    query,
    answers: detail?.['x-answers'] ?? {},
  }))

/** Those that need a token. */
export const securedRoutes = (app: { readonly routes: readonly unknown[] }): Route[] =>
  routesOf(app).filter(({ roles }) => roles !== 'public')

/** The lists: what answers an array and takes a cursor. */
export const listRoutes = (app: { readonly routes: readonly unknown[] }): Route[] =>
  routesOf(app).filter(({ query }) => query?.properties?.cursor !== undefined)

/** A path with its parameters filled in. */
export const fill = (path: string, id = uuid('nobody')): string => path.replace(/:\w+/g, id)
