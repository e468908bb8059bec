import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'

type Options = { readonly name: string; readonly path: string; readonly seconds: number }

/** A cookie that stores a form's steps: signed, so that nobody can forge it, and valid for a limited time. */
export function createSignedCookie<T extends object>(
  { masterKey, clock, config }: Pick<Deps, 'masterKey' | 'clock' | 'config'>,
  { name, path, seconds }: Options,
) {
  const key = createHmac('sha256', masterKey).update(`loyer form ${name}`).digest()
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const line = (value: string, age: number): string =>
    `${name}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Lax${config.publicUrl.startsWith('https:') ? '; Secure' : ''}`
  return {
    read({ headers }: Request): T | undefined {
      const all = headers.get('cookie') ?? ''
      const [, text = '', signature = ''] =
        new RegExp(`(?:^|; )${name}=([\\w-]+)\\.([\\w-]{43})(?:;|$)`).exec(all) ?? []
      const [a, b] = [Buffer.from(sign(text)), Buffer.from(signature)]
      if (a.length !== b.length || !timingSafeEqual(a, b)) return undefined
      // A value with this server's signature was written by `put`.
      const { until, value } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { until: number; value: T }
      return until > clock.wall() ? value : undefined
    },
    /** A Set-Cookie header. */
    put(value: T): string {
      const until = clock.wall() + seconds * 1000
      const text = Buffer.from(JSON.stringify({ until, value })).toString('base64url')
      return line(`${text}.${sign(text)}`, seconds)
    },
    drop: (): string => line('', 0),
  }
}
