import { api, type Page, page, type Schemas } from '../../../shared/api.ts'

export type Meter = Schemas['Meter']
export type Reading = Schemas['MeterReading']
type Read<T> = (cursor: { readonly cursor?: string }) => Promise<Page<T>>

/** All pages of a list that a screen shows as a whole. */
export async function everyPage<T>(read: Read<T>): Promise<readonly T[]> {
  const rows: T[] = []
  let next: string | undefined
  do {
    const one = await read(next === undefined ? {} : { cursor: next })
    rows.push(...one.rows)
    next = one.next
  } while (next !== undefined)
  return rows
}

const inOrder = (a: Meter, b: Meter): number =>
  (a.unitLabel ?? '').localeCompare(b.unitLabel ?? '', undefined, { numeric: true }) ||
  a.kind.localeCompare(b.kind) ||
  (a.number ?? '').localeCompare(b.number ?? '', undefined, { numeric: true })

/** The meters of a property that are read, in the order in which one walks through the building. */
export async function readMeters(propertyId: string): Promise<readonly Meter[]> {
  const rows = await everyPage((cursor) =>
    page(api.GET('/api/v1/meters', { params: { query: { propertyId, retired: false, limit: 200, ...cursor } } })),
  )
  return rows.toSorted(inOrder)
}

/** What was read on a day already, by its meter. */
export async function readingsOn(propertyId: string, day: string): Promise<ReadonlyMap<string, Reading>> {
  const rows = await everyPage((cursor) =>
    page(
      api.GET('/api/v1/meter-readings', {
        params: { query: { propertyId, status: 'RECORDED', from: day, to: day, limit: 200, ...cursor } },
      }),
    ),
  )
  return new Map(rows.map((row) => [row.meterId, row]))
}
