import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { isKnown } from '../../../http/cache.ts'
import type { Http } from '../../../http/routes.ts'
import { assetResponse } from '../../../web/serve.ts'
import { createShell, type Entry } from '../../../web/shell.ts'

const MANIFEST = JSON.stringify({
  id: '/portal',
  name: 'Loyer',
  short_name: 'Loyer',
  start_url: '/portal',
  scope: '/portal',
  display: 'standalone',
  lang: 'fr',
  background_color: '#f5f7f8',
  theme_color: '#0f766e',
  icons: [
    { src: '/ui/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/ui/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/ui/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/ui/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
})

/** The console and the portal: each serves one page for all of its addresses, and its assets. */
export function pages({ config, embedded }: Deps, http: Http) {
  const provider = { issuer: embedded?.issuer ?? `${config.authUrl}/realms/svc`, own: embedded !== undefined }
  const host = new URL(config.publicUrl).host
  const hidden = { access: 'public', detail: { hide: true } } as const
  const shells: Record<Entry, ReturnType<typeof createShell>> = {
    console: createShell('console', provider, config.publicUrl, isKnown),
    portal: createShell('portal', provider, config.publicUrl, isKnown),
  }
  const show =
    (entry: Entry) =>
    ({ request }: { request: Request }) => {
      const { pathname, search } = new URL(request.url)
      const shell = shells[entry]
      // A path with a dot is a file; if it is missing, the page must not be served instead.
      if (shell === undefined || pathname.includes('.')) throw notFound()
      // Sign-in returns to PUBLIC_URL, where a page opened on another host could not read its stored state.
      if ((request.headers.get('host') ?? host) !== host)
        return new Response(null, { status: 302, headers: { location: `${config.publicUrl}${pathname}${search}` } })
      return shell(request)
    }
  const file = (name: string, request: Request): Response => {
    const found = assetResponse(name, request, isKnown)
    if (found === undefined) throw notFound()
    return found
  }
  return new Elysia()
    .use(http)
    .get('/ui/*', ({ params, request }) => file(`ui/${params['*']}`, request), hidden)
    .get(
      '/portal/sw.js',
      ({ request }) => {
        const script = file('ui/portal/sw.js', request)
        // Without this the worker's scope is /portal/ only, and the usual CSP would forbid it to fetch.
        script.headers.set('service-worker-allowed', '/portal')
        script.headers.set('content-security-policy', "default-src 'none'; connect-src 'self'")
        return script
      },
      hidden,
    )
    .get(
      '/portal/manifest.webmanifest',
      () =>
        new Response(MANIFEST, {
          headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
        }),
      hidden,
    )
    .get('/console', show('console'), hidden)
    .get('/console/*', show('console'), hidden)
    .get('/portal', show('portal'), hidden)
    .get('/portal/*', show('portal'), hidden)
}
