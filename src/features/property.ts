import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { properties } from './property/properties/routes.ts'
import { homes, units } from './property/units/routes.ts'

/** Properties and their units. */
export const property = (deps: Deps, http: Http) =>
  new Elysia({ name: 'property' }).use(properties(deps, http)).use(units(deps, http)).use(homes(deps, http))
