import type { MessagingConfig } from '../../config/messaging.ts'
import type { Log } from '../../log.ts'
import { guarded } from './guard.ts'
import { httpGateway } from './http.ts'
import { infobip } from './infobip.ts'
import { logMessenger } from './log.ts'
import type { Channel, Messenger } from './port.ts'
import { twilio } from './twilio.ts'
import { whatsappCloud } from './whatsapp-cloud.ts'

/** The configured adapters, each behind its breaker: one for all channels, or a second one for SMS. */
export function createMessenger(config: MessagingConfig, log: Log, monotonic?: () => number): Messenger {
  if (config.vendor === 'log') return logMessenger(log)
  const vendors = [
    config.whatsappCloud && whatsappCloud(config.whatsappCloud),
    config.infobip && infobip(config.infobip),
    config.twilio && twilio(config.twilio),
    config.http && httpGateway(config.http),
  ].flatMap((vendor) => (vendor ? [guarded(vendor, monotonic)] : []))
  const serving = (channel: Channel) =>
    [channel === 'SMS' ? config.sms : undefined, config.vendor]
      .map((name) => vendors.find((vendor) => vendor.name === name))
      .find((vendor) => vendor?.channels.includes(channel))
  const by = { WHATSAPP: serving('WHATSAPP'), SMS: serving('SMS') }
  return {
    vendors: {
      ...(by.WHATSAPP && { WHATSAPP: by.WHATSAPP.name }),
      ...(by.SMS && { SMS: by.SMS.name }),
    },
    pausedMs: (channel) => by[channel]?.pausedMs() ?? 0,
    send: async (message, { id, lifeSeconds }) =>
      (await by[message.channel]?.send(message, lifeSeconds, id)) ?? {
        took: false,
        reason: 'no_vendor',
        again: false,
        fault: 'message',
      },
  }
}
