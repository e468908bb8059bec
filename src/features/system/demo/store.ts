import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { message } from '../../../../db/schema/operations.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { readSetting, writeSetting } from '../../../../db/settings.ts'

/**
 * The accounts of a demo, whose password is public; when it was filled, real time, epoch ms; whether strangers visit it.
 */
export type DemoMark = {
  readonly orgId: string
  readonly people: readonly string[]
  readonly madeAt: number
  readonly isPublic: boolean
}
const KEY = 'demo'

/** The mark of a database that `loyer demo` made; undefined in any other. */
export function readDemo(db: Db): DemoMark | undefined {
  const text = readSetting(db, KEY)
  // This service wrote it.
  return text ? (JSON.parse(text) as DemoMark) : undefined
}
export const markDemo = (tx: Tx, mark: DemoMark | undefined): void =>
  writeSetting(tx, KEY, mark ? JSON.stringify(mark) : '')

const others = query('demo.others', ['people'], (db, p) =>
  db
    .select({ orgId: appUser.orgId, roles: appUser.roles, status: appUser.status })
    .from(appUser)
    .where(sql`${appUser.id} not in (select value from json_each(${p.people}))`),
)
/** Accounts and invitations that a demo did not make. */
export const othersAfter = (db: Db, people: readonly string[]) => others(db).all({ people: JSON.stringify(people) })

export const insertMessage = inserting('message.insert', message)
export type InboxRow = typeof message.$inferSelect

const to = query('message.to', ['to'], (db, p) =>
  db.select().from(message).where(eq(message.to, p.to)).orderBy(desc(message.id)).limit(50),
)
const latest = query('message.latest', [], (db) => db.select().from(message).orderBy(desc(message.id)).limit(50))
export const findMessages = (db: Db, phone: string | undefined): InboxRow[] =>
  phone === undefined ? latest(db).all({}) : to(db).all({ to: phone })

const OFFSET = 'clock.offset_ms'
export const readOffset = (db: Db): number => Number(readSetting(db, OFFSET) ?? 0)
export const writeOffset = (tx: Tx, ms: number): void => writeSetting(tx, OFFSET, String(ms))

const withRole = query('sandbox.userWithRole', ['role'], (db, p) =>
  db
    .select({ id: appUser.id })
    .from(appUser)
    .where(
      and(
        eq(appUser.status, sql`'ACTIVE'`),
        sql`exists (select 1 from json_each(${appUser.roles}) where value = ${p.role})`,
      ),
    )
    .orderBy(appUser.id)
    .limit(1),
)
/** The first user with this role: in a seeded sandbox, the demo user. */
export const firstUserWithRole = (db: Db, role: string): string | undefined => withRole(db).get({ role })?.id
