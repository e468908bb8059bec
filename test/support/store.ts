import Database from 'better-sqlite3'
import { attach, type Store, type Tx } from '../../db/open.ts'
import { AppError } from '../../src/errors.ts'

const template = attach(new Database(':memory:')).client.serialize()
const ORGANIZATIONS = ['a', 'b']
/** Its clock stands still, so that a slow machine divides no batch. */
export function newStore(client = new Database(Buffer.from(template)), now = (): number => 0): Store {
  const store = attach(client, { now })
  for (const id of ORGANIZATIONS)
    store.client.exec(
      `insert into organization(id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at)
       values('${id}', 0, 'Africa/Douala', 'fr', 5, 0, '', '')`,
    )
  return store
}
export const put =
  (key: string, value = 'x') =>
  (tx: Tx) => {
    tx.$client.prepare('insert into setting(key, value) values(?, ?)').run(key, value)
    return key
  }
export const keys = ({ client }: Store) =>
  client
    .prepare("select key from setting where key not in ('epoch', 'migrated_by', 'migrations') order by rowid")
    .pluck()
    .all()
/** What each write came to: its value, or the code or message of what it failed with. */
export const outcomes = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((r) =>
    r.status === 'fulfilled' ? r.value : r.reason instanceof AppError ? r.reason.code : String(r.reason),
  )
export const versions = (store: Store) => ORGANIZATIONS.map((id) => store.orgVersion(id))

/** Writes a property of organization `a`, whose owner is nobody: foreign keys must be off. */
export const property =
  (id: string) =>
  (tx: Tx): string => {
    tx.$client
      .prepare(
        `insert into property(id, org_id, owner_user_id, name, address_line, city, amenities, type, status, created_at, updated_at)
         values(?, 'a', 'o', 'Villa', 'Rue 1', 'Douala', '[]', 'VILLA', 'DRAFT', '', '')`,
      )
      .run(id)
    return id
  }
/** What the search finds by the name of those. */
export const found = ({ client }: Store): unknown =>
  client.prepare("select ref from search('propertyavilla') order by rowid").pluck().all()
