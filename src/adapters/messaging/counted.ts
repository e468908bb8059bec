import { smsLength } from '../../core/gsm.ts'
import type { Channel, Messenger } from './port.ts'

const CHANNELS = ['WHATSAPP', 'SMS'] as const satisfies readonly Channel[]
type Count = { readonly count: (name: string, by?: number) => void }
type Prices = Readonly<Record<'SMS' | 'WHATSAPP', number | undefined>>

const RESULTS = ['taken', 'put_off', 'refused'] as const
const of = (vendor: string, channel: string, more = ''): string => `{vendor="${vendor}",channel="${channel}"${more}}`

/** Counts attempts by their outcome, and what a vendor bills: parts of messages, and their price where it is known. */
export function counted(messenger: Messenger, { count }: Count, prices: Prices): Messenger {
  function bill(vendor: string, channel: Channel, parts: number): void {
    const price = prices[channel]
    count(`loyer_message_parts_total${of(vendor, channel)}`, parts)
    if (price !== undefined) count(`loyer_message_cost_xaf_total${of(vendor, channel)}`, parts * price)
  }
  const tried = (vendor: string, channel: Channel, result: (typeof RESULTS)[number], n = 1): void =>
    count(`loyer_messages_total${of(vendor, channel, `,result="${result}"`)}`, n)
  // A monitor sees no increase in a counter that begins with its first message.
  for (const channel of CHANNELS) {
    const vendor = messenger.vendors[channel]
    if (vendor === undefined) continue
    for (const result of RESULTS) tried(vendor, channel, result, 0)
    bill(vendor, channel, 0)
  }

  return {
    ...messenger,
    async send(message, attempt) {
      const { channel, text } = message
      const outcome = await messenger.send(message, attempt)
      const vendor = messenger.vendors[channel] ?? 'none'
      tried(vendor, channel, outcome.took ? 'taken' : outcome.again ? 'put_off' : 'refused')
      if (outcome.took) bill(vendor, channel, channel === 'SMS' ? smsLength(text).segments : 1)
      return outcome
    },
  }
}
