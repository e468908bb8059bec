// The rows of the table: the request, its server, and the server that it is compared with.
import { MIDDLE } from './fill.ts'
import { idOf } from './ids.ts'
import type { Target } from './load.ts'

export type Server = { readonly port: number; readonly pid: number }
export type Row = {
  readonly name: string
  readonly against: string
  /** The least ratio that is good enough; undefined where none was set. */
  readonly bar?: number
  readonly one: Target
  readonly other: Target
  readonly connections?: number
  /** Where the disk is waited for, the clock counts; elsewhere the server's processor time. */
  readonly byClock?: boolean
  /** The first row that its servers answer: their code is compiled meanwhile, a large program's for some seconds. */
  readonly cold?: boolean
}

export const BIG = idOf('organization', 0)
const LIST = '/api/v1/invoices'

type Head = Readonly<Record<string, string>>
const request = (port: number, path: string, head: Head = {}, method = 'GET', body = ''): string =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(head).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n')

const get = (server: Server, path: () => string, head: Head = {}, status = 200): Target => ({
  port: server.port,
  pid: server.pid,
  status,
  next: () => request(server.port, path(), head),
})

/** The same things in turn, for ever. */
function inTurn<T>(list: readonly T[]): () => T {
  let i = 0
  return () => list[i++ % list.length] as T
}

let requests = 0
/** Unknown parameters are ignored, but the cache of encoded answers goes by the whole query: each number is a new list. */
const fresh = (query = ''): string => `${LIST}?n=${requests++}${query === '' ? '' : `&${query}`}`

export type Tokens = Readonly<Record<'admin' | 'owner' | 'tenant' | 'small' | 'middle', string>>
export type World = { readonly loyer: Server; readonly bare: Server; readonly tokens: Tokens; readonly pages: Pages }
/** Where each page of the large organization's list of 50 begins, page 2 first. */
export type Pages = readonly { readonly cursor: string; readonly after: string }[]

const as = (token: string): Head => ({ Authorization: `Bearer ${token}` })

/** Walks the list to its end, as a client does: 2,000 pages. */
export async function walk(loyer: Server, token: string): Promise<Pages> {
  const pages: { cursor: string; after: string }[] = []
  let path: string | undefined = `${LIST}?limit=50`
  while (path !== undefined) {
    const answer: Response = await fetch(`http://127.0.0.1:${loyer.port}${path}`, { headers: as(token) })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    const rows = (await answer.json()) as { id: string }[]
    const cursor = /[?&]cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '')?.[1]
    path = cursor && `${LIST}?limit=50&cursor=${cursor}`
    if (cursor !== undefined) pages.push({ cursor, after: rows.at(-1)?.id ?? '' })
  }
  return pages
}

/** The list's ETag as it stands. */
async function etagOf(loyer: Server, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${loyer.port}${LIST}`, { headers: as(token) })
  await answer.arrayBuffer()
  return answer.headers.get('etag') ?? ''
}

export async function readRows({ loyer, bare, tokens, pages }: World): Promise<Row[]> {
  const admin = as(tokens.admin)
  const list = (query = '', who = admin) => get(loyer, () => fresh(query), who)
  const some = pages.filter((_, i) => i % 10 === 0)
  const cursors = inTurn(some)
  const afters = inTurn(some)
  const ids = pages.map((p) => p.after)
  const [mine, theirs] = [inTurn(ids), inTurn(ids)]
  // One page, as the first is: other rows would come from memory that no request has just read.
  const deep = pages.at(-1)?.cursor
  const head = { ...admin, 'If-None-Match': await etagOf(loyer, tokens.admin) }
  const firstPage = 'page 1'
  return [
    {
      name: 'list of 50, not in the cache',
      against: 'bare Bun.serve + .all + JSON.stringify',
      bar: 0.8,
      cold: true,
      one: get(loyer, () => fresh(`limit=50&cursor=${cursors().cursor}`), admin),
      other: get(bare, () => `/list/${afters().after}`),
    },
    {
      name: 'the same list again, nothing changed (200)',
      against: 'the same',
      bar: 4,
      one: get(loyer, () => LIST, admin),
      other: get(bare, () => '/list'),
    },
    {
      name: 'single resource',
      against: 'the same, one row',
      bar: 0.7,
      one: get(loyer, () => `${LIST}/${mine()}`, admin),
      other: get(bare, () => `/one/${theirs()}`),
    },
    {
      name: 'single resource, not in the cache',
      against: 'the same',
      one: get(loyer, () => `${LIST}/${mine()}?n=${requests++}`, admin),
      other: get(bare, () => `/one/${theirs()}`),
    },
    {
      name: 'conditional list (304)',
      against: 'the list, not in the cache',
      bar: 8,
      one: get(loyer, () => LIST, head, 304),
      other: list(),
    },
    {
      name: 'page 2,000',
      against: firstPage,
      bar: 0.8,
      one: get(loyer, () => fresh(`limit=50&cursor=${deep}`), admin),
      other: list(),
    },
    {
      name: 'organization of 100,000 rows',
      against: 'organization of 100 rows',
      bar: 0.7,
      one: list(),
      other: list('', as(tokens.small)),
    },
    ...FILTERS.map(([name, query, who]) => ({
      name: `filter ${name}`,
      against: firstPage,
      bar: 0.5,
      one: list(query, as(tokens[who ?? 'admin'])),
      other: list(),
    })),
  ]
}

/** The generated name of the tenant of the lease `n`, in turn for each of `count` leases from `first` on. */
function namesFrom(first: number, count: number): () => string {
  const n = inTurn(Array.from({ length: count }, (_, i) => first + i))
  return () => `ngo%20mbarga%20${n()}`
}

type Searched = Pick<World, 'loyer' | 'bare' | 'tokens'> & { readonly few: Server }
/** `few`: the service on the small database. */
export function searchRows({ loyer, few, bare, tokens }: Searched): Row[] {
  const searching = (server: Server, token: string, name: () => string) =>
    get(server, () => `/api/v1/search?q=${name()}`, as(token))
  const bigName = namesFrom(0, 2_000)
  const bareName = namesFrom(0, 2_000)
  return [
    {
      name: 'search of a tenant by name, among 1,000,000 invoices',
      against: 'the same organization among 10,000',
      bar: 0.67,
      cold: true,
      one: searching(loyer, tokens.middle, namesFrom(2_002, MIDDLE.leases)),
      other: searching(few, tokens.middle, namesFrom(2, MIDDLE.leases)),
    },
    {
      name: 'search of a tenant by name, 2,000 leases',
      against: 'bare LIKE over the organization',
      bar: 1,
      one: searching(loyer, tokens.admin, bigName),
      other: get(bare, () => `/search/${bareName()}`),
    },
  ]
}

/** A report of a few hundred lines, which nobody should wait for longer than for a list. */
export const reportRow = ({ loyer, bare, tokens }: Pick<World, 'loyer' | 'bare' | 'tokens'>): Row => ({
  name: 'rent roll of 200 leases',
  against: 'the same rows by bare Bun',
  bar: 0.67,
  cold: true,
  one: get(loyer, () => '/api/v1/reports/rent-roll?from=2024-01-01&to=2024-01-31', as(tokens.middle)),
  other: get(bare, () => '/rent-roll/2024-01-01/2024-01-31'),
})

const SEEN_AT_ONCE = 50
/** Many people in turn beside four, each with a list that no request has asked for: what knowing so many costs. */
export async function tokensRow(name: string, loyer: Server, all: readonly string[]): Promise<Row> {
  // A token is verified once, when it is first seen.
  for (let i = 0; i < all.length; i += SEEN_AT_ONCE)
    await Promise.all(
      all.slice(i, i + SEEN_AT_ONCE).map(async (token) => {
        const answer = await fetch(`http://127.0.0.1:${loyer.port}/api/v1/properties`, { headers: as(token) })
        if (answer.status !== 200) throw new Error(`a person's list: ${answer.status}`)
        await answer.arrayBuffer()
      }),
    )
  const asking = (tokens: readonly string[]): Target => {
    const next = inTurn(tokens)
    return {
      port: loyer.port,
      pid: loyer.pid,
      status: 200,
      next: () => request(loyer.port, `/api/v1/properties?n=${requests++}`, as(next())),
    }
  }
  return { name, against: 'four people', bar: 0.7, cold: true, one: asking(all), other: asking(all.slice(0, 4)) }
}

