import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
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
