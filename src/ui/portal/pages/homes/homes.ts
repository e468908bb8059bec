import { api, data, type Page, page, type Schemas } from '../../../shared/api.ts'

/** A vacant home with its photos, its own before those of the building. */
export type Home = Schemas['Home'] & { readonly photos: readonly string[] }
/** So many owners fit into one question for photos: each home asks for two. */
const LIMIT = 24

/** Photos of homes in one request. A link expires after some minutes, so it is not stored on the phone. */
async function withPhotos(homes: readonly Schemas['Home'][], size: '320' | '800'): Promise<readonly Home[]> {
  const owners = [...new Set(homes.flatMap(({ id, propertyId }) => [id, propertyId]))]
  if (owners.length === 0) return []
  const query = { ownerId: owners.join(','), kind: 'PHOTO', links: size, limit: 200 } as const
  const media = await data(api.GET('/api/v1/media', { params: { query } }))
  const of = (owner: string): string[] => media.flatMap(({ ownerId, url }) => (ownerId === owner && url ? [url] : []))
  return homes.map((home) => ({ ...home, photos: [...of(home.id), ...of(home.propertyId)] }))
}

export async function readHomes(q: string | undefined, cursor?: string): Promise<Page<Home>> {
  const query = { limit: LIMIT, ...(q && { q }), ...(cursor !== undefined && { cursor }) }
  const homes = await page(api.GET('/api/v1/homes', { params: { query } }))
  return { ...homes, rows: await withPhotos(homes.rows, '320') }
}

/** One home, undefined where it is vacant no more. */
export async function readHome(propertyId: string, id: string): Promise<Home | undefined> {
  const homes = await data(api.GET('/api/v1/homes', { params: { query: { propertyId, limit: 200 } } }))
  const [home] = await withPhotos(
    homes.filter((one) => one.id === id),
    '800',
  )
  return home
}
