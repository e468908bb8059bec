import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { mediaObject } from '../../../../db/schema/media.ts'
import { property, unit } from '../../../../db/schema/properties.ts'

/** A published property of whichever organization, without its address and owner: anybody may see it. */
export const publishedProperty = query('vacancy.property', ['id'], (db, p) =>
  db
    .select({
      id: property.id,
      orgId: property.orgId,
      name: property.name,
      type: property.type,
      city: property.city,
      quartier: property.quartier,
      province: property.province,
      amenities: property.amenities,
    })
    .from(property)
    .where(and(eq(property.id, p.id), eq(sql`+${property.status}`, 'PUBLISHED'))),
)
const vacant = query('vacancy.units', ['orgId', 'propertyId'], (db, p) =>
  db
    .select({
      id: unit.id,
      label: unit.label,
      areaSqm: unit.areaSqm,
      bedrooms: unit.bedrooms,
      bathrooms: unit.bathrooms,
      rentAmount: unit.rentAmount,
      type: unit.type,
    })
    .from(unit)
    .where(and(eq(unit.orgId, p.orgId), eq(unit.propertyId, p.propertyId), eq(unit.status, 'AVAILABLE'))),
)
export type VacantUnit = ReturnType<typeof vacantUnits>[number]
/** The vacant units of a property. */
export const vacantUnits = (db: Db, orgId: string, propertyId: string) => vacant(db).all({ orgId, propertyId })

const photos = query('vacancy.photos', ['orgId', 'ownerIds'], (db, p) =>
  db
    .select({
      id: mediaObject.id,
      ownerId: mediaObject.ownerId,
      contentType: mediaObject.contentType,
      sizeBytes: mediaObject.sizeBytes,
      position: mediaObject.position,
    })
    .from(mediaObject)
    .where(
      and(
        eq(mediaObject.orgId, p.orgId),
        sql`${mediaObject.ownerId} in (select value from json_each(${p.ownerIds}))`,
        eq(sql`+${mediaObject.kind}`, 'PHOTO'),
        eq(sql`+${mediaObject.status}`, 'AVAILABLE'),
      ),
    ),
)
/** The photos of a property and its units. */
export const photosOfHome = (db: Db, orgId: string, ownerIds: readonly string[]) =>
  photos(db).all({ orgId, ownerIds: JSON.stringify(ownerIds) })

const open = query('vacancy.photo', ['id'], (db, p) =>
  db
    .select({ id: mediaObject.id })
    .from(mediaObject)
    .innerJoin(property, and(eq(property.orgId, mediaObject.orgId), eq(property.id, mediaObject.propertyId)))
    .where(
      and(
        eq(mediaObject.id, p.id),
        eq(sql`+${mediaObject.kind}`, 'PHOTO'),
        eq(sql`+${mediaObject.status}`, 'AVAILABLE'),
        eq(sql`+${property.status}`, 'PUBLISHED'),
      ),
    )
    .orderBy(asc(mediaObject.id)),
)
/** Whether a file is a photo of a property that is published now. */
export const isOpenPhoto = (db: Db, id: string): boolean => open(db).get({ id }) !== undefined
