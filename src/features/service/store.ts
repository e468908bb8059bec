import type { Db, Tx } from '../../../db/open.ts'
import { readSetting, writeSetting } from '../../../db/settings.ts'

/** What the last look through the database file found. Times in epoch ms. */
export type Check = { readonly at: number; readonly ms?: number; readonly problems?: readonly string[] }

const KEY = 'database_check'
export function lastCheck(db: Db): Check | undefined {
  const found = readSetting(db, KEY)
  return found === undefined ? undefined : (JSON.parse(found) as Check)
}
export const putCheck = (tx: Tx, check: Check): void => writeSetting(tx, KEY, JSON.stringify(check))
