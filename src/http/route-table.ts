import type { Elysia } from 'elysia'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

type Routed = Pick<Elysia, 'routes'>
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/gi
/** Most path shapes that are remembered, because strangers can make up any number of them. */
const SHAPES = 2000
/** Matches the paths of a route with parameters. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')}/?$`)

/** The methods of each path, as far as the app has routes when it is read. */
export function createRouteTable() {
  let fixed: ReadonlySet<string> = new Set()
  let fits = (_method: string, _path: string): boolean => false
  let routes: Routed['routes'] = []
  let patterns: { method: string; path: string; pattern: RegExp }[] = []
  const shapes = new Map<string, string>()
  const find = (method: string, path: string): string =>
    fixed.has(`${method} ${path}`)
      ? path
      : (patterns.find((r) => r.method === method && r.pattern.test(path))?.path ?? 'none')
  return {
    get routes() {
      return routes
    },
    /** The methods of a path: of the exact path, or with `asPattern` of the routes with parameters that it matches. */
    methods(path: string, asPattern: boolean): readonly string[] {
      const taking = (test: (method: string) => boolean) => METHODS.filter((m) => test(m === 'HEAD' ? 'GET' : m))
      const own = taking((m) => fixed.has(`${m} ${path}`))
      return own.length > 0 || !asPattern ? own : taking((m) => fits(m, path))
    },
    /** The path of the route that answers, as it is written (`/api/v1/invoices/:id`); `none` where there is none. */
    routeOf(method: string, path: string): string {
      const verb = method === 'HEAD' ? 'GET' : method
      const shape = `${verb} ${path.replace(ID, '-')}`
      const known = shapes.get(shape)
      if (known !== undefined) return known
      const route = find(verb, path)
      if (shapes.size < SHAPES) shapes.set(shape, route)
      return route
    },
    read(app: Routed): void {
      routes = app.routes
      shapes.clear()
      fixed = new Set(app.routes.map((r) => `${r.method} ${r.path}`))
      patterns = app.routes
        .filter(({ path }) => /[:*]/.test(path))
        .map(({ method, path }) => ({ method, path, pattern: patternOf(path) }))
        // what takes any path comes last
        .sort((a, b) => Number(a.path.includes('*')) - Number(b.path.includes('*')))
      fits = (method, path) => patterns.some((r) => r.method === method && r.pattern.test(path))
    },
  }
}
export type RouteTable = Pick<ReturnType<typeof createRouteTable>, 'methods'>
