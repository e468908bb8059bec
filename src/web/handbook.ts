import { assetResponse } from './serve.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  // An empty icon stops browsers from requesting one.
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * GET /docs/handbook/{chapter}: a chapter in the requested language, or in English where there is no translation;
 * `index` lists the chapters. Undefined for an unknown chapter. `isKnown` evaluates the request's conditional headers.
 */
export function handbookPage(
  chapter: string,
  language: 'fr' | 'en',
  request: Request,
  isKnown: (headers: Headers, etag: string) => boolean,
): Response | undefined {
  if (!/^[a-z-]+$/.test(chapter)) return undefined
  for (const written of new Set([language, 'en'])) {
    const page = assetResponse(`handbook/${written}/${chapter}.html`, request, isKnown)
    if (!page) continue
    page.headers.set('content-language', written)
    page.headers.set('content-security-policy', POLICY)
    page.headers.set('referrer-policy', 'no-referrer')
    page.headers.append('vary', 'Accept-Language')
    return page
  }
  return undefined
}
