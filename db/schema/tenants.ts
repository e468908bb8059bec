import { foreignKey, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { TENANT_KINDS } from '../../src/features/people/tenants/rules.ts'
import { listIndexes } from './columns.ts'
import { appUser } from './users.ts'

export const tenant = sqliteTable(
  'tenant',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    fullName: text('full_name').notNull(),
    phoneNumber: text('phone_number'),
    idType: text('id_type'),
    idNumber: text('id_number'),
    niu: text(),
    address: text(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    userId: text('user_id'),
    createdBy: text('created_by').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The preferred channel; null means WhatsApp first. */
    channel: text({ enum: ['WHATSAPP', 'SMS'] }),
    /** A COMPANY has its legal name as fullName; number and identity are those of its representative. */
    kind: text({ enum: TENANT_KINDS }).notNull().default('PERSON'),
    rccm: text(),
    representativeName: text('representative_name'),
    representativeRole: text('representative_role'),
  },
  (t) => [
    unique('tenant_org_id').on(t.orgId, t.id),
    foreignKey({ name: 'tenant_user_fk', columns: [t.orgId, t.userId], foreignColumns: [appUser.orgId, appUser.id] }),
    // Not unique: two owners may have entered the same person, and neither must learn of the other.
    index('tenant_org_number').on(t.orgId, t.phoneNumber),
    index('tenant_org_account').on(t.orgId, t.userId),
    index('tenant_phone').on(t.phoneNumber),
    ...listIndexes('tenant', t.orgId, t.id, { ranges: [t.updatedAt] }),
  ],
)
