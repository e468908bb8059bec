import { readMark } from '../../../../db/clock.ts'
import type { Db } from '../../../../db/open.ts'

/** The latest time that the service has seen, epoch ms. */
export const latestTime = (db: Db): number => readMark(db).mark
