import { createHmac, timingSafeEqual } from 'node:crypto'
import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { ListQuery } from '../../db/list/spec.ts'
import type { Caller } from '../context.ts'
import { containing } from '../core/case-folding.ts'
import { toUtc } from '../core/dates.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { isPlainQuery, pathOf, queryOf } from './request.ts'
import { DateTime, QueryBoolean, QueryInteger, Text, Uuid } from './schema.ts'

const PAGING = {
  limit: Type.Optional(
    QueryInteger({ minimum: 1, maximum: 200, description: 'The maximum number of entries; 50 if omitted.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'The start of the page, taken from the Link header of the previous page.',
    }),
  ),
  order: Type.Optional(
    Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
      $id: 'SortOrder',
      description: '`desc` (default): newest first; `asc`: oldest first.',
    }),
  ),
  count: Type.Optional(QueryBoolean({ description: 'Adds X-Total-Count, the number of entries on all pages.' })),
  updatedSince: Type.Optional({
    ...DateTime,
    description: 'Only entries changed at or after this time, ordered by the time of change.',
  }),
}
/** The query string of a list: paging and the list's own filters; unknown parameters are ignored. */
export const ListParameters = <T extends Record<string, TSchema>>(filters: T) =>
  Type.Object({ ...PAGING, ...filters }, { additionalProperties: true })

/** A filter by an id: `Of('this property')`. */
export const Of = (whose: string) => Type.Optional({ ...Uuid, description: `Only those of ${whose}.` })
/** The `q` of a list whose rows have a name. */
export const NameWords = Type.Optional(Text({ max: 100, description: 'Only those whose name contains these words.' }))

type Way = 'limit' | 'cursor' | 'order' | 'count'
const WAYS: readonly string[] = ['limit', 'cursor', 'order', 'count'] satisfies Way[]
/** The filters of a list: the members of its query except those for paging, and `more` of the route. */
export const filtersOf = <T extends TProperties, const M extends string = never>(
  { properties }: TObject<T>,
  ...more: readonly M[]
) =>
  [...Object.keys(properties).filter((name) => !WAYS.includes(name)), ...more] as (Exclude<keyof T & string, Way> | M)[]

/** The pattern of a list's `q`, for `holding`. */
export const contains = (q: string | undefined): string | undefined => (q === undefined ? undefined : containing(q))

/** What a request asks of a list: its name, which cursors are bound to, the query, and the filters among its members. */
export type ListRequest<K extends string> = {
  readonly name: string
  readonly query: Readonly<Record<string, unknown>>
  readonly filters: readonly K[]
}
type Page = {
  readonly rows: readonly unknown[]
  readonly next?: readonly string[] | undefined
  readonly total?: string | undefined
}

/** Cursors are opaque and signed: each is valid for one list, organization, scope, order and set of filters. */
export function createPaging({ masterKey }: Pick<Deps, 'masterKey'>) {
  const key = createHmac('sha256', masterKey).update('loyer list cursors v1').digest()
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, 12)

  /** Runs a list for a caller: parses the query's text into a ListQuery, and turns the last row into a cursor. */
  function page<K extends string>(
    caller: Caller,
    { name, query, filters }: ListRequest<K>,
    run: (q: ListQuery<K> & { count: boolean }) => Page,
  ) {
    const values: { [N in K]?: string } = {}
    for (const n of filters) {
      const value = query[n]
      if (typeof value === 'string') values[n] = n === 'updatedSince' ? toUtc(value) : value
    }
    const order: 'asc' | 'desc' = query.order === 'asc' ? 'asc' : 'desc'
    const context = JSON.stringify([name, caller.orgId, caller.scope.kind, caller.scope.userId, order, values])
    const read = (cursor: string): readonly string[] => {
      const [data = '', tag = ''] = cursor.split('.')
      const expected = sign(`${context} ${data}`)
      const signature = Buffer.from(tag, 'base64url')
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
        throw invalid(
          '/cursor',
          'This cursor is not of this list. Begin with the first page.',
          'Ce curseur n’est pas de cette liste. Reprenez à la première page.',
        )
      return JSON.parse(Buffer.from(data, 'base64url').toString()) as string[]
    }
    const { rows, total, next } = run({
      orgId: caller.orgId,
      scope: caller.scope,
      order,
      limit: Number(query.limit ?? 50),
      after: typeof query.cursor === 'string' ? read(query.cursor) : undefined,
      values,
      count: query.count === 'true',
    })
    if (!next) return { rows, total }
    const data = Buffer.from(JSON.stringify(next)).toString('base64url')
    return { rows, total, next: `${data}.${sign(`${context} ${data}`).toString('base64url')}` }
  }
  return page
}

/** The address of the next page of a list. */
export function nextUrl(publicUrl: string, requestUrl: string, cursor: string): string {
  const path = pathOf(requestUrl)
  const query = queryOf(requestUrl)
  if (isPlainQuery(query)) {
    const others = query.replace(/(?:^|&)cursor=[^&]*/, '').replace(/^&/, '')
    return `${publicUrl}${path}?${others}${others === '' ? '' : '&'}cursor=${cursor}`
  }
  const searchParams = new URLSearchParams(query)
  searchParams.set('cursor', cursor)
  return `${publicUrl}${path}?${searchParams}`
}
