import { Elysia } from 'elysia'
import type { Config } from '../config.ts'
import { edgeOf } from './request.ts'

const SECURITY_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** The headers common to all answers, errors too. */
export function headers({ config }: { config: Pick<Config, 'publicUrl'> }) {
  const common: Record<string, string> = {
    ...SECURITY_HEADERS,
    vary: 'Authorization, Accept-Encoding',
    ...(config.publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
  return new Elysia({ name: 'headers' }).onRequest(({ request, set }) => {
    set.headers = { ...common, 'x-request-id': edgeOf(request).requestId }
  })
}
