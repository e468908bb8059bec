import type { Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import { signedBy } from '../../../core/message-text.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { sharerBehind } from '../../../jobs/queue.ts'
import { planNews } from './budgets.ts'
import { MESSAGE_CHANNELS } from './rules.ts'
import { enqueueMessage, type NewMessage } from './service.ts'
import { findOutbound } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

/** Enqueues news in the transaction of the change it reports. */
export const tellWith = (deps: Work, tx: Tx, m: Omit<NewMessage, 'channel'>): void =>
  void enqueueMessage(deps, tx, { ...m, channel: 'WHATSAPP' })

/** The same on every channel that a vendor serves, for what somebody else does to a person's account. */
export function warnWith(deps: Work, tx: Tx, m: Omit<NewMessage, 'channel'>): void {
  const served = MESSAGE_CHANNELS.filter((channel) => deps.messenger.vendors[channel] !== undefined)
  for (const channel of served.length === 0 ? (['WHATSAPP'] as const) : served)
    enqueueMessage(deps, tx, { ...m, channel })
}

/**
 * Enqueues news about an organization: the message and its audit entry, both under the id of the job, so that each is
 * written once however often the job runs. If a budget withholds the message, the audit entry says so. `sender`: the
 * landlord's name at the end of the text; null if the text names them already.
 */
export async function inform(
  deps: Work & Pick<Deps, 'config'>,
  request: NewMessage & { readonly id: string; readonly orgId: string; readonly sender: string | null },
): Promise<void> {
  const { sender, ...unsigned } = request
  const message = { ...unsigned, text: sender === null ? unsigned.text : signedBy(unsigned.text, sender) }
  const { id, orgId, to, channel, purpose } = message
  await deps.write(orgId, (tx) => {
    if (findOutbound(tx, id)) return null
    const { withheld, sendAtMs } = planNews(deps, tx, { orgId, to, by: sharerBehind(tx, id) })
    const details = { purpose, channel, maskedDestination: maskPhone(to) }
    const ctx = systemCtx(deps, tx, orgId, id)
    if (withheld !== null) {
      record(ctx, 'message.withheld', { type: 'message', after: { id }, details: { ...details, reason: withheld } })
      return true
    }
    enqueueMessage(deps, tx, { ...message, ...(sendAtMs === null ? {} : { sendAtMs }) })
    const sendAfter = sendAtMs === null ? {} : { sendAfter: new Date(sendAtMs).toISOString() }
    record(ctx, 'message.send', { type: 'message', after: { id }, details: { ...details, ...sendAfter } })
    return true
  })
}
