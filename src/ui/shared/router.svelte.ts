// Addresses and pages of one entry: lazy pages, the browser's own history.
import type { Component } from 'svelte'
import type { Role } from './session.ts'

type Loaded = { readonly default: Component }
/** A page that is there at once, or one that is fetched when it is needed; `roles` whom it is for, everybody if not given. */
export type Route = ({ readonly page: Component } | { readonly load: () => Promise<Loaded> }) & {
  readonly roles?: readonly Role[]
}
/** What a folder of pages answers for: `/invoices/:id` → its page. */
export type Routes = Readonly<Record<`/${string}`, Route>>

type Names<P extends string> = P extends `${string}:${infer N}/${infer R}`
  ? N | Names<R>
  : P extends `${string}:${infer N}`
    ? N
    : never
type Params<P extends string> = [Names<P>] extends [never] ? [] : [params: Readonly<Record<Names<P>, string>>]

/** A part of an address that was cut or mistyped stays as it is: the server knows nothing by that name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Addresses and history of one entry. The pages come by `serve`, from a file that no page imports: a circle of imports
 * would end hot reload.
 */
export function createRouter(base: string) {
  let url = $state.raw(new URL(location.href))
  let current = $state.raw<Component>()
  let route = $state.raw<Route>()
  let missing = $state(false)
  let failed = $state(false)
  let params = $state.raw<Readonly<Record<string, string>>>({})
  let table: { readonly path: string; readonly pattern: RegExp; readonly route: Route }[] = []
  let turn = 0

  const fetched = async (to: Route): Promise<Component> => ('page' in to ? to.page : (await to.load()).default)

  const find = (pathname: string) => table.find(({ pattern }) => pattern.test(pathname))
  async function load(pathname: string) {
    const entry = find(pathname)
    const component = entry && (await fetched(entry.route))
    return { component, entry, match: entry?.pattern.exec(pathname) ?? null }
  }

  async function show(): Promise<void> {
    turn += 1
    const mine = turn
    const next = new URL(location.href)
    const loaded = await load(next.pathname).catch((error) => {
      // the error of a page file that could not be fetched
      if (!(error instanceof TypeError)) throw error
    })
    // the person went to another page while this one was loading
    if (mine !== turn) return
    failed = loaded === undefined
    const { component, entry, match } = loaded ?? {}
    const moved = route !== undefined && next.pathname !== url.pathname
    // an unused answer for another address would be outdated
    if (next.pathname !== url.pathname) globalThis.loyer.ahead = undefined
    url = next
    params = Object.fromEntries(Object.entries(match?.groups ?? {}).map(([name, value]) => [name, decoded(value)]))
    current = component
    missing = component === undefined && !failed
    route = entry?.route
    if (moved) document.getElementById('main')?.focus({ preventScroll: true })
  }

  async function go(href: string, { replace = false } = {}): Promise<void> {
    history[replace ? 'replaceState' : 'pushState'](null, '', href)
    const { pathname } = url
    await show()
    if (url.pathname !== pathname) scrollTo(0, 0)
  }

  /** Handles a plain press on a link of this entry; the browser handles new tabs, other sites and downloads. */
  function press(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const to = new URL(link.href)
    const ours = to.origin === location.origin && (to.pathname === base || to.pathname.startsWith(`${base}/`))
    if (!ours || (to.hash && to.pathname === location.pathname)) return
    event.preventDefault()
    void go(to.href)
  }

  return {
    /** The page to show; undefined where the address is none, and before the first is shown. */
    get page(): Component | undefined {
      return current
    },
    /** Whether the address is none of this entry. */
    get missing(): boolean {
      return missing
    },
    /** Whether the page could not be fetched: there is no network, or a server that starts. */
    get failed(): boolean {
      return failed
    },
    retry: show,
    /** Whom the page is for. */
    get roles(): readonly Role[] | undefined {
      return route?.roles
    },
    get path(): string {
      return url.pathname.slice(base.length) || '/'
    },
    get search(): URLSearchParams {
      return url.searchParams
    },
    param: (name: string): string => params[name] ?? '',
    /** The address of a page: `href('/invoices/:id', { id })`. */
    href: <P extends `/${string}`>(path: P, ...[values]: Params<P>): string =>
      base +
      ((path as string) === '/'
        ? ''
        : path.replace(/:(\w+)/g, (_, name: string) =>
            encodeURIComponent((values as Record<string, string>)[name] ?? ''),
          )),
    go,
    /** Takes the pages, and fetches the one that is asked for. */
    serve(all: Routes): Promise<unknown> {
      table = Object.entries(all).map(([path, to]) => ({
        path,
        pattern: new RegExp(`^${base}${path === '/' ? '' : path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`),
        route: to,
      }))
      // `/bookings/new` before `/bookings/:id`
      table.sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
      // the first show reports a page that cannot be fetched
      return load(location.pathname).catch(() => undefined)
    },
    /** The same page with other words after the question mark; undefined takes one away. */
    query(change: Readonly<Record<string, string | undefined>>, options?: { replace?: boolean }): Promise<void> {
      const next = new URL(location.href)
      for (const [name, value] of Object.entries(change))
        if (value === undefined || value === '') next.searchParams.delete(name)
        else next.searchParams.set(name, value)
      return go(next.href, options)
    },
    /** Begins to follow addresses; once, by the entry's App. */
    listen(): () => void {
      const again = (): void => void (failed && show())
      addEventListener('popstate', show)
      addEventListener('online', again)
      document.addEventListener('click', press)
      // a task of its own: the frame and its page, made in one, would hold up a slow processor
      setTimeout(show)
      return () => {
        removeEventListener('popstate', show)
        removeEventListener('online', again)
        document.removeEventListener('click', press)
      }
    },
  }
}
