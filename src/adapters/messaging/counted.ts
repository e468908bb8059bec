import { smsLength } from '../../core/gsm.ts'
import type { Messenger } from './port.ts'

type Count = { readonly count: (name: string, by?: number) => void }
type Prices = Readonly<Record<'SMS' | 'WHATSAPP', number | undefined>>

/** Counts the attempts at messages, by what came of them, and what a vendor bills: parts, and their price where it is known. */
export const counted = (messenger: Messenger, { count }: Count, prices: Prices): Messenger => ({
  ...messenger,
  async send(message, attempt) {
    const outcome = await messenger.send(message, attempt)
    const vendor = messenger.vendors[message.channel] ?? 'none'
    const result = outcome.took ? 'taken' : outcome.again ? 'put_off' : 'refused'
    count(`loyer_messages_total{vendor="${vendor}",channel="${message.channel}",result="${result}"}`)
    if (!outcome.took) return outcome
    const labels = `{vendor="${vendor}",channel="${message.channel}"}`
    const parts = message.channel === 'SMS' ? smsLength(message.text).segments : 1
    const price = prices[message.channel]
    count(`loyer_message_parts_total${labels}`, parts)
    if (price !== undefined) count(`loyer_message_cost_xaf_total${labels}`, parts * price)
    return outcome
  },
})
