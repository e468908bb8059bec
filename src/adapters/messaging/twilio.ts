import type { Channel, Locale, Outcome } from './port.ts'
import { at, idOf, post, templateText, type Vendor } from './request.ts'

type ContentSids = Readonly<Record<Locale, string>>
export type TwilioSettings = {
  readonly url: string
  readonly accountSid: string
  readonly authToken: string
  /** A number, a sender id, or the sid of a messaging service (MG…); a channel without one is not served. */
  readonly senders: Readonly<Partial<Record<Channel, string>>>
  /** Content templates of WhatsApp messages: each has one language at this vendor. */
  readonly contents: { readonly code: ContentSids; readonly news: ContentSids } | undefined
  readonly reportUrl: string | undefined
}

/** The longest validity period that Twilio supports, in seconds. */
const LONGEST_LIFE = 36_000

function outcomeOf(answer: unknown): Outcome | undefined {
  const status = at(answer, 'status')
  if (status === 'failed' || status === 'undelivered' || status === 'canceled')
    return { took: false, reason: `status_${status}`, again: false, fault: 'message' }
  const vendorMessageId = idOf(at(answer, 'sid'))
  return vendorMessageId === undefined ? undefined : { took: true, vendorMessageId }
}

/** Twilio's Programmable Messaging: a form per message, with `whatsapp:` before both numbers for that channel. */
export const twilio = (s: TwilioSettings): Vendor => ({
  name: 'twilio',
  channels: (['WHATSAPP', 'SMS'] as const).filter((channel) => s.senders[channel] !== undefined),
  send({ to, channel, code, text, locale }, lifeSeconds) {
    const whatsapp = channel === 'WHATSAPP'
    const sender = s.senders[channel] ?? ''
    const form = new URLSearchParams({ To: whatsapp ? `whatsapp:${to}` : to })
    if (sender.startsWith('MG')) form.set('MessagingServiceSid', sender)
    else form.set('From', whatsapp ? `whatsapp:${sender}` : sender)
    if (whatsapp && s.contents) {
      form.set('ContentSid', (code === undefined ? s.contents.news : s.contents.code)[locale])
      form.set('ContentVariables', JSON.stringify({ '1': code ?? templateText(text) }))
    } else form.set('Body', text)
    // Twilio drops the message when its code expires.
    form.set('ValidityPeriod', String(Math.min(lifeSeconds, LONGEST_LIFE)))
    if (s.reportUrl !== undefined) form.set('StatusCallback', s.reportUrl)
    return post(
      {
        url: `${s.url}/2010-04-01/Accounts/${s.accountSid}/Messages.json`,
        headers: {
          authorization: `Basic ${Buffer.from(`${s.accountSid}:${s.authToken}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: form.toString(),
      },
      outcomeOf,
    )
  },
})