const LEASE = idOf('booking', 0)
/** Each answers 50 rows of the 100,000. */
const FILTERS: readonly (readonly [name: string, query: string, who?: keyof Tokens])[] = [
  ['dueFrom', 'dueFrom=2024-01-01'],
  ['dueTo, order=asc', 'dueTo=2025-06-30&order=asc'],
  ['dueFrom, dueTo', 'dueFrom=2023-01-01&dueTo=2023-12-31'],
  ['updatedSince', 'updatedSince=2024-01-01T00:00:00.000Z'],
  ['updatedSince, dueFrom', 'updatedSince=2024-01-01T00:00:00.000Z&dueFrom=2022-06-01'],
  ['status, order=asc', 'status=OVERDUE&order=asc'],
  ['status, dueFrom', 'status=OVERDUE&dueFrom=2023-01-01'],
  ['status, dueTo, order=asc', 'status=ISSUED&dueTo=2100-01-01&order=asc'],
  ['status, updatedSince', 'status=ISSUED&updatedSince=2022-01-01T00:00:00.000Z'],
  ['propertyId', `propertyId=${idOf('property', 3)}`],
  ['propertyId, status', `propertyId=${idOf('property', 3)}&status=OVERDUE`],
  ['propertyId, dueFrom', `propertyId=${idOf('property', 3)}&dueFrom=2022-01-01`],
  ['bookingId', `bookingId=${LEASE}`],
  ['bookingId, dueFrom', `bookingId=${LEASE}&dueFrom=2022-01-01`],
  ['tenantUserId, dueFrom', `tenantUserId=${idOf('tenantUser', 0)}&dueFrom=2022-01-01`],
  ['owner of all', '', 'owner'],
  ['owner of all, dueFrom', 'dueFrom=2024-01-01', 'owner'],
  ['owner of all, status', 'status=ISSUED', 'owner'],
  ['tenant', '', 'tenant'],
  ['tenant, updatedSince', 'updatedSince=2022-01-01T00:00:00.000Z', 'tenant'],
]

const PROPERTY = JSON.stringify({
  name: 'Résidence Bonamoussadi',
  addressLine: 'Derrière la pharmacie du rond-point',
  city: 'Douala',
  quartier: 'Bonamoussadi',
  amenities: ['parking', 'forage'],
})

/**
 * Both servers write to an empty database of their own on the same disk, synchronous=FULL; in some organizations in turn,
 * as each may have 20,000 properties.
 */
export function createRow(loyer: Server, single: Server, admins: readonly string[]): Row {
  const create = ({ port, pid }: Server): Target => {
    const texts = admins.map((token) => request(port, '/api/v1/properties', as(token), 'POST', PROPERTY))
    let n = 0
    return { port, pid, status: 201, next: () => texts[n++ % texts.length] ?? '' }
  }
  return {
    name: 'durable create, 32 connections',
    against: 'one transaction a request',
    bar: 3,
    one: create(loyer),
    other: create(single),
    connections: 32,
    byClock: true,
    cold: true,
  }
}
