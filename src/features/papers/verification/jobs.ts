import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers, JobRow } from '../../../jobs/worker.ts'
import { inform } from '../../people/messages/news.ts'
import { senderOf } from '../../people/notifications/senders.ts'
import { sweep } from '../../people/organizations/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { findUser } from '../../people/users/store.ts'
import { getProperty } from '../../property/properties/store.ts'
import { lapsedBefore } from './rules.ts'
import { lapseCase, remindOfExpiry } from './service.ts'
import { dueReminders, findCase, lapsedCases } from './store.ts'
import { TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** Reminds of papers that expire, each by the calendar day of its own organization. @returns how many it looked at */
export const remindOfExpiries = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'verification',
    (timeZone, today, limit) => dueReminders(deps.db).all({ timeZone, today, limit }),
    ({ orgId, caseId, id }) =>
      deps.write(orgId, (tx) => remindOfExpiry(systemCtx(deps, tx, orgId, `expiry-${id}`), caseId, id)),
  )

const BATCH = 500
/** Deletes the papers of cases that failed half a year ago, a limited number an hour. An error in one stops no other. */
export async function forgetLapsedCases(deps: Work): Promise<void> {
  for (const { orgId, id } of lapsedCases(deps.db).all({ before: lapsedBefore(deps.clock.now()), limit: BATCH })) {
    if (deps.stopping.aborted) break
    await deps
      .write(orgId, (tx) => {
        lapseCase(systemCtx(deps, tx, orgId, `lapse-${id}`), id)
        return true
      })
      .catch((e: unknown) => deps.log.error('verification.lapse_failed', e, { id }))
  }
}

const ALL = { kind: 'all', userId: '' } as const
type Texts = (typeof TEXTS)['fr' | 'en']
/** Notifies the subject of a verification of its outcome, in their language or their organization's. */
export function verificationHandlers(deps: Parameters<typeof inform>[0]): Handlers {
  const { db } = deps
  async function tell(
    { id, orgId, payload }: JobRow,
    purpose: string,
    text: (t: Texts, c: Parameters<Texts['verificationExpiring']>[0]) => string,
  ): Promise<void> {
    const row = findCase(db, orgId ?? '', String(payload?.caseId))
    const subject = row && findUser(db, row.orgId, row.subjectUserId)
    if (!row || !subject?.phoneNumber) return
    const property = row.propertyId === null ? undefined : getProperty(db, row.orgId, ALL, row.propertyId)
    const locale = subject.locale ?? findOrganization(db, row.orgId)?.locale ?? 'fr'
    const named = { kind: row.kind, propertyName: property?.name ?? '', note: String(payload?.note ?? '') }
    const message = { id, orgId: row.orgId, to: subject.phoneNumber, channel: 'WHATSAPP', purpose, locale } as const
    const sender = senderOf(db, row.orgId, null)
    await inform(deps, { ...message, text: text(TEXTS[locale], named), sender })
  }
  return {
    'verification.decided': (job) =>
      tell(job, 'verification_decided', (t, c) =>
        t.verificationDecided[String(job.payload?.status) as keyof typeof t.verificationDecided](c),
      ),
    'verification.expiring': (job) =>
      tell(job, 'verification_expiring', (t, c) => t.verificationExpiring(c, String(job.payload?.expiresOn))),
  }
}
