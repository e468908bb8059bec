import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { payment } from '../../../../db/schema/payments.ts'

const anywhere = query('payment.anywhere', ['id'], (db, p) => db.select().from(payment).where(eq(payment.id, p.id)))
/** The payment that a link's token names; the token replaces the check of the organization. */
export const findLinkedPayment = (db: Db, id: string) => anywhere(db).get({ id })
