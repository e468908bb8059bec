// Requests made up from each route's own schemas: good ones, almost good ones and nasty ones, the same for the same seed.
import { Kind, type TSchema } from '@sinclair/typebox'
import { uuid } from './app.ts'
import type { Route } from './routes.ts'
import { seeded } from './seeded.ts'
import type { World } from './world.ts'

export type Made = {
  readonly as: string | undefined
  readonly line: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const NIL = '00000000-0000-0000-0000-000000000000'
const BIG = 'é'.repeat(40_000)
/** What people, scanners and broken clients send instead of what is asked for. */
const NASTY_TEXT = [
  '',
  ' ',
  '\u0000',
  'a\u202eb',
  '\u2066x\u2069',
  '\u200b',
  'e\u0301',
  '😀'.repeat(70),
  '\ud800',
  'x\udc00y',
  "'; drop table booking; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',

  '{{7*7}}',
  '__proto__',
  'constructor',
  'null',
  'true',
  '1e3',
  '0x10',
  'NaN',
  'x'.repeat(2_001),
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '9999-12-31T23:59:60Z',
  '2026-03-10T08:00:00',
  'urn:uuid:019cd6c2-8c00-70a1-8b9a-78c04e0842c8',
  '019CD6C2-8C00-70A1-8B9A-78C04E0842C8',
  '+',
  '+0000000',
  '+237 677123456',
  '\r\nX-Injected: 1',
] as const
const NASTY_JSON = [
  'null',
  'true',
  '[]',
  '{}',
  '[[[[[[[[[[]]]]]]]]]]',
  '""',
  '"1"',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '1e-400',
  '9007199254740991',
  '9007199254740992',
  '1000000000001',
  '2147483648',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
] as const
const NASTY_BODY = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '1',
  '{',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '\ud800',
  '{"__proto__":{"polluted":1}}',
  `{"a":${'['.repeat(500)}${']'.repeat(500)}}`,
  `{"a":"${BIG}"}`,
  'a=1&b=2',
  '<a/>',
] as const
const NASTY_PATH = [
  '%zz',
  '%00',
  '..%2f',
  '%E0%A4%A',
  'a%20b',
  '-',
  '1',
  'null',
  '019cd6c2-8c00',
  '%F0%9F%98%80',
] as const
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  '',
  ';',
] as const

