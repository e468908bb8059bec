import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { accepted } from '../core/encodings.ts'
import { type Asset, assets } from './assets.gen.ts'

type Encoding = 'br' | 'gzip' | 'identity'

const hashed = /^(.+)\.([0-9a-f]{16})(\.[^./]+)$/
const bodies = new Map<string, Uint8Array<ArrayBuffer>>()

/** An asset's path with its content hash, for long caching: `docs/init.js` → `/docs/init.0123456789abcdef.js`. */
export const assetPath = (name: string): string => {
  const asset = assets[name]
  if (asset === undefined) throw new Error(`No asset ${name}`)
  const dot = name.lastIndexOf('.')
  return `/${name.slice(0, dot)}.${asset.hash}${name.slice(dot)}`
}

/** The compiled binary embeds the bytes as a file (scripts/build.ts): as text they would take 2.7 times the space. */
const packedOf = ({ br, file }: Asset): Uint8Array<ArrayBuffer> =>
  new Uint8Array(file === undefined ? Buffer.from(br, 'base64') : readFileSync(file))

/** The bytes of an embedded file. */
export const assetBytes = (name: string): Uint8Array<ArrayBuffer> => {
  const asset = assets[name]
  if (asset === undefined) throw new Error(`No asset ${name}`)
  return new Uint8Array(brotliDecompressSync(packedOf(asset)))
}
/** The text of an embedded file. */
export const assetText = (name: string): string => new TextDecoder().decode(assetBytes(name))

/** Decompressed on first use and cached: there are few files, each requested in one or two encodings. */
const body = (name: string, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined => {
  const asset = assets[name]
  if (asset === undefined) return undefined
  const key = `${encoding} ${name}`
  let bytes = bodies.get(key)
  if (bytes === undefined) {
    const packed = packedOf(asset)
    const plain = () => brotliDecompressSync(packed)
    bytes = encoding === 'br' ? packed : new Uint8Array(encoding === 'gzip' ? gzipSync(plain()) : plain())
    bodies.set(key, bytes)
  }
  return bytes
}

/** The best encoding that the client accepts; identity if it refuses both (RFC 9110 12.5.3). */
export const negotiate = (header: string | null): Encoding => {
  const { br, gzip } = accepted(header)
  if (br) return 'br'
  return gzip ? 'gzip' : 'identity'
}

/**
 * An embedded file by its name (`docs/init.js`), with or without its hash; undefined for an unknown file. `isKnown`
 * evaluates the request's conditional headers. A hashed name is cached for a year, a plain one is revalidated each
 * time.
 */
export const assetResponse = (
  path: string,
  request: Request,
  isKnown: (headers: Headers, etag: string) => boolean,
): Response | undefined => {
  const [, stem, hash, extension] = hashed.exec(path) ?? []
  const named = Object.hasOwn(assets, path) ? path : `${stem}${extension}`
  const asset = Object.hasOwn(assets, named) ? assets[named] : undefined
  // An outdated hash answers 404: a page of an earlier release must not run this release's script.
  if (asset === undefined || (named !== path && hash !== asset.hash)) return undefined
  const encoding = negotiate(request.headers.get('accept-encoding'))
  const etag = `"${asset.hash}-${encoding}"`
  const headers = new Headers({
    // The bundler already puts a hash into the names below assets/.
    'cache-control':
      named === path && !path.startsWith('ui/assets/') ? 'public, no-cache' : 'public, max-age=31536000, immutable',
    'content-type': asset.type,
    etag,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  if (isKnown(request.headers, etag)) return new Response(null, { status: 304, headers })
  const bytes = body(named, encoding)
  if (bytes === undefined) return undefined
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(bytes.length))
  return new Response(bytes, { headers })
}
