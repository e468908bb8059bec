import { isUuid } from '../core/id.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import type { RouteAccess } from './auth.ts'
import { callerOf } from './edge.ts'

/** Role (403), then path ids (404), then the query's shape (422): in this order, before the body is looked at. */
export function admit(allowed: RouteAccess, request: Request, params: Record<string, string> = {}): void {
  if (allowed !== 'public') {
    const caller = callerOf(request)
    if (caller.orgId === '') throw new AppError('organization_required')
    if (!caller.roles.some((r) => allowed.includes(r))) throw new AppError('forbidden')
  }
  for (const name in params) if (/id$/i.test(name) && !isUuid(params[name] ?? '')) throw notFound()
}

/** A parameter that stands twice in the query is refused (422), as it would say two things. */
export function refuseTwins(request: Request): void {
  const at = request.url.indexOf('?')
  if (at === -1) return
  const seen = new Set<string>()
  for (const name of new URLSearchParams(request.url.slice(at + 1)).keys()) {
    if (seen.has(name))
      throw invalid(`/${name}`, 'Give this parameter once only.', 'Ne donnez ce paramètre qu’une fois.')
    seen.add(name)
  }
}
