import { createMessenger } from '../../src/adapters/messaging/messenger.ts'
import type { Outcome, OutgoingMessage } from '../../src/adapters/messaging/port.ts'
import { loadConfig } from '../../src/config.ts'
import { silentLog } from '../../src/log.ts'
import type { Mode } from './vendor.ts'

export const SID = 'AC0123456789abcdef0123456789abcdef'
export const HX = (digit: string) => `HX${digit.repeat(32)}`
/** Each adapter's settings, with its vendor at an address. */
export const settingsAt = (url: string) =>
  ({
    'whatsapp-cloud': {
      MESSAGING: 'whatsapp-cloud',
      WHATSAPP_URL: url,
      WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
      WHATSAPP_TOKEN: 'EAAJB-secret',
    },
    infobip: {
      MESSAGING: 'infobip',
      INFOBIP_URL: url,
      INFOBIP_API_KEY: 'key-secret',
      INFOBIP_WHATSAPP_SENDER: '447860099299',
      INFOBIP_SMS_SENDER: 'Loyer',
    },
    twilio: {
      MESSAGING: 'twilio',
      TWILIO_URL: url,
      TWILIO_ACCOUNT_SID: SID,
      TWILIO_AUTH_TOKEN: 'auth-secret',
      TWILIO_WHATSAPP_FROM: '+14155238886',
      TWILIO_SMS_FROM: 'Loyer',
      TWILIO_CONTENT_CODE: `fr=${HX('a')},en=${HX('b')}`,
      TWILIO_CONTENT_NEWS: HX('c'),
    },
    http: {
      MESSAGING: 'http',
      MESSAGING_HTTP_URL: `${url}/send?account=7`,
      MESSAGING_HTTP_AUTHORIZATION: 'Token http-secret',
      MESSAGING_HTTP_CHANNELS: 'WHATSAPP,SMS',
      MESSAGING_HTTP_BODY:
        '{"phone":"{{digits}}","msg":{"body":"{{text}}","otp":"{{code}}"},"kind":"{{channel}}/{{purpose}}/{{locale}}","ref":"{{id}}","n":1}',
    },
  }) as const
export type Name = keyof ReturnType<typeof settingsAt>
export const messengerAt =
  (url: string) =>
  (name: Name, more: Record<string, string> = {}) =>
    createMessenger(loadConfig({ ...settingsAt(url)[name], ...more }).messaging, silentLog)

export const CODE: OutgoingMessage = {
  orgId: null,
  to: '+237677123456',
  channel: 'WHATSAPP',
  purpose: 'registration',
  locale: 'fr',
  text: 'Loyer : votre code est 482913.',
  code: '482913',
}
export const NEWS: OutgoingMessage = {
  orgId: null,
  to: '+237677123456',
  channel: 'WHATSAPP',
  purpose: 'invoice_issued',
  locale: 'en',
  text: 'Rent for A1:\n60\u00a0000 "FCFA"   \\ to be paid.',
}
export const sms = (m: OutgoingMessage): OutgoingMessage => ({ ...m, channel: 'SMS' })
export const LIFE = { id: 'our-id', lifeSeconds: 600 }

export const no = (reason: string, again: boolean, fault: 'vendor' | 'message', more = {}): Outcome => ({
  took: false,
  reason,
  again,
  fault,
  ...more,
})
export const says = (status: number, body: unknown = {}, headers: Record<string, string> = {}): Mode => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
})
