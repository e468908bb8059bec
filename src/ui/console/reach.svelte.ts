// What a person may do to the organization as a whole. A manager may be limited to some properties, which the token does
// not say: the server is asked, and until it has answered nothing is offered that it might refuse.
import { QueryObserver } from '@tanstack/svelte-query'
import { api, data } from '../shared/api.ts'
import { type Role, session } from '../shared/session.ts'
import { queries } from './queries.ts'

/** The roles that may act on everything they see; a manager of some properties may not. */
export const WHOLE = ['OWNER', 'MANAGER', 'ADMIN'] as const satisfies readonly Role[]
let reaches = $state<boolean>()

const isIn = (roles: readonly Role[]): boolean => session.roles().some((role) => roles.includes(role))
/** Administrators and owners are never limited. */
const mayBeLimited = (): boolean => isIn(['MANAGER']) && !isIn(['OWNER', 'ADMIN'])

export const reach = {
  /** Whether the server has said what a manager is limited to. */
  get known(): boolean {
    return reaches !== undefined || !mayBeLimited()
  },
  /** Whether one of these roles is the person's, that of a manager only where it reaches everything. */
  has: (roles: readonly Role[]): boolean =>
    isIn(mayBeLimited() && reaches !== true ? roles.filter((role) => role !== 'MANAGER') : roles),
}

/** Asks, and again after each change; where no answer comes, the server says no at the act. @returns the end of it */
export function watchReach(): (() => void) | undefined {
  if (!mayBeLimited()) return undefined
  const of = new QueryObserver(queries, { queryKey: ['reach'], queryFn: () => data(api.GET('/api/v1/me')) })
  return of.subscribe(({ data: me, isError }) => {
    if (me || isError) reaches = me?.propertyIds === undefined
  })
}
