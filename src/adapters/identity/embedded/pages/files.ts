import { gzipSync } from 'node:zlib'
import { accepted } from '../../../../core/encodings.ts'
import { PASSKEY_SCRIPT } from '../factors/passkey-script.ts'
import { PATHS } from '../paths.ts'
import { ICON, STYLE } from './style.ts'

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
    const { gzip } = accepted(request.headers.get('accept-encoding'))
    const body = request.method === 'HEAD' ? null : gzip ? packed : text
    return new Response(body, { headers: gzip ? { ...headers, 'content-encoding': 'gzip' } : headers })
  }
}

/** What the sign-in pages consist of beside their HTML, by path. */
export const FILES: Readonly<Record<string, (request: Request) => Response>> = {
  [PATHS.style]: fileOf(STYLE, 'text/css', 3600),
  [PATHS.passkeys]: fileOf(PASSKEY_SCRIPT, 'text/javascript', 3600),
  [PATHS.icon]: fileOf(ICON, 'image/svg+xml', 86_400),
}
