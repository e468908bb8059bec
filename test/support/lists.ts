// Every list: who may ask, what they see, what can be filtered; each said again as plain SQL.
import { PAPER_LISTS } from './lists-papers.ts'
import type { World } from './world.ts'

export type Name = 'ana' | 'eve' | 'mia' | 'ada' | 'tom' | 'tia'
const LANDLORDS: Name[] = ['ana', 'eve', 'mia', 'ada']
const ALL: Name[] = [...LANDLORDS, 'tom', 'tia']
type Values = (string | number)[]
/** A filter: what is asked for in a world, and the same as SQL. */
export type Filter = readonly [query: string, where: string, values?: Values]
export type List = {
  readonly line: string
  /** Asked for on behalf of this object, where the path has an id. */
  readonly of?: (w: World) => string
  readonly table: string
  /** The column that the path's id stands in. */
  readonly parent?: string
  readonly who: Name[]
  /** What a role that may call it sees of its organization; `?` is the caller's user id. */
  readonly owner?: string
  readonly tenant?: string
  /** Where managers and administrators do not see all of their organization. */
  readonly all?: string
  readonly filters: (w: World, foreign: World) => Filter[]
}

const rents = (column: string): string =>
  `${column} in (select property_id from booking where tenant_user_id = ? and status in ('PENDING','ACTIVE'))`
