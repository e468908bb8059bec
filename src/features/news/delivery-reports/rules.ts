import { maskPhone, normalizePhone } from '../../../core/phone.ts'

export const REPORT_STATUS = [
  'PENDING',
  'SENT',
  'DELIVERED',
  'READ',
  'FAILED',
  'REJECTED',
  'EXPIRED',
  'UNKNOWN',
] as const
export type ReportStatus = (typeof REPORT_STATUS)[number]
/** What is stored of a vendor's delivery report: no unmasked number, no body. */
export type Report = {
  readonly channel: 'WHATSAPP' | 'SMS' | 'UNKNOWN'
  readonly status: ReportStatus
  readonly rawStatus: string
  readonly vendorMessageId: string
  readonly maskedDestination: string
  readonly errorCode: string
  readonly eventAt: string
}

type Json = Readonly<Record<string, unknown>>
const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v)
const MAX_DEPTH = 8
const MAX_REPORTS = 1000
/** The members in which vendors wrap their reports: Infobip, Meta, Orange, Twilio-like relays and plain posts. */
const WRAPPERS = [
  'results',
  'statuses',
  'messages',
  'events',
  'deliveryInfoNotification',
  'deliveryInfo',
  'data',
  'payload',
  'entry',
  'changes',
  'value',
]
const ID = ['messageId', 'message_id', 'MessageSid', 'message_uuid', 'callbackData', 'id']
const TO = ['msisdn', 'to', 'To', 'phoneNumber', 'receiver', 'recipient_id', 'recipient', 'address']
const STATUS = ['deliveryStatus', 'status', 'MessageStatus', 'msg_status']
const TIME = ['doneAt', 'seenAt', 'timestamp', 'message-timestamp', 'scts', 'date', 'sentAt']

const scalar = (v: unknown): string => (typeof v === 'string' ? v : typeof v === 'number' ? String(v) : '')
const first = (o: Json, names: readonly string[]): string => names.map((n) => scalar(o[n])).find((v) => v !== '') ?? ''

/** Order matters: "undelivered" before "delivered", and provisional statuses before final ones. */
const WORDS: readonly [RegExp, ReportStatus][] = [
  [/undeliver|impossible|not[ _-]?deliver|fail|dnd|absent/i, 'FAILED'],
  [/reject|block/i, 'REJECTED'],
  [/expire/i, 'EXPIRED'],
  [/deliveredto(operator|network)|delivered_to_operator|uncertain/i, 'SENT'],
  [/read|seen|played/i, 'READ'],
  [/deliver|success/i, 'DELIVERED'],
  [/sent|submit|accept/i, 'SENT'],
  [/pend|queue|buffer|schedul|sending|waiting/i, 'PENDING'],
]
const statusOf = (raw: string): ReportStatus => WORDS.find(([pattern]) => pattern.test(raw))?.[1] ?? 'UNKNOWN'

function rawStatusOf(o: Json): string {
  if (isObject(o.status)) {
    const [name, group] = [scalar(o.status.name), scalar(o.status.groupName)]
    return /^DELIVERED$/i.test(group) ? name || group : group || name
  }
  const named = first(o, STATUS)
  return named === '' && scalar(o.seenAt) !== '' ? 'seen' : named
}

function errorOf(o: Json): string {
  const error = isObject(o.error) ? first(o.error, ['id', 'code']) : ''
  const list = Array.isArray(o.errors) && isObject(o.errors[0]) ? first(o.errors[0], ['code', 'id']) : ''
  const code = error || list || first(o, ['ErrorCode', 'err-code', 'failureReason', 'errorCode'])
  return /^(0|NO_ERROR)$/i.test(code) ? '' : code.slice(0, 64)
}

function channelOf(o: Json, to: string): Report['channel'] {
  const words = `${scalar(o.channel)} ${to} ${scalar(o.type)}`
  return /whatsapp/i.test(words) || 'recipient_id' in o
    ? 'WHATSAPP'
    : /sms|tel:/i.test(words) || 'msisdn' in o
      ? 'SMS'
      : 'UNKNOWN'
}

const numberOf = (to: string): string | undefined =>
  normalizePhone(to.replace(/^(whatsapp|tel):/i, '')) ?? normalizePhone(`+${to.replace(/\D/g, '')}`)

/** Vendors repeat the number in ids and texts, so it is masked before they are stored. */
const masking = (number: string | undefined) => (text: string) =>
  number === undefined ? text : text.replace(new RegExp(`\\+?\\d*${number.slice(-8)}`, 'g'), maskPhone(number))

/** A vendor's time as an ISO instant, from ISO text or epoch seconds; empty if it is neither. */
function instantOf(o: Json): string {
  const text = first(o, TIME)
  const ms = /^\d{9,13}$/.test(text) ? Number(text) * (text.length > 10 ? 1 : 1000) : Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : ''
}

/** Every report in a body of any known shape; one with status UNKNOWN for an unknown shape. Never throws. */
export function readReports(body: Json): Report[] {
  const reports: Report[] = []
  const walk = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || reports.length >= MAX_REPORTS) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1)
      return
    }
    if (!isObject(value)) return
    const rawStatus = rawStatusOf(value)
    if (rawStatus !== '') {
      const to = first(value, TO)
      const number = numberOf(to)
      const masked = masking(number)
      reports.push({
        channel: channelOf(value, to),
        status: statusOf(rawStatus),
        rawStatus: masked(rawStatus.slice(0, 64)),
        vendorMessageId: masked(first(value, ID).slice(0, 128)),
        maskedDestination: number === undefined ? '' : maskPhone(number),
        errorCode: masked(errorOf(value)),
        eventAt: instantOf(value),
      })
      return
    }
    for (const name of WRAPPERS) walk(value[name], depth + 1)
  }
  walk(body, 0)
  const unknown: Report = {
    channel: 'UNKNOWN',
    status: 'UNKNOWN',
    rawStatus: '',
    vendorMessageId: '',
    maskedDestination: '',
    errorCode: '',
    eventAt: '',
  }
  return reports.length > 0 ? reports : [unknown]
}
