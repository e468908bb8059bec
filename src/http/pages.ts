// Which requests are those of people, who get a page where a program gets a problem document.

/** Addresses printed on papers and in messages. */
const ON_PAPER = /^\/(?:verify|i|p|s|u)\//
/** Where browsers sign in and out, by link or by form. */
const SIGNING_IN = /^\/realms\/svc\/(?:protocol\/openid-connect\/(?:auth|logout)(?:\/|$)|login-actions\/)/

/** Pages with forms that work without scripts. */
const DOORS = /^\/(?:setup|demo|register|recover)(?:\/|$)/
const HANDBOOK = /^\/docs\/handbook(?:\/|$)/
/** Whether programs ask at an address, not people. */
export const isService = (path: string): boolean => /^\/(?:api|webhooks|media-uploads|media-files|realms)\//.test(path)

/** Whether a browser requests an address as a page. */
export const asksForPage = ({ method, headers }: Request, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && !isService(path) && (headers.get('accept') ?? '').includes('text/html')

/** Whether a person asked for a page, so that this status is answered with one. */
export function isForPeople(request: Request, path: string, status: number, code: string): boolean {
  const { method, headers } = request
  const reads = method === 'GET' || method === 'HEAD'
  if ((reads && ON_PAPER.test(path)) || (method === 'POST' && /^\/[su]\//.test(path)))
    return status === 404 || status === 429 || status >= 500
  if ((status === 404 || code === 'not_set_up') && asksForPage(request, path)) return true
  const browser = (reads || method === 'POST') && (headers.get('accept') ?? '').includes('text/html')
  return browser && (SIGNING_IN.test(path) || HANDBOOK.test(path) || DOORS.test(path))
}
