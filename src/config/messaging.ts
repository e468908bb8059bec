import { type Static, Type } from '@sinclair/typebox'

const text = (pattern: string, description: string) => Type.Optional(Type.String({ pattern, description }))
/** A header value: no line break, ASCII only. */
const secret = (description: string) => text('^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$', description)
/** A key or id of a vendor has no space: with one, its label or a scheme was copied along. */
const issued = (description: string) => text('^[\\x21-\\x7e]+$', `${description}, without spaces`)
const address = (pattern: string, description: string) =>
  Type.Optional(Type.String({ format: 'web-address', pattern, description }))
/** Plain http is allowed to this machine only, because requests to a vendor carry codes and a key. */
const base = (description: string) =>
  address('^(https://|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(?=[:/]|$))[^\\s?#@]*[^\\s?#@/]$', description)
const template = text('^[a-z0-9_]{1,512}$', 'the name of a WhatsApp template: small letters, digits and _')
const number = '\\+?[1-9]\\d{6,14}'
const sid = 'HX[0-9a-f]{32}'
const contents = text(`^(${sid}|fr=${sid}\\s*,\\s*en=${sid})$`, 'HX… for both languages, or fr=HX…,en=HX…')

/** The settings of the messaging vendors; MESSAGING and MESSAGING_SMS decide which of them are required. */
export const MESSAGING_SETTINGS = {
  MESSAGING: text('^(log|whatsapp-cloud|infobip|twilio|http)$', 'log, whatsapp-cloud, infobip, twilio or http'),
  MESSAGING_SMS: text('^(infobip|twilio|http)$', 'infobip, twilio or http'),
  MESSAGING_TEMPLATE_CODE: template,
  MESSAGING_TEMPLATE_NEWS: template,
  WHATSAPP_URL: base('an https address'),
  WHATSAPP_VERSION: text('^v\\d{1,3}\\.\\d$', 'a version of the Graph API, such as v25.0'),
  WHATSAPP_PHONE_NUMBER_ID: text('^\\d{5,20}$', 'the id of the sending number (digits, not the number itself)'),
  WHATSAPP_TOKEN: issued('the access token of a system user'),
  INFOBIP_URL: base("your account's address, such as https://xxxxx.api.infobip.com"),
  INFOBIP_API_KEY: issued('an API key without the word App'),
  INFOBIP_WHATSAPP_SENDER: text(`^${number}$`, 'the WhatsApp sender, a number'),
  INFOBIP_SMS_SENDER: text(`^(${number}|[A-Za-z0-9 ]{1,11})$`, 'the SMS sender: a number or up to 11 letters'),
  TWILIO_URL: base('an https address'),
  TWILIO_ACCOUNT_SID: text('^AC[0-9a-f]{32}$', 'AC and 32 hexadecimal digits'),
  TWILIO_AUTH_TOKEN: issued("the account's auth token"),
  TWILIO_WHATSAPP_FROM: text(
    `^(\\+[1-9]\\d{6,14}|MG[0-9a-f]{32})$`,
    'the WhatsApp sender, such as +14155238886, or MG…',
  ),
  TWILIO_SMS_FROM: text(
    '^(\\+[1-9]\\d{6,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$',
    'the SMS sender: a number such as +14155238886, MG…, or up to 11 letters',
  ),
  TWILIO_CONTENT_CODE: contents,
  TWILIO_CONTENT_NEWS: contents,
  MESSAGING_HTTP_URL: address(
    '^(https://|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(?=[:/]|$))[^\\s#@]+$',
    'an https address; http to this machine only',
  ),
  MESSAGING_HTTP_AUTHORIZATION: secret('the value of the Authorization header'),
  MESSAGING_HTTP_CHANNELS: text('^(SMS|WHATSAPP|WHATSAPP\\s*,\\s*SMS|SMS\\s*,\\s*WHATSAPP)$', 'SMS, WHATSAPP or both'),
  MESSAGING_HTTP_BODY: Type.Optional(Type.String({ description: 'a JSON object' })),
}
export const MESSAGING_SECRETS = [
  'WHATSAPP_TOKEN',
  'INFOBIP_API_KEY',
  'TWILIO_AUTH_TOKEN',
  'MESSAGING_HTTP_AUTHORIZATION',
] as const

const Schema = Type.Object(MESSAGING_SETTINGS)
type Settings = Static<typeof Schema>
type Key = keyof Settings
const CHANNELS = ['WHATSAPP', 'SMS'] as const
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const PLACEHOLDERS = ['to', 'digits', 'text', 'code', 'channel', 'purpose', 'locale', 'id', 'seconds']
const DEFAULT_BODY = '{"to":"{{to}}","channel":"{{channel}}","text":"{{text}}","reference":"{{id}}"}'

/** The body template of the http adapter: a JSON object with a placeholder for the number and for the text or code. */
function readBody(source: string, problems: string[]): Json {
  let body: Json = null
  try {
    body = JSON.parse(source) as Json
  } catch {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    problems.push('MESSAGING_HTTP_BODY: must be a JSON object')
    return {}
  }
  const used = [...source.matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => match[1] ?? '')
  for (const word of used.filter((word) => !PLACEHOLDERS.includes(word)))
    problems.push(`MESSAGING_HTTP_BODY: there is no {{${word}}}; there are ${PLACEHOLDERS.join(', ')}`)
  if (!used.includes('to') && !used.includes('digits'))
    problems.push('MESSAGING_HTTP_BODY: must say where the number goes, {{to}} or {{digits}}')
  if (!used.includes('text')) problems.push('MESSAGING_HTTP_BODY: must say where the text goes, {{text}}')
  return body
}

