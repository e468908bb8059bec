// Every list: who may ask, what they see, what can be filtered; each said again as plain SQL.
import { LEASE_LISTS } from './lease-lists.ts'
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
const OWN_PAPER = "(owner_type in ('USER','VERIFICATION') and owner_user_id = ?1)"
const OWN_KYC = "kind = 'OWNER_KYC' and subject_user_id = ?"
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
      // The path decides, whatever the query says.
      [`propertyId=${w.hers.property}`, '1'],
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
    tenant: 'tenant_user_id = ?',
    filters: (w, f) => [
      ['status=ACTIVE', "status = 'ACTIVE'"],
      ['status=DRAFT', "status = 'DRAFT'"],
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
  {
    line: 'GET /api/v1/invoices/:id/payments',
    of: (w) => w.invoices.OVERDUE,
    table: 'payment',
    who: ['ana', 'mia', 'ada', 'tom'],
    owner: 'owner_user_id = ?',
    tenant: 'tenant_user_id = ?',
    filters: (_w, f) => [
      ['status=PENDING', "status = 'PENDING'"],
      [`invoiceId=${f.invoices.OVERDUE}`, '1'],
    ],
  },
  {
    line: 'GET /api/v1/payments',
    table: 'payment',
    who: ALL,
    owner: 'owner_user_id = ?',
    tenant: 'tenant_user_id = ?',
    filters: (w, f) => [
      ['status=REVERSED', "status = 'REVERSED'"],
      [`invoiceId=${w.invoices.OVERDUE}`, "invoice_ids like '%' || ? || '%'", [w.invoices.OVERDUE]],
      ['from=2026-03-09&to=2026-03-09', "paid_on = '2026-03-09'"],
      ['to=2026-03-08', '0'],
      [`invoiceId=${f.invoices.OVERDUE}`, '0'],
      [
        `invoiceId=${w.invoices.OVERDUE}&status=PENDING&from=2026-01-01`,
        "invoice_ids like '%' || ? || '%' and status = 'PENDING'",
        [w.invoices.OVERDUE],
      ],
    ],
  },
  {
    line: 'GET /api/v1/bookings/:id/signatures',
    of: (w) => w.bookings.ENDING,
    parent: 'booking_id',
    table: 'signature',
    who: ['ana', 'mia', 'ada', 'tom'],
    owner: '? is not null',
    tenant: '? is not null',
    // The path decides, whatever the query says.
    filters: (w) => [[`bookingId=${w.hers.booking}`, '1']],
  },
  {
    line: 'GET /api/v1/documents',
    table: 'document',
    who: ALL,
    owner: 'owner_user_id = ?',
    tenant: 'tenant_user_id = ?',
    filters: (w, f) => [
      ['kind=LEASE_CONTRACT', "kind = 'LEASE_CONTRACT'"],
      [`bookingId=${w.bookings.ACTIVE}`, 'booking_id = ?', [w.bookings.ACTIVE]],
      [`bookingId=${w.bookings.ACTIVE}&kind=RECEIPT`, "booking_id = ? and kind = 'RECEIPT'", [w.bookings.ACTIVE]],
      [`invoiceId=${w.invoices.PAID}`, 'invoice_id = ?', [w.invoices.PAID]],
      [`bookingId=${f.bookings.ACTIVE}`, '0'],
      [`invoiceId=${f.invoices.PAID}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/media',
    table: 'media_object',
    who: ALL,
    owner: `(${OWN_PAPER} or property_id in (select id from property where owner_user_id = ?1))`,
    tenant: OWN_PAPER,
    all: `(${OWN_PAPER} or property_id is not null)`,
    filters: (w, f) => [
      ['ownerType=PROPERTY', "owner_type = 'PROPERTY'"],
      ['ownerType=VERIFICATION', "owner_type = 'VERIFICATION'"],
      ['kind=PHOTO', '0'],
      ['status=PENDING&kind=DOCUMENT', '1'],
      [`ownerId=${w.userIds.tom}`, 'owner_id = ?', [w.userIds.tom]],
      [`ownerId=${f.properties.PUBLISHED}`, '0'],
      [`manager=${w.userIds.tia}&reviewer=${w.userIds.tia}`, '1'],
    ],
  },
  {
    line: 'GET /api/v1/verification/kyc/mine',
    table: 'verification_case',
    who: ALL,
    owner: OWN_KYC,
    tenant: OWN_KYC,
    all: OWN_KYC,
    filters: (w) => [
      ['status=DRAFT', '1'],
      ['status=APPROVED', '0'],
      [`subjectUserId=${w.userIds.tia}&kind=PROPERTY_PROOF`, '1'],
    ],
  },
  {
    line: 'GET /api/v1/verification/property-proofs',
    table: 'verification_case',
    who: LANDLORDS,
    owner: "kind = 'PROPERTY_PROOF' and property_id in (select id from property where owner_user_id = ?)",
    all: "kind = 'PROPERTY_PROOF'",
    filters: () => [
      ['status=DRAFT', '1'],
      ['status=REVOKED', '0'],
      ['kind=OWNER_KYC', '1'],
    ],
  },
  {
    line: 'GET /api/v1/admin/verification',
    table: 'verification_case',
    who: ['ada'],
    filters: (w, f) => [
      ['kind=OWNER_KYC', "kind = 'OWNER_KYC'"],
      ['kind=PROPERTY_PROOF&status=DRAFT', "kind = 'PROPERTY_PROOF'"],
      [`assignedTo=${w.userIds.ada}`, '0'],
      [`assignedTo=${f.userIds.ada}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/payments/unmatched',
    table: 'money_message',
    who: LANDLORDS,
    owner: 'recorded_by = ?',
    filters: () => [['status=MATCHED', '1']],
  },
  {
    line: 'GET /api/v1/bookings/:id/deposit',
    of: (w) => w.bookings.ACTIVE,
    parent: 'booking_id',
    table: 'deposit_entry',
    who: ['ana', 'mia', 'ada', 'tom'],
    filters: (w) => [[`bookingId=${w.hers.booking}`, '1']],
  },
  ...LEASE_LISTS,
  {
    line: 'GET /api/v1/webhook-endpoints',
    table: 'webhook_endpoint',
    who: ['mia', 'ada'],
    filters: () => [],
  },
  {
    line: 'GET /api/v1/webhook-endpoints/:id/deliveries',
    of: (w) => w.endpoint,
    parent: 'endpoint_id',
    table: 'webhook_delivery',
    who: ['mia', 'ada'],
    filters: (_w, f) => [
      ['status=PENDING', '1'],
      ['status=FAILED', '0'],
      [`endpointId=${f.endpoint}`, '1'],
    ],
  },
  {
    line: 'GET /api/v1/admin/users',
    table: 'app_user',
    who: ['ada'],
    filters: (w) => [
      ['role=OWNER', `roles like '%"OWNER"%'`],
      ['role=ADMIN&status=ACTIVE', `roles like '%"ADMIN"%'`],
      ['status=ACTIVE', '1'],
      ['status=INVITED', '0'],
      ['q=ana', "first_name like 'ana%'"],
      ['q=test', '1'],
      ['q=%25', '0'],
      [`q=${w.userIds.tom}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/admin/audit',
    table: 'audit_entry',
    who: ['ada'],
    filters: (w, f) => [
      [`subjectId=${w.bookings.ACTIVE}`, 'subject_id = ?', [w.bookings.ACTIVE]],
      [`actorUserId=${w.userIds.tom}`, 'actor_user_id = ?', [w.userIds.tom]],
      ['action=booking.create', "action = 'booking.create'"],
      [`subjectId=${f.bookings.ACTIVE}`, '0'],
      [`actorUserId=${f.userIds.ada}`, '0'],
    ],
  },
  { line: 'GET /api/v1/admin/audit/archives', table: 'audit_archive', who: ['ada'], filters: () => [] },
]
