import { get, on, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Properties, units, tenants. */
export function placeSamples(w: World): Sample[] {
  const { properties, units, tenants } = w
  const place = { name: 'Immeuble', addressLine: 'Rue 2', city: 'Kribi' }
  return [
    { line: 'POST /api/v1/properties', status: 201, body: place },
    get('/api/v1/properties'),
    get('/api/v1/properties/:id', 'property', properties.PUBLISHED),
    on('PATCH /api/v1/properties/:id', 'property', properties.DRAFT, { quartier: 'Bepanda' }),
    on('POST /api/v1/properties/:id/duplicate', 'property', properties.PUBLISHED, {}, 201),
    on('POST /api/v1/properties/:id/publish', 'property', properties.DRAFT),
    on('POST /api/v1/properties/:id/archive', 'property', properties.DRAFT),
    on('POST /api/v1/properties/:id/restore', 'property', properties.ARCHIVED),
    on('POST /api/v1/properties/:id/units', 'property', properties.PUBLISHED, { label: 'B1' }, 201),
    get('/api/v1/properties/:id/units', 'property', properties.PUBLISHED),
    get('/api/v1/units/:id', 'unit', units.SPARE),
    get('/api/v1/homes'),
    on('PATCH /api/v1/units/:id', 'unit', units.SPARE, { bedrooms: 2 }),
    { line: 'POST /api/v1/tenants', status: 201, body: { fullName: 'Une Autre' } },
    get('/api/v1/tenants'),
    get('/api/v1/tenants/:id', 'tenant', tenants.LINKED),
    on('PATCH /api/v1/tenants/:id', 'tenant', tenants.INVITED, { address: 'Rue 3' }),
  ]
}
