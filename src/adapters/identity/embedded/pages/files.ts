import { gzipSync } from 'node:zlib'
import { PASSKEY_SCRIPT } from '../factors/passkey-script.ts'
import { PATHS } from '../paths.ts'
import { ICON, STYLE } from './style.ts'

/** gzip where the client names it, unless with a weight of zero. */
const takesGzip = (request: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q\s*=\s*0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get('accept-encoding') ?? '')

/** A file that never changes while the server runs: packed once, for slow networks. */
function fileOf(text: string, type: string, seconds: number): (request: Request) => Response {
  const packed = new Uint8Array(gzipSync(text))
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': `public, max-age=${seconds}`,
    'access-control-allow-origin': '*',
    vary: 'Accept-Encoding',
  }
  return (request) => {
    const body = request.method === 'HEAD' ? null : takesGzip(request) ? packed : text
    return new Response(body, { headers: takesGzip(request) ? { ...headers, 'content-encoding': 'gzip' } : headers })
  }
}

/** What the sign-in pages consist of beside their HTML, by path. */
export const FILES: Readonly<Record<string, (request: Request) => Response>> = {
  [PATHS.style]: fileOf(STYLE, 'text/css', 3600),
  [PATHS.passkeys]: fileOf(PASSKEY_SCRIPT, 'text/javascript', 3600),
  [PATHS.icon]: fileOf(ICON, 'image/svg+xml', 86_400),
}
