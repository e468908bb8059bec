import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Elysia } from 'elysia'
import { accepted } from '../../../core/encodings.ts'
import { ROLES, type Role } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { isKnown } from '../../../http/etag.ts'
import { createForms, PAGE, seeOther } from '../../../http/forms.ts'
import { languageChosen, languageOf } from '../../../http/language.ts'
import { edgeOf } from '../../../http/request.ts'
import type { Http } from '../../../http/routes.ts'
import { docsPage } from '../../../web/docs.ts'
import { demoPage } from '../../../web/doors/demo.ts'
import { handbookPage } from '../../../web/handbook.ts'
import { assetResponse } from '../../../web/serve.ts'
import { createShell, type Entry } from '../../../web/shell.ts'
import { webhooks } from '../../data/events/model.ts'
import { messagingOf } from '../../people/organizations/rules.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { fullNameOf } from '../../people/users/rules.ts'
import { peopleOf } from './store.ts'

type Encoded = {
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

function encode(document: object): Encoded {
  const plain = new TextEncoder().encode(JSON.stringify(document))
  const etag = hash('sha256', plain, 'base64url').slice(0, 22)
  return { etag, plain, gzip: new Uint8Array(gzipSync(plain)) }
}

/**
 * The OpenAPI document, the page that shows it, and the handbook. `app` has the routes; it is read at the first
 * request, when all are registered.
 */
export function docs(deps: Deps, http: Http, app: Pick<Elysia, 'routes'>) {
  let document: Promise<Encoded> | undefined
  const hidden = { access: 'public', detail: { hide: true } } as const
  const handbook = (chapter: string, request: Request): Response => {
    const language = languageChosen(request) ?? languageOf(request, deps.config.locale)
    const page = handbookPage(chapter, language, request, isKnown)
    if (!page) throw notFound()
    return page
  }
  return new Elysia()
    .use(http)
    .get(
      '/openapi.json',
      async ({ request, set }) => {
        // Loaded on demand, because the plugin brings in a large part of the program.
        document ??= import('../../../http/openapi/document.ts')
          .then(({ documentOf }) => documentOf(app.routes, deps.config, webhooks))
          .then(encode)
        const { etag, plain, gzip } = await document
        const packed = accepted(request.headers.get('accept-encoding')).gzip
        const tag = `"${etag}${packed ? '-gzip' : ''}"`
        const headers: Record<string, string> = { etag: tag, vary: String(set.headers.vary) }
        if (isKnown(request.headers, tag)) return new Response(null, { status: 304, headers })
        headers['content-type'] = 'application/json; charset=utf-8'
        if (packed) headers['content-encoding'] = 'gzip'
        return new Response(packed ? gzip : plain, { headers })
      },
      hidden,
    )
    .get('/docs', () => docsPage(), hidden)
    .get('/docs/handbook', ({ request }) => handbook('index', request), hidden)
    .get('/docs/handbook/:chapter', ({ params, request }) => handbook(params.chapter, request), hidden)
    .get(
      '/docs/*',
      ({ params, request }) => {
        const asset = assetResponse(`docs/${params['*']}`, request, isKnown)
        if (!asset) throw notFound()
        return asset
      },
      hidden,
    )
}

const entryOf = (roles: readonly string[]): string =>
  roles.length > 0 && roles.every((role) => role === 'TENANT') ? '/portal' : '/console'
/** The role that shows most. */
const highest = (roles: readonly string[]): Role => ROLES.findLast((role) => roles.includes(role)) ?? 'TENANT'

/** The product's own address, which leads everybody to their place, and the page of a sandbox that offers its people. */
export function front(deps: Deps, http: Http) {
  const { embedded, config, db, setup } = deps
  const forms = createForms(config)
  const people = () => {
    const org = operatorOrganization(db)
    return org === undefined ? [] : peopleOf(db).all({ orgId: org.id })
  }

  /** Where somebody belongs: by the session of their browser; without one it leads to sign-in. */
  async function placeOf(request: Request): Promise<string> {
    if (setup?.isOpen()) return '/setup'
    if (!embedded) return '/console'
    const visitor = request.headers.has('cookie') ? await embedded.visitor(request, edgeOf(request).address) : null
    if (visitor) return entryOf(visitor.roles)
    return config.sandbox ? '/demo' : '/console'
  }

  const routes = new Elysia()
    .use(http)
    .get(
      '/',
      async ({ request }) =>
        forms.elsewhere(request) ??
        new Response(null, { status: 302, headers: { location: await placeOf(request), 'cache-control': 'no-store' } }),
      { access: 'public', detail: { summary: 'The front page', operationId: 'home', hide: true } },
    )
  if (!config.sandbox || !embedded) return routes
  return routes
    .get(
      '/demo',
      ({ request }) => {
        const { locale, lang } = forms.languageOf(request)
        const accounts = people().map(({ id, roles, limited, ...names }) => ({
          ...{ id, name: fullNameOf(names) },
          role: limited ? ('CARETAKER' as const) : highest(roles),
        }))
        return forms.elsewhere(request) ?? demoPage(locale, lang, accounts, config.resetMs)
      },
      PAGE,
    )
    .post(
      '/demo',
      async ({ request }) => {
        const { address } = edgeOf(request)
        const fields = await forms.fieldsOf(request)
        const person = people().find(({ id }) => id === fields('person'))
        if (!person) throw notFound()
        const cookies = await embedded.beginSession(request, address, person.id, ['pwd'])
        return seeOther(entryOf(person.roles), cookies)
      },
      PAGE,
    )
}

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
export function pages({ config, embedded, messenger }: Deps, http: Http) {
  const { sends } = messagingOf({ config, messenger })
  const facts = { issuer: embedded?.issuer ?? `${config.authUrl}/realms/svc`, own: embedded !== undefined, sends }
  const host = new URL(config.publicUrl).host
  const hidden = { access: 'public', detail: { hide: true } } as const
  const shells: Record<Entry, ReturnType<typeof createShell>> = {
    console: createShell('console', facts, config.publicUrl, isKnown),
    portal: createShell('portal', facts, config.publicUrl, isKnown),
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
    const asset = assetResponse(name, request, isKnown)
    if (asset === undefined) throw notFound()
    return asset
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