const sids = (value: string | undefined) => {
  const [fr = '', en = fr] = (value ?? '').match(/HX[0-9a-f]{32}/g) ?? []
  return { fr, en }
}

/**
 * Options of the messaging adapters; every missing setting is reported by name. `reportUrl` is the callback for
 * delivery reports, for vendors that can authenticate to it.
 */
export function readMessaging(s: Settings, reportUrl: string | undefined, problems: string[]) {
  const vendor = s.MESSAGING ?? 'log'
  const sms = s.MESSAGING_SMS
  const uses = (name: string): boolean => vendor === name || sms === name
  const need = (name: string, ...keys: Key[]): void => {
    for (const key of keys) if (s[key] === undefined) problems.push(`${key}: must be set for ${name}${secretHint(key)}`)
  }
  const oneOf = (name: string, a: Key, b: Key): void => {
    if (s[a] === undefined && s[b] === undefined) problems.push(`${a} or ${b}: must be set for ${name}`)
  }
  if (sms !== undefined && (vendor === 'log' || vendor === sms))
    problems.push(`MESSAGING_SMS: names a second adapter beside MESSAGING, which is ${vendor}`)
  const senders = (whatsapp: string | undefined, text: string | undefined) => ({
    ...(whatsapp === undefined ? {} : { WHATSAPP: whatsapp }),
    ...(text === undefined ? {} : { SMS: text }),
  })
  const templates = {
    code: s.MESSAGING_TEMPLATE_CODE ?? 'loyer_code',
    news: s.MESSAGING_TEMPLATE_NEWS ?? 'loyer_news',
  }

  if (uses('whatsapp-cloud')) need('whatsapp-cloud', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_TOKEN')
  if (uses('infobip')) need('infobip', 'INFOBIP_URL', 'INFOBIP_API_KEY')
  if (vendor === 'infobip') oneOf('infobip', 'INFOBIP_WHATSAPP_SENDER', 'INFOBIP_SMS_SENDER')
  if (sms === 'infobip') need('infobip', 'INFOBIP_SMS_SENDER')
  if (uses('twilio')) need('twilio', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN')
  if (vendor === 'twilio') oneOf('twilio', 'TWILIO_WHATSAPP_FROM', 'TWILIO_SMS_FROM')
  if (sms === 'twilio') need('twilio', 'TWILIO_SMS_FROM')
  const twilioWhatsapp = vendor === 'twilio' && s.TWILIO_WHATSAPP_FROM !== undefined
  if (twilioWhatsapp) need('WhatsApp by twilio', 'TWILIO_CONTENT_CODE', 'TWILIO_CONTENT_NEWS')
  if (uses('http')) need('http', 'MESSAGING_HTTP_URL')
  const channels = CHANNELS.filter((channel) => (s.MESSAGING_HTTP_CHANNELS ?? 'SMS').includes(channel))
  if (sms === 'http' && !channels.includes('SMS'))
    problems.push('MESSAGING_HTTP_CHANNELS: must hold SMS where http is MESSAGING_SMS')

  return {
    vendor,
    sms,
    whatsappCloud: uses('whatsapp-cloud')
      ? {
          url: s.WHATSAPP_URL ?? 'https://graph.facebook.com',
          version: s.WHATSAPP_VERSION ?? 'v25.0',
          phoneNumberId: s.WHATSAPP_PHONE_NUMBER_ID ?? '',
          token: s.WHATSAPP_TOKEN ?? '',
          templates,
        }
      : undefined,
    infobip: uses('infobip')
      ? {
          url: s.INFOBIP_URL ?? '',
          apiKey: s.INFOBIP_API_KEY ?? '',
          senders: senders(s.INFOBIP_WHATSAPP_SENDER, s.INFOBIP_SMS_SENDER),
          templates,
          reportUrl,
        }
      : undefined,
    twilio: uses('twilio')
      ? {
          url: s.TWILIO_URL ?? 'https://api.twilio.com',
          accountSid: s.TWILIO_ACCOUNT_SID ?? '',
          authToken: s.TWILIO_AUTH_TOKEN ?? '',
          senders: senders(twilioWhatsapp ? s.TWILIO_WHATSAPP_FROM : undefined, s.TWILIO_SMS_FROM),
          contents: twilioWhatsapp
            ? { code: sids(s.TWILIO_CONTENT_CODE), news: sids(s.TWILIO_CONTENT_NEWS) }
            : undefined,
          reportUrl,
        }
      : undefined,
    http: uses('http')
      ? {
          url: s.MESSAGING_HTTP_URL ?? '',
          authorization: s.MESSAGING_HTTP_AUTHORIZATION,
          channels,
          body: readBody(s.MESSAGING_HTTP_BODY ?? DEFAULT_BODY, problems),
        }
      : undefined,
  }
}
export type MessagingConfig = ReturnType<typeof readMessaging>

const secretHint = (key: Key): string =>
  (MESSAGING_SECRETS as readonly string[]).includes(key) ? `, or ${key}_FILE` : ''