export const shared = (w: World): Filter[] => [
  ['', '1'],
  ['updatedSince=2026-03-10T08:00:00.000Z', '1'],
  ['updatedSince=2026-03-10T08:00:00.001Z', '0'],
  [`orgId=${w.orgId}`, '1'],
  ['nothing=at-all', '1'],
]
export const LISTS: List[] = [
  {
    line: 'GET /api/v1/properties',
    table: 'property',
    who: ALL,
    owner: 'owner_user_id = ?',
    tenant: `(status = 'PUBLISHED' or ${rents('id')})`,
    filters: () => [
      ['status=DRAFT', "status = 'DRAFT'"],
      ['type=APARTMENT', "type = 'APARTMENT'"],
      ['type=LAND', '0'],
      ['city=Douala', "city = 'Douala'"],
      ['city=douala', '0'],
      ['status=DRAFT,PUBLISHED', "status in ('DRAFT','PUBLISHED')"],
      ['q=vill', "name like '%vill%'"],
      ['q=%25', '0'],
      ['q=_', '0'],
      ['q=Villa&status=PUBLISHED&city=Douala', "name = 'Villa'"],
    ],
  },
  {
    line: 'GET /api/v1/properties/:id/units',
    of: (w) => w.properties.PUBLISHED,
    parent: 'property_id',
    table: 'unit',
    who: ['ana', 'mia', 'ada', 'tom', 'tia'],
    owner: '? is not null',
    tenant: '? is not null',
    filters: (w) => [
      ['status=AVAILABLE', "status = 'AVAILABLE'"],
      ['status=OCCUPIED', "status = 'OCCUPIED'"],
      ['status=OCCUPIED,AVAILABLE,OCCUPIED', "status in ('AVAILABLE','OCCUPIED')"],
      ['q=nowhere', '0'],
      // The path decides, whatever the query says.
      [`propertyId=${w.hers.property}`, '1'],
    ],
  },
  {
    line: 'GET /api/v1/units',
    table: 'unit',
    who: ALL,
    owner: 'property_id in (select id from property where owner_user_id = ?)',
    tenant: `(property_id in (select id from property where status = 'PUBLISHED') or id in (select unit_id from booking where tenant_user_id = ? and status in ('PENDING','ACTIVE')))`,
    filters: (w, f) => [
      ['status=OCCUPIED', "status = 'OCCUPIED'"],
      ['status=RESERVED,OCCUPIED', "status in ('RESERVED','OCCUPIED')"],
      [
        `propertyId=${w.properties.PUBLISHED}&status=AVAILABLE`,
        "property_id = ? and status = 'AVAILABLE'",
        [w.properties.PUBLISHED],
      ],
      ['q=vill', "property_id in (select id from property where name like '%vill%')"],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/homes',
    table: 'unit',
    who: ALL,
    all: "status = 'AVAILABLE' and property_id in (select id from property where status = 'PUBLISHED')",
    owner: `status = 'AVAILABLE' and property_id in (select id from property where status = 'PUBLISHED' and owner_user_id = ?)`,
    tenant: `status = 'AVAILABLE' and property_id in (select id from property where status = 'PUBLISHED') and ? is not null`,
    filters: (w, f) => [
      [`propertyId=${w.properties.PUBLISHED}`, 'property_id = ?', [w.properties.PUBLISHED]],
      ['q=vill', "property_id in (select id from property where name like '%vill%')"],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
      ['status=OCCUPIED', '1'],
    ],
  },
  {
    line: 'GET /api/v1/people',
    table: 'app_user',
    who: ['mia', 'ada'],
    all: "status = 'ACTIVE'",
    filters: (w) => [
      ['role=OWNER', `roles like '%"OWNER"%'`],
      ['role=TENANT&q=tom', 'id = ?', [w.userIds.tom]],
      ['status=DISABLED', '1'],
    ],
  },
  {
    line: 'GET /api/v1/tenants',
    table: 'tenant',
    who: LANDLORDS,
    owner: '(created_by = ?1 or id in (select tenant_id from booking where owner_user_id = ?1))',
    filters: () => [
      ['phoneNumber=%2B237600000000', '0'],
      ['q=sans', "full_name like 'sans%'"],
    ],
  },
  {
    line: 'GET /api/v1/bookings',
    table: 'booking',
    who: ALL,
    owner: 'owner_user_id = ?',
    tenant: 'tenant_user_id = ? and (submitted_at is not null or requested_by = ?)',
    filters: (w, f) => [
      ['status=ACTIVE', "status = 'ACTIVE'"],
      ['status=DRAFT', "status = 'DRAFT'"],
      ['status=PENDING,ACTIVE,CANCELLED', "status in ('PENDING','ACTIVE','CANCELLED')"],
      ['status=ACTIVE,DRAFT&endsBefore=2027-01-01', "status in ('ACTIVE','DRAFT') and end_date <= '2027-01-01'"],
      ['requested=true', 'requested_by is not null'],
      ['requested=false&status=DRAFT', "requested_by is null and status = 'DRAFT'"],
      ['q=vill', "property_name like '%vill%'"],
      ['q=zzz', '0'],
      [`tenantId=${w.tenants.LINKED}`, 'tenant_id = ?', [w.tenants.LINKED]],
      [`tenantId=${f.tenants.LINKED}`, '0'],
      [`unitId=${w.units.OCCUPIED}`, 'unit_id = ?', [w.units.OCCUPIED]],
      [`propertyId=${w.hers.property}`, 'property_id = ?', [w.hers.property]],
      [`tenantUserId=${w.userIds.tom}&status=ACTIVE`, "tenant_user_id = ? and status = 'ACTIVE'", [w.userIds.tom]],
      [`unitId=${f.units.OCCUPIED}`, '0'],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
      [`tenantUserId=${f.userIds.tom}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/invoices',
    table: 'invoice',
    who: ALL,
    owner: 'owner_user_id = ?',
    tenant: 'tenant_user_id = ?',
    filters: (w, f) => [
      ['status=OVERDUE', "status = 'OVERDUE'"],
      ['status=PAID', "status = 'PAID'"],
      ['status=PAID,OVERDUE', "status in ('PAID','OVERDUE')"],
      ['status=ISSUED,PAID,OVERDUE,CANCELLED&dueFrom=2026-01-01', "due_date >= '2026-01-01'"],
      ['q=vill', "property_name like '%vill%'"],
      ['q=2026-0000', "number like '2026-0000%'"],
      ['q=zzz&status=PAID,ISSUED', '0'],
      [
        `tenantId=${w.tenants.LINKED}&status=PAID,OVERDUE`,
        "tenant_id = ? and status in ('PAID','OVERDUE')",
        [w.tenants.LINKED],
      ],
      [`tenantId=${f.tenants.LINKED}`, '0'],
      [`bookingId=${w.bookings.ACTIVE}`, 'booking_id = ?', [w.bookings.ACTIVE]],
      [`propertyId=${w.properties.PUBLISHED}`, 'property_id = ?', [w.properties.PUBLISHED]],
      [`tenantUserId=${w.userIds.tia}`, 'tenant_user_id = ?', [w.userIds.tia]],
      ['dueFrom=2026-01-01&dueTo=2026-02-28', "due_date between '2026-01-01' and '2026-02-28'"],
      ['dueTo=2026-01-01', "due_date <= '2026-01-01'"],
      [`bookingId=${f.bookings.ACTIVE}`, '0'],
      [`tenantUserId=${f.userIds.tom}`, '0'],
      [`propertyId=${f.properties.PUBLISHED}&dueFrom=2025-01-01`, '0'],
    ],
  },
  ...PAPER_LISTS,
]
