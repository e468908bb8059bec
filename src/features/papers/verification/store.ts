import { and, asc, eq, inArray, lt, lte, ne, notInArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { erased } from '../../../../db/erasure.ts'
import { fullName } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { mediaObject } from '../../../../db/schema/media.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { property } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { verificationCase, verificationDocument } from '../../../../db/schema/verification.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'

export type CaseRow = typeof verificationCase.$inferSelect
export type VerificationDocumentRow = typeof verificationDocument.$inferSelect
export const insertCase = inserting('verification.insert', verificationCase)
export const insertDocument = inserting('verification.attach', verificationDocument)
export const saveCase = saving('verification', verificationCase, 'kind', 'propertyId', 'subjectUserId', 'createdBy')

/** Of a decided case of an erased person: that it was decided, by whom and when. */
export const CASE_LEFT = erased(verificationCase, [
  ...(['kind', 'proofType', 'propertyId', 'subjectUserId', 'createdBy', 'submittedBy', 'submittedAt'] as const),
  ...(['status', 'assignedTo', 'reviewedBy', 'reviewedAt'] as const),
])

export const findCase = reading('verification.byId', verificationCase)

const papers = query('verification.documents', ['orgId', 'caseId'], (db, p) =>
  db
    .select()
    .from(verificationDocument)
    .where(and(eq(verificationDocument.orgId, p.orgId), eq(verificationDocument.caseId, p.caseId)))
    .orderBy(asc(verificationDocument.id)),
)
/** The papers of a case, in the order in which they were attached. */
export const documentsOf = (db: Db, orgId: string, caseId: string): VerificationDocumentRow[] =>
  papers(db).all({ orgId, caseId })

const attachers = query('verification.attachers', ['orgId', 'caseId'], (db, p) =>
  db
    .select({ userId: mediaObject.ownerUserId })
    .from(verificationDocument)
    .innerJoin(
      mediaObject,
      and(eq(mediaObject.orgId, verificationDocument.orgId), eq(mediaObject.id, verificationDocument.mediaObjectId)),
    )
    .where(and(eq(verificationDocument.orgId, p.orgId), eq(verificationDocument.caseId, p.caseId))),
)
/** Who attached the papers of a case: everybody attaches only files of their own. */
export const attachersOf = (db: Db, { orgId, id }: Pick<CaseRow, 'orgId' | 'id'>): string[] =>
  attachers(db)
    .all({ orgId, caseId: id })
    .map(({ userId }) => userId)

/** Every case about a person. */
export const casesAbout = query('verification.ofSubject', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(verificationCase)
    .where(and(eq(verificationCase.orgId, p.orgId), eq(verificationCase.subjectUserId, p.userId))),
)
const dropPapers = query('verification.dropDocuments', ['orgId', 'caseId'], (db, p) =>
  db
    .delete(verificationDocument)
    .where(and(eq(verificationDocument.orgId, p.orgId), eq(verificationDocument.caseId, p.caseId))),
)
const dropCase = query('verification.delete', ['orgId', 'id'], (db, p) =>
  db.delete(verificationCase).where(and(eq(verificationCase.orgId, p.orgId), eq(verificationCase.id, p.id))),
)
export const deleteDocuments = (tx: Tx, { orgId, id }: CaseRow): void => void dropPapers(tx).run({ orgId, caseId: id })
/** A case without papers. */
export const deleteCase = (tx: Tx, { orgId, id }: CaseRow): void => void dropCase(tx).run({ orgId, id })
export const isOpen = ({ status }: CaseRow): boolean => (OPEN as readonly string[]).includes(status)

/** Cases that failed before a time and still have papers to delete. */
export const lapsedCases = query('verification.lapsed', ['before', 'limit'], (db, p) =>
  db
    .select({ id: verificationCase.id, orgId: verificationCase.orgId })
    .from(verificationCase)
    .where(
      and(
        sql`${verificationCase.status} in ('DRAFT','MORE_INFO_REQUESTED','REJECTED')`,
        lt(verificationCase.updatedAt, p.before),
        livesHere(verificationCase.orgId),
        sql`(+${verificationCase.status} <> 'REJECTED' or exists (select 1 from ${verificationDocument} where ${verificationDocument.orgId} = ${verificationCase.orgId} and ${verificationDocument.caseId} = ${verificationCase.id}))`,
      ),
    )
    .orderBy(asc(verificationCase.updatedAt))
    .limit(p.limit),
)
const OPEN = ['DRAFT', 'SUBMITTED', 'UNDER_REVIEW', 'MORE_INFO_REQUESTED'] as const
export const hasOpenKyc = exists('verification.openKyc', ['orgId', 'userId'], verificationCase, (p) =>
  and(
    eq(verificationCase.orgId, p.orgId),
    eq(verificationCase.subjectUserId, p.userId),
    sql`+${verificationCase.kind} = 'OWNER_KYC'`,
    inArray(sql`+${verificationCase.status}`, [...OPEN]),
  ),
)
const proofs = query('verification.proofsOf', ['orgId', 'propertyId'], (db, p) =>
  db
    .select({ status: verificationCase.status })
    .from(verificationCase)
    .where(and(eq(verificationCase.orgId, p.orgId), eq(verificationCase.propertyId, p.propertyId))),
)
export const hasOpenProof = (db: Db, orgId: string, propertyId: string): boolean =>
  proofs(db)
    .all({ orgId, propertyId })
    .some(({ status }) => (OPEN as readonly string[]).includes(status))

const elsewhere = query('verification.attachedElsewhere', ['orgId', 'caseId', 'mediaObjectId'], (db, p) =>
  db
    .select({ id: verificationDocument.id })
    .from(verificationDocument)
    .innerJoin(
      verificationCase,
      and(eq(verificationCase.orgId, verificationDocument.orgId), eq(verificationCase.id, verificationDocument.caseId)),
    )
    .where(
      and(
        eq(verificationDocument.orgId, p.orgId),
        eq(verificationDocument.mediaObjectId, p.mediaObjectId),
        ne(sql`+${verificationDocument.caseId}`, p.caseId),
        notInArray(sql`+${verificationCase.status}`, ['REJECTED', 'REVOKED']),
      ),
    )
    .limit(1),
)
/** Whether a file is a paper of another case that stands. */
export const attachedElsewhere = (db: Db, orgId: string, caseId: string, mediaObjectId: string): boolean =>
  elsewhere(db).get({ orgId, caseId, mediaObjectId }) !== undefined

const remind = query('verification.remindOn', ['orgId', 'caseId', 'id', 'remindOn'], (db, p) =>
  db
    .update(verificationDocument)
    .set({ remindOn: sql`${p.remindOn}` })
    .where(
      and(
        eq(verificationDocument.orgId, p.orgId),
        eq(verificationDocument.caseId, p.caseId),
        eq(sql`+${verificationDocument.id}`, p.id),
      ),
    ),
)
export const setReminder = (tx: Tx, row: VerificationDocumentRow, remindOn: string | null): void =>
  void remind(tx).run({ orgId: row.orgId, caseId: row.caseId, id: row.id, remindOn })

/** Papers of a time zone's organizations whose subject is to be reminded by a day. */
export const dueReminders = query('verification.due', ['timeZone', 'today', 'limit'], (db, p) =>
  db
    .select({
      id: verificationDocument.id,
      orgId: verificationDocument.orgId,
      caseId: verificationDocument.caseId,
    })
    .from(verificationDocument)
    .innerJoin(organization, eq(organization.id, verificationDocument.orgId))
    .where(
      and(
        lte(verificationDocument.remindOn, p.today),
        eq(sql`+${organization.timeZone}`, p.timeZone),
        livesHere(verificationDocument.orgId),
      ),
    )
    .orderBy(asc(verificationDocument.remindOn))
    .limit(p.limit),
)
const subject = alias(appUser, 'subject')
const assignee = alias(appUser, 'assignee')
const reviewer = alias(appUser, 'reviewer')
export const listCases = list({
  name: 'verification',
  table: verificationCase,
  org: verificationCase.orgId,
  id: verificationCase.id,
  columns: listColumns(verificationCase, 'createdBy', 'submittedBy'),
  joins: sql`left join ${property} on ${property.orgId} = ${verificationCase.orgId} and ${property.id} = ${verificationCase.propertyId}
    left join ${appUser} ${sql.identifier('subject')} on ${subject.orgId} = ${verificationCase.orgId} and ${subject.id} = ${verificationCase.subjectUserId}
    left join ${appUser} ${sql.identifier('assignee')} on ${assignee.orgId} = ${verificationCase.orgId} and ${assignee.id} = ${verificationCase.assignedTo}
    left join ${appUser} ${sql.identifier('reviewer')} on ${reviewer.orgId} = ${verificationCase.orgId} and ${reviewer.id} = ${verificationCase.reviewedBy}`,
  computed: (scope, { scopeUser }) => {
    // People do not learn who reviews their own case.
    const staff = (who: typeof assignee | typeof reviewer) =>
      scope === 'all'
        ? sql<string>`case when ${verificationCase.subjectUserId} <> ${scopeUser} then ${fullName(who)} end`
        : sql<string>`null`
    return {
      subjectName:
        scope === 'all'
          ? fullName(subject)
          : sql<string>`case when ${subject.id} = ${scopeUser} then ${fullName(subject)} end`,
      propertyName: sql<string>`${property.name}`,
      assignedToName: staff(assignee),
      reviewedByName: staff(reviewer),
    }
  },
  filters: {
    subjectUserId: { column: verificationCase.subjectUserId, narrow: true },
    propertyId: { column: verificationCase.propertyId, narrow: true },
    assignedTo: { column: verificationCase.assignedTo },
    status: { column: verificationCase.status, several: true },
    kind: { column: verificationCase.kind },
  },
  ranges: { updatedSince: { column: verificationCase.updatedAt, op: '>=' } },
  scopes: {
    owner: {
      where: (p) =>
        sql`exists (select 1 from ${property} where ${property.orgId} = ${verificationCase.orgId} and ${property.id} = ${verificationCase.propertyId} and +${property.ownerUserId} = ${p})`,
    },
    // A limited manager does not see proofs of ownership.
    limited: { where: (p) => sql`+${verificationCase.subjectUserId} = ${p}` },
  },
})
