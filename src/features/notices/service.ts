import { maskPhone } from '../../core/phone.ts'
import type { Deps } from '../../deps.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { record } from '../audit/service.ts'
import { enqueueMessage, type NewMessage, sendMessage } from '../messages/service.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

/** News to a number that must not undo what it tells of. */
export const tell = (deps: Work, m: Omit<NewMessage, 'channel'>): Promise<void> =>
  sendMessage(deps, { ...m, channel: 'WHATSAPP' }).catch((e: unknown) =>
    deps.log.error('message.failed', e, { purpose: m.purpose }),
  )

/**
 * News of an organization's affairs: the message and its line of the audit trail, under the id of the job that asks for
 * it: once each, however often the job runs.
 */
export async function inform(
  deps: Work,
  message: NewMessage & { readonly id: string; readonly orgId: string },
): Promise<void> {
  const { id, orgId, to, channel, purpose } = message
  await deps.write(orgId, (tx) => {
    if (enqueueMessage(deps, tx, message) === undefined) return null
    const details = { purpose, channel, maskedDestination: maskPhone(to) }
    record(systemCtx(deps, tx, orgId, id), 'message.send', { type: 'message', after: { id }, details })
    return true
  })
}
