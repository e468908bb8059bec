import { addDays, localDate, localTime, maxDate } from '../../core/dates.ts'
import { type Handlers, systemCtx } from '../../jobs/worker.ts'
import { getInvoice } from '../invoices/store.ts'
import { isQuiet, quietHoursOf, remindersOf } from '../organizations/rules.ts'
import { findOrganization, type OrganizationRow, timeZones } from '../organizations/store.ts'
import { offsetDue, stepAt } from './rules.ts'
import { isTimely, sendNotice, type Work } from './service.ts'
import { markReminded, openInvoices, organizationsToRemind } from './store.ts'

/** A server that was off for longer does not make up for what it would have said. */
const CATCH_UP_DAYS = 7
const BATCH = 200
/** Of one write: others wait no longer than that. */
const SLICE = 50
const ALL = { kind: 'all', userId: '' } as const

/** The rent is called when its invoice is issued. */
export const reminderHandlers = (deps: Work): Handlers => ({
  'invoice.issued': async ({ id, orgId, source }) =>
    void (await deps.write(orgId, (tx) => {
      const invoice = getInvoice(tx, orgId ?? '', ALL, source)
      const organization = findOrganization(tx, orgId ?? '')
      if (!invoice || !organization || !isTimely(invoice, organization.timeZone)) return null
      return (
        sendNotice(deps, systemCtx(deps, tx, invoice.orgId, id), invoice, { step: 'RENT_CALL', once: 'RENT_CALL' }) ??
        null
      )
    })),
})

/**
 * Once a local day, outside of quiet hours: every open invoice whose day of the schedule has come. What is sent is never
 * sent again, however often this runs. @returns how many notices went out
 */
export async function remindTenants(deps: Work): Promise<number> {
  let sent = 0
  const now = deps.clock.now()
  for (const timeZone of timeZones(deps.db)) {
    const today = localDate(now, timeZone)
    const time = localTime(now, timeZone)
    let after = ''
    for (;;) {
      const organizations = organizationsToRemind(deps.db, timeZone, today, after, BATCH)
      for (const organization of organizations)
        if (!isQuiet(quietHoursOf(organization), time)) sent += await remindOrganization(deps, organization, today)
      const last = organizations.at(-1)
      if (!last || organizations.length < BATCH) break
      after = last.id
    }
  }
  return sent
}

async function remindOrganization(deps: Work, organization: OrganizationRow, today: string): Promise<number> {
  const { id: orgId, remindedOn, timeZone } = organization
  const schedule = remindersOf(organization)
  const since = maxDate(remindedOn ?? addDays(today, -1), addDays(today, -CATCH_UP_DAYS))
  const due =
    schedule.length === 0
      ? []
      : openInvoices(
          deps.db,
          orgId,
          addDays(since, 1 - Math.max(...schedule)),
          addDays(today, -Math.min(...schedule)),
        ).flatMap(({ id, dueDate }) => {
          const offset = offsetDue(schedule, dueDate, since, today)
          return offset === undefined ? [] : [{ id, offset }]
        })
  let sent = 0
  for (let i = 0; i < due.length; i += SLICE)
    sent += await deps.write(orgId, (tx) => {
      let n = 0
      for (const { id, offset } of due.slice(i, i + SLICE)) {
        const invoice = getInvoice(tx, orgId, ALL, id)
        if (!invoice || !isTimely(invoice, timeZone)) continue
        const ctx = systemCtx(deps, tx, orgId, `reminder-${id}`)
        if (sendNotice(deps, ctx, invoice, { step: stepAt(offset, schedule), once: String(offset) })) n += 1
      }
      return n
    })
  // Only now: what a crash left out is found again, and what was sent is not sent twice.
  await deps.write(null, (tx) => {
    markReminded(tx, orgId, today)
    return true
  })
  return sent
}
