import type { Channel, Outcome, OutgoingMessage } from './port.ts'
import { at, digitsOf, idOf, json, post, type Templates, templateText, type Vendor } from './request.ts'

export type InfobipSettings = {
  readonly url: string
  readonly apiKey: string
  /** The sender of each channel; a channel without a sender is not served. */
  readonly senders: Readonly<Partial<Record<Channel, string>>>
  readonly templates: Templates
  /** The URL for delivery reports, sent with each message if set. */
  readonly reportUrl: string | undefined
}

/** Rejected although the answer is 200: unknown number, no credit, forbidden sender. */
const REFUSED = /^(REJECTED|UNDELIVERABLE|EXPIRED)$/

function outcomeOf(answer: unknown): Outcome | undefined {
  // The answer to a single WhatsApp message may lack the list.
  const message = at(answer, 'messages.0') ?? answer
  const group = at(message, 'status.groupName')
  const status = at(message, 'status.name')
  if (typeof group === 'string' && REFUSED.test(group))
    return {
      took: false,
      reason: typeof status === 'string' && /^[A-Z_]{1,60}$/.test(status) ? status.toLowerCase() : 'rejected',
      again: false,
      fault: 'message',
    }
  const vendorMessageId = idOf(at(message, 'messageId'))
  return vendorMessageId === undefined ? undefined : { took: true, vendorMessageId }
}

/** Infobip: WhatsApp templates (version 1) and SMS (version 3), one message a request. */
export function infobip(s: InfobipSettings): Vendor {
  const headers = { ...json, authorization: `App ${s.apiKey}` }

  function whatsapp(from: string, { to, code, text, locale }: OutgoingMessage): object {
    const templateData = {
      body: { placeholders: [code ?? templateText(text)] },
      ...(code === undefined ? {} : { buttons: [{ type: 'URL', parameter: code }] }),
    }
    return {
      from,
      to: digitsOf(to),
      content: {
        templateName: code === undefined ? s.templates.news : s.templates.code,
        templateData,
        language: locale,
      },
      ...(s.reportUrl === undefined ? {} : { notifyUrl: s.reportUrl }),
    }
  }

  const sms = (sender: string, { to, text }: OutgoingMessage, lifeSeconds: number): object => ({
    sender,
    destinations: [{ to: digitsOf(to) }],
    content: { text },
    // The vendor drops the message when the code expires, so that a phone switched on later gets no invalid code.
    options: { validityPeriod: { amount: lifeSeconds, timeUnit: 'SECONDS' } },
    ...(s.reportUrl === undefined ? {} : { webhooks: { delivery: { url: s.reportUrl } } }),
  })

  return {
    name: 'infobip',
    channels: (['WHATSAPP', 'SMS'] as const).filter((channel) => s.senders[channel] !== undefined),
    send(m, lifeSeconds) {
      const from = s.senders[m.channel] ?? ''
      const [path, message] =
        m.channel === 'WHATSAPP'
          ? ['/whatsapp/1/message/template', whatsapp(from, m)]
          : ['/sms/3/messages', sms(from, m, lifeSeconds)]
      return post({ url: `${s.url}${path}`, headers, body: JSON.stringify({ messages: [message] }) }, outcomeOf)
    },
  }
}
