import { hash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { assets } from './assets.gen.ts'
import { assetText, negotiate } from './serve.ts'

export type Entry = 'console' | 'portal'

/**
 * The pages' Content-Security-Policy: their own files, the one inline script by its hash, the API, and
 * an external identity provider if there is one.
 */
const policy = (text: string, issuer: string, publicUrl: string): string =>
  [
    "default-src 'none'",
    `script-src 'self'${Array.from(text.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, script = '']) => ` 'sha256-${hash('sha256', script, 'base64')}'`).join('')}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${issuer.startsWith(`${publicUrl}/`) ? '' : ` ${new URL(issuer).origin}`}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html loyer-worker',
  ].join('; ')

/**
 * The HTML page of an entry, the same for all of its addresses; undefined where the pages were not built (`npm run
 * ui`). `own`: the provider is Loyer's, not a Keycloak; `sends`: messages leave this server by themselves. `isKnown` evaluates the request's conditional headers.
 */
export function createShell(
  entry: Entry,
  { issuer, own, sends }: { readonly issuer: string; readonly own: boolean; readonly sends: boolean },
  publicUrl: string,
  isKnown: (headers: Headers, etag: string) => boolean,
): ((request: Request) => Response) | undefined {
  const name = `ui/${entry}/index.html`
  const type = assets[name]?.type
  if (type === undefined) return undefined
  const text = assetText(name)
    .replaceAll('{{issuer}}', issuer)
    .replaceAll('{{provider}}', own ? 'own' : 'other')
    // Said only where it is so: most pages have no byte to spare for it.
    .replace('<meta name="issuer"', `<meta${sends ? '' : ' data-mute'} name="issuer"`)
  // weak: one for all encodings
  const etag = `W/"${hash('sha256', text, 'hex').slice(0, 16)}"`
  const headers = {
    'cache-control': 'no-cache',
    'content-security-policy': policy(text, issuer, publicUrl),
    'content-type': type,
    // On plain http browsers log a warning about this header.
    ...(publicUrl.startsWith('https:') ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
    'referrer-policy': 'same-origin',
    // The console asks for the device's location when a property's place is entered.
    'permissions-policy': `camera=(), geolocation=${entry === 'console' ? '(self)' : '()'}, microphone=()`,
    etag,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  }
  const encoded = {
    br: once(() => new Uint8Array(brotliCompressSync(text))),
    gzip: once(() => new Uint8Array(gzipSync(text))),
    identity: () => text,
  }
  return (request) => {
    if (isKnown(request.headers, etag)) return new Response(null, { status: 304, headers })
    const encoding = negotiate(request.headers.get('accept-encoding'))
    const coding = encoding === 'identity' ? {} : { 'content-encoding': encoding }
    return new Response(encoded[encoding](), { headers: { ...headers, ...coding } })
  }
}

const once = <T>(make: () => T): (() => T) => {
  let cached: T | undefined
  return () => {
    cached ??= make()
    return cached
  }
}
