export const REALM = '/realms/svc/'
type PublicRoute = { readonly methods: readonly string[]; readonly path: string; readonly prefix?: boolean }
const GET = ['GET', 'HEAD']
const open = (methods: readonly string[], path: string, prefix = false): PublicRoute => ({ methods, path, prefix })
/** The one list of what may be reached without a token (interface.md "Authentication", decisions section 2). */
const PUBLIC: readonly PublicRoute[] = [
  open(['POST'], '/api/v1/registration/', true),
  open(['POST'], '/api/v1/account/password-reset/', true),
  open(GET, '/api/v1/legal/', true),
  open(['POST'], '/webhooks/', true),
  // It judges methods by itself, preflights too.
  open([...GET, 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], REALM, true),
  open(['PUT'], '/media-uploads/', true),
  open(GET, '/media-files/', true),
  open(GET, '/verify/', true),
  open(GET, '/i/', true),
  open([...GET, 'POST'], '/u/', true),
  open(GET, '/healthz'),
  open(GET, '/readyz'),
  open(GET, '/metrics'), // loopback or token, judged by its own handler
  open(GET, '/openapi.json'),
  open(GET, '/docs'),
  open(GET, '/docs/', true),
  open(GET, '/'),
  open(GET, '/ui/', true),
  open(GET, '/console'),
  open(GET, '/console/', true),
  open(GET, '/portal'),
  open(GET, '/portal/', true),
]
const SANDBOX: readonly PublicRoute[] = [open([...GET, 'POST'], '/api/v1/sandbox/', true)]

/** Whether a method of a path may be reached without a token. */
export function publicRoutes(sandbox: boolean): (method: string, path: string) => boolean {
  const all = sandbox ? [...PUBLIC, ...SANDBOX] : PUBLIC
  const fixed = new Map(all.filter((r) => !r.prefix).map((r) => [r.path, r.methods]))
  const prefixes = all.filter((r) => r.prefix)
  return (method, path) =>
    fixed.get(path)?.includes(method) ?? prefixes.some((r) => path.startsWith(r.path) && r.methods.includes(method))
}
