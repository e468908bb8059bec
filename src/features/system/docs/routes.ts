import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Elysia } from 'elysia'
import { accepted } from '../../../core/encodings.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { isKnown } from '../../../http/cache.ts'
import { languageChosen, languageOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { docsPage } from '../../../web/docs.ts'
import { handbookPage } from '../../../web/handbook.ts'
import { assetResponse } from '../../../web/serve.ts'

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
          .then(({ documentOf }) => documentOf(app.routes, deps.config))
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
