import type { Channel, Outcome } from './port.ts'
import { at, digitsOf, idOf, json, post, type Vendor } from './request.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type HttpSettings = {
  readonly url: string
  /** The whole value of the Authorization header, if the gateway wants one. */
  readonly authorization: string | undefined
  readonly channels: readonly Channel[]
  /** The JSON body: `{{word}}` inside its strings is replaced by a member of the message. */
  readonly body: Json
}

/** Members in which gateways return the id of an accepted message. */
const IDS = ['messageId', 'message_id', 'id', 'sid', 'messages.0.messageId', 'messages.0.id', 'data.id', 'results.0.id']

const filled = (json: Json, words: Readonly<Record<string, string>>): Json => {
  if (typeof json === 'string') return json.replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '')
  if (Array.isArray(json)) return json.map((item) => filled(item, words))
  if (typeof json === 'object' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, filled(value, words)]))
  return json
}

/** Any gateway that accepts a JSON POST. A 2xx answer means accepted, even without a readable id. */
export const httpGateway = (s: HttpSettings): Vendor => ({
  name: 'http',
  channels: s.channels,
  send({ to, channel, purpose, locale, text, code = '' }, lifeSeconds, id) {
    const words = { to, digits: digitsOf(to), channel, purpose, locale, text, code, id, seconds: String(lifeSeconds) }
    return post(
      {
        url: s.url,
        headers: { ...json, ...(s.authorization === undefined ? {} : { authorization: s.authorization }) },
        body: JSON.stringify(filled(s.body, words)),
      },
      (answer): Outcome => ({
        took: true,
        vendorMessageId: IDS.map((path) => idOf(at(answer, path))).find((id) => id !== undefined),
      }),
    )
  },
})
