import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { readSetting, writeSetting } from '../../../../db/settings.ts'

const anyone = query('setup.anyone', [], (db) => db.select({ id: appUser.id }).from(appUser).limit(1))
/** Whether anybody has an account or an invitation on this server. */
export const isInhabited = (db: Db): boolean => anyone(db).get({}) !== undefined

const DIGEST = 'setup.digest'
/** SHA-256 of the link's token; empty while there is no link. */
export const readDigest = (db: Db): string => readSetting(db, DIGEST) ?? ''
export const writeDigest = (tx: Tx, digest: string): void => writeSetting(tx, DIGEST, digest)
