import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { LEASE_KINDS } from '../../src/features/lease/contracts/rules.ts'
import {
  DOCUMENT_KINDS,
  DOCUMENT_STATUS,
  DOCUMENT_VARIANTS,
  FAILURES,
  VOID_REASONS,
} from '../../src/features/papers/documents/rules.ts'
import { booking } from './bookings.ts'
import { json, listIndexes } from './columns.ts'
import { organization } from './organizations.ts'

/** Papers made by events. The event's own transaction writes the row and the data that the paper is drawn from. */
export const document = sqliteTable(
  'document',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    variant: text({ enum: DOCUMENT_VARIANTS }),
    bookingId: text('booking_id').notNull(),
    invoiceId: text('invoice_id'),
    paymentId: text('payment_id'),
    propertyId: text('property_id').notNull(),
    ownerUserId: text('owner_user_id').notNull(),
    tenantUserId: text('tenant_user_id'),
    /** The event or row that the paper is made for: one document for each, ever. */
    source: text().notNull(),
    number: text().notNull(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    issuedOn: text('issued_on').notNull(),
    /** Random: whoever holds the paper can verify it with this code. */
    code: text().notNull(),
    /** A frozen copy, so that later changes of names or amounts do not alter the paper. */
    data: json<Readonly<Record<string, unknown>>>()().notNull(),
    status: text({ enum: DOCUMENT_STATUS }).notNull(),
    failure: text({ enum: FAILURES }),
    attempts: integer().notNull().default(0),
    /**
     * When the file is made or tried again, in epoch ms of real time. At first the place in the queue, earlier than any real time;
     * null once READY.
     */
    renderAt: integer('render_at'),
    templateVersion: integer('template_version'),
    /** SHA-256 of the file, in hex; part of its name. */
    sha256: text(),
    sizeBytes: integer('size_bytes'),
    voidReason: text('void_reason', { enum: VOID_REASONS }),
    voidedAt: text('voided_at'),
    createdAt: text('created_at').notNull(),
    renderedAt: text('rendered_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The scan of a lease that was signed by hand. */
    signedCopyMediaId: text('signed_copy_media_id'),
  },
  (t) => [
    unique('document_org_id').on(t.orgId, t.id),
    uniqueIndex('document_source').on(t.orgId, t.source),
    uniqueIndex('document_code').on(t.code),
    foreignKey({
      name: 'document_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    ...listIndexes('document', t.orgId, t.id, {
      filters: [t.kind, t.bookingId, t.propertyId, t.status],
      scopes: [t.ownerUserId, t.tenantUserId],
      ranges: [t.updatedAt],
      pairs: [[t.ownerUserId, t.kind]],
    }),
    index('document_number').on(t.orgId, t.number),
    index('document_turn').on(t.renderAt, t.orgId, t.id).where(sql`render_at is not null`),
    check(
      'document_kind',
      sql`${t.kind} in ('LEASE_CONTRACT','INVOICE','RECEIPT','STATEMENT','LEASE_NOTICE','INSPECTION')`,
    ),
    check('document_status', sql`${t.status} in ('PENDING','READY','FAILED')`),
    check('document_file', sql`(${t.sha256} is null) = (${t.status} <> 'READY')`),
    check('document_void', sql`(${t.voidedAt} is null) = (${t.voidReason} is null)`),
  ],
)

/** The last number of each series of papers in a year: receipts, leases and statements. */
export const documentCounter = sqliteTable(
  'document_counter',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id),
    series: text().notNull(),
    last: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.series] })],
)

/** The clauses of an organization's leases; versions are added, never changed. */
export const leaseTemplate = sqliteTable(
  'lease_template',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id),
    kind: text({ enum: LEASE_KINDS }).notNull(),
    version: integer().notNull(),
    clauses:
      json<
        readonly {
          readonly title_fr: string
          readonly body_fr: string
          readonly title_en: string
          readonly body_en: string
        }[]
      >()().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.kind, t.version] }),
    check('lease_template_kind', sql`${t.kind} in ('HOME','BUSINESS')`),
  ],
)
