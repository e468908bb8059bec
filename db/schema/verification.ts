import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  AUTHORITIES,
  DOCUMENT_ROLES,
  DOCUMENT_TYPES,
  PROOF_TYPES,
  VERIFICATION_KINDS,
  VERIFICATION_STATUS,
} from '../../src/features/papers/verification/rules.ts'
import { listIndexes } from './columns.ts'
import { mediaObject } from './media.ts'
import { property } from './properties.ts'
import { appUser } from './users.ts'

export const verificationCase = sqliteTable(
  'verification_case',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    kind: text({ enum: VERIFICATION_KINDS }).notNull(),
    proofType: text('proof_type', { enum: PROOF_TYPES }),
    propertyId: text('property_id'),
    subjectUserId: text('subject_user_id').notNull(),
    /** The user who opened it: neither they nor the subject may review it. */
    createdBy: text('created_by').notNull(),
    status: text({ enum: VERIFICATION_STATUS }).notNull(),
    assignedTo: text('assigned_to'),
    reviewedBy: text('reviewed_by'),
    reviewNote: text('review_note'),
    createdAt: text('created_at').notNull(),
    submittedAt: text('submitted_at'),
    reviewedAt: text('reviewed_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The user who submitted it last, who may not review it either. */
    submittedBy: text('submitted_by'),
  },
  (t) => [
    unique('verification_case_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'verification_case_subject_fk',
      columns: [t.orgId, t.subjectUserId],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    foreignKey({
      name: 'verification_case_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    uniqueIndex('verification_open_kyc')
      .on(t.orgId, t.subjectUserId)
      .where(sql`kind = 'OWNER_KYC' and status in ('DRAFT','SUBMITTED','UNDER_REVIEW','MORE_INFO_REQUESTED')`),
    uniqueIndex('verification_open_proof')
      .on(t.orgId, t.propertyId)
      .where(sql`kind = 'PROPERTY_PROOF' and status in ('DRAFT','SUBMITTED','UNDER_REVIEW','MORE_INFO_REQUESTED')`),
    ...listIndexes('verification_case', t.orgId, t.id, {
      filters: [t.status, t.kind, t.assignedTo, t.propertyId, t.subjectUserId],
      ranges: [t.updatedAt],
    }),
    index('verification_case_lapsed').on(t.updatedAt).where(sql`status in ('DRAFT','MORE_INFO_REQUESTED','REJECTED')`),
    check('verification_case_kind', sql`${t.kind} in ('OWNER_KYC','PROPERTY_PROOF')`),
    check(
      'verification_case_of',
      sql`(${t.propertyId} is null) = (${t.kind} = 'OWNER_KYC') and (${t.proofType} is null) = (${t.kind} = 'OWNER_KYC')`,
    ),
    check(
      'verification_case_status',
      sql`${t.status} in ('DRAFT','SUBMITTED','UNDER_REVIEW','MORE_INFO_REQUESTED','APPROVED','REJECTED','REVOKED')`,
    ),
  ],
)

export const verificationDocument = sqliteTable(
  'verification_document',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    caseId: text('case_id').notNull(),
    mediaObjectId: text('media_object_id').notNull(),
    role: text({ enum: DOCUMENT_ROLES }).notNull(),
    documentType: text('document_type', { enum: DOCUMENT_TYPES }),
    certifyingAuthority: text('certifying_authority', { enum: AUTHORITIES }),
    certificateRef: text('certificate_ref'),
    certifiedOn: text('certified_on'),
    expiresOn: text('expires_on'),
    /** The next day on which the subject is reminded that the paper expires; only in an APPROVED case. */
    remindOn: text('remind_on'),
    createdAt: text('created_at').notNull(),
  },
  (t) => [
    unique('verification_document_once').on(t.orgId, t.caseId, t.mediaObjectId),
    foreignKey({
      name: 'verification_document_case_fk',
      columns: [t.orgId, t.caseId],
      foreignColumns: [verificationCase.orgId, verificationCase.id],
    }),
    foreignKey({
      name: 'verification_document_media_fk',
      columns: [t.orgId, t.mediaObjectId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    index('verification_document_case').on(t.orgId, t.caseId, t.id),
    index('verification_document_media').on(t.orgId, t.mediaObjectId),
    index('verification_document_remind').on(t.remindOn, t.orgId).where(sql`remind_on is not null`),
    check(
      'verification_document_role',
      sql`${t.role} in ('SELF_ID','PROOF_OF_OWNERSHIP','ATTESTATION','OWNER_MANDATE','OWNER_ID','OTHER')`,
    ),
  ],
)