type Shape = TSchema & {
  type?: string
  anyOf?: TSchema[]
  const?: unknown
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Ids that exist, by what they are of and whose. */
export type Pool = Record<string, string[]>
const KINDS: Readonly<Record<string, string>> = {
  properties: 'property',
  units: 'unit',
  tenants: 'tenant',
  bookings: 'booking',
  invoices: 'invoice',
  payments: 'payment',
  media: 'media',
  mediaObjectId: 'media',
  kyc: 'kyc',
  proofs: 'proof',
  verification: 'proof',
  ownerUserId: 'user',
  tenantUserId: 'user',
  actorUserId: 'user',
}
const kindOf = (name: string): string => KINDS[name] ?? name.replace(/Id$/, '')
const orgOf = (caller: string | undefined): string => caller?.split('~')[1] ?? ''
/** What a line's answer is one of: the last resource word of its path. */
export const kindOfLine = (line: string): string =>
  kindOf(
    line
      .split(/[ ?]/)[1]
      ?.match(
        /[a-z]+(?=(\/[0-9a-f-]{36})?(\/(publish|archive|restore|submit|activate|cancel|renew|terminate|reinstate|charges|confirm|reject|reverse|withdraw))?$)/,
      )?.[0] ?? '',
  )
export const poolOf = (worlds: readonly World[]): Pool =>
  Object.fromEntries(
    worlds.flatMap(
      ({ org, properties, units, tenants, bookings, invoices, payments, media, kyc, proofs, userIds, hers }) =>
        Object.entries({
          property: [...Object.values(properties), hers.property],
          unit: [...Object.values(units), hers.unit],
          tenant: [...Object.values(tenants), hers.tenant],
          booking: [...Object.values(bookings), hers.booking],
          invoice: [...Object.values(invoices), hers.invoice],
          payment: [...Object.values(payments), hers.payment],
          media: [...Object.values(media), hers.media],
          kyc: Object.values(kyc),
          proof: [...Object.values(proofs), hers.proof],
          user: Object.values(userIds),
        }).map(([kind, ids]) => [`${org}:${kind}`, ids]),
    ),
  )

/** A source of requests; it draws from the pool, which may grow meanwhile. */
export function createGenerator(seed: number, pool: Pool, callers: readonly string[], routes: readonly Route[]) {
  const { int, pick } = seeded(seed)
  const chance = (percent: number): boolean => int(1, 100) <= percent
  const of = <T>(items: readonly T[]): T => items[int(0, items.length - 1)] as T
  let as: string | undefined
  /** Mostly one that the caller may see, of the right kind. */
  function idFor(name: string): string {
    const own = pool[`${orgOf(as)}:${kindOf(name)}`]
    if (own && chance(85)) return of(own)
    return chance(70) ? of(of(Object.values(pool))) : of([NIL, uuid('nobody'), 'not-an-id'])
  }

  const day = (): string => new Date(Date.UTC(2026, 2, 10) + int(-500, 500) * 86_400_000).toISOString().slice(0, 10)
  function date(): string {
    if (chance(93)) return day()
    return of(['0001-01-01', '1970-01-01', '2024-02-29', '2026-12-31', '2100-02-28', '9999-12-01', '9999-12-31'])
  }
  function text({ minLength = 0, maxLength = 40 }: Shape): string {
    const length = of([
      minLength,
      Math.max(1, minLength),
      maxLength,
      int(minLength, Math.min(maxLength, minLength + 12)),
    ])
    return Array.from({ length }, () => of(['a', 'b', 'é', 'Z', '0', ' ', '😀', '%', "'", '‑'])).join('')
  }
  function number({ type, minimum = -1000, maximum = 1e12 }: Shape): number {
    if (type === 'number' && chance(50)) return minimum + ((maximum - minimum) * int(0, 1_000_000)) / 1_000_000
    return of([minimum, maximum, int(Math.ceil(minimum), Math.min(Math.floor(maximum), Math.ceil(minimum) + 200_000))])
  }
  /** JSON text of a value that the schema takes, most of the time. */
  function good(given: TSchema, name = ''): string {
    const s = given as Shape
    if (s[Kind] === 'QueryInteger') return JSON.stringify(String(number(s)))
    if (s[Kind] === 'Text') return JSON.stringify(text(s))
    if (s.const !== undefined) return JSON.stringify(s.const)
    if (s.anyOf) return good(of(s.anyOf), name)
    if (s.type === 'null') return 'null'
    if (s.type === 'boolean') return chance(50) ? 'true' : 'false'
    if (s.type === 'integer' || s.type === 'number') return String(number(s))
    if (s.type === 'array') {
      const length = int(s.minItems ?? 0, Math.min(s.maxItems ?? 3, 3))
      return `[${Array.from({ length }, () => good(s.items as TSchema)).join(',')}]`
    }
    if (s.format === 'uuid') return JSON.stringify(idFor(name))
    if (s.format === 'date') return JSON.stringify(date())
    if (s.format === 'date-time')
      return JSON.stringify(`${date()}T0${int(0, 9)}:00:00${of(['Z', '.123Z', '+01:00', '-23:59'])}`)
    if (s.pattern?.startsWith('^\\+')) return JSON.stringify(`+2376${String(int(0, 99_999_999)).padStart(8, '0')}`)
    if (s.type === 'string') return JSON.stringify(text(s))
    return object(s)
  }
  const nasty = (): string => (chance(50) ? of(NASTY_JSON) : JSON.stringify(of(NASTY_TEXT)))
  function object(s: Shape, spoil = 0): string {
    const members: string[] = []
    for (const [name, schema] of Object.entries(s.properties ?? {})) {
      const required = s.required?.includes(name)
      if (required ? chance(spoil) : chance(60)) continue
      members.push(`${JSON.stringify(name)}:${chance(spoil) ? nasty() : good(schema, name)}`)
    }
    if (chance(spoil))
      members.push(
        `${JSON.stringify(of(['orgId', 'status', 'version', '__proto__', 'constructor', ...NASTY_TEXT]))}:${nasty()}`,
      )
    return `{${members.join(',')}}`
  }
  function query(route: Route): string {
    if (!route.query || chance(30))
      return chance(3) ? `?${of(['access_token=x', '&&', '=', '%zz=%zz', 'a=1&a=2', '__proto__=1'])}` : ''
    const parts: string[] = []
    for (const [name, schema] of Object.entries((route.query as Shape).properties ?? {})) {
      if (!chance(25)) continue
      const value = chance(85) ? (JSON.parse(good(schema, name)) as unknown) : of(NASTY_TEXT)
      const write = (v: unknown): string => `${name}=${encodeURIComponent(String(v).toWellFormed())}`
      parts.push(write(value))
      if (chance(2)) parts.push(write(value))
    }
    return parts.length > 0 ? `?${parts.join('&')}` : ''
  }
  function headers(body: boolean): Record<string, string> {
    const out: Record<string, string> = {}
    if (body) out['content-type'] = chance(95) ? 'application/json' : of(TYPES)
    if (chance(10)) out['idempotency-key'] = of(['k1', 'k2', 'k3', 'x'.repeat(255), 'x'.repeat(256), 'a b', '', 'é'])
    if (chance(5)) out['if-match'] = of(['*', '"x"', 'W/"x"', '', '"', ',,,'])
    if (chance(5)) out['if-none-match'] = of(['*', '"x"', 'W/"x"', '', ','])
    if (chance(3)) out['x-request-id'] = of(['abcdefgh', 'x'.repeat(129), '../..', 'é'])
    if (chance(3)) out['accept-language'] = of(['fr', 'en;q=0', '*', ',,;;', 'x'.repeat(1_000)])
    if (chance(2)) out.origin = of(['https://app.example.cm', 'null', ''])
    if (chance(2)) out['x-forwarded-for'] = of(['1.2.3.4', 'x', ',', '::1, 10.0.0.1'])
    return out
  }

  /** The next request of this seed. */
  return (): Made => {
    const route = of(routes)
    const method = chance(97) ? route.method : pick(METHODS)
    as = chance(98) ? of(callers) : of([undefined, 'nobody!', 'GUEST.gus'])
    const id = chance(95) ? idFor(route.path.match(/(\w+)\/:/)?.[1] ?? '') : of(NASTY_PATH)
    const path = route.path.replace(/:\w+/, id) + (chance(1) ? of(['//', '/x', '%2f', '.']) : '')
    const bodied = method !== 'GET'
    const spoil = of([0, 0, 5, 30])
    const body = !bodied
      ? undefined
      : chance(4)
        ? of(NASTY_BODY)
        : route.body
          ? object(route.body as Shape, spoil)
          : undefined
    return { as, line: `${method} ${path}${query(route)}`, body, headers: headers(body !== undefined) }
  }
}
