// A world in which messages are sent through a stub vendor, and what must hold after every scenario in it.
import { afterAll, afterEach, beforeEach, expect, setSystemTime } from 'bun:test'
import { createDispatcher } from '../../src/features/people/messages/jobs.ts'
import { createLog } from '../../src/log.ts'
import { createPeopleApp, type PeopleApp } from './people.ts'
import { createVendor, type Mode, type Seen, taken } from './vendor.ts'

const TOKEN = 'a-token-of-the-vendor'
export const fails = (status: number, headers: Record<string, string> = {}): Mode => ({ status, body: '{}', headers })
type Row = Record<string, string | number | null>

/** Called at the top of a test file: its hooks are that file's. */
export async function messagingScene() {
  const stub = await createVendor()
  const INFOBIP = {
    WEBHOOK_SMSVENDOR_TOKEN: TOKEN,
    MESSAGING: 'infobip',
    INFOBIP_URL: stub.url,
    INFOBIP_API_KEY: 'canary-api-key',
    INFOBIP_WHATSAPP_SENDER: '447860099299',
    INFOBIP_SMS_SENDER: 'Loyer',
  }
  const WHATSAPP_ONLY = {
    WEBHOOK_SMSVENDOR_TOKEN: TOKEN,
    MESSAGING: 'whatsapp-cloud',
    WHATSAPP_URL: stub.url,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_TOKEN: 'canary-token',
  }
  const lines: string[] = []
  const state: { app?: PeopleApp } = {}
  const app = (): PeopleApp => {
    if (!state.app) throw new Error('start first')
    return state.app
  }
  let now = Date.parse('2026-03-10T08:00:00.000Z')
  const later = (seconds: number): void => {
    now += seconds * 1000
    setSystemTime(new Date(now))
  }
  const start = async (env: Record<string, string>): Promise<PeopleApp> => {
    await state.app?.close()
    state.app = await createPeopleApp(
      env,
      createLog((line) => lines.push(line), Date.now),
    )
    return state.app
  }
  /** What the vendor does by channel; it takes what nothing is said of. */
  let chosen: { whatsapp?: Mode; sms?: Mode } = {}
  function byPath(modes: typeof chosen): void {
    chosen = modes
    stub.answers(({ path }) => {
      if (path.startsWith('/v')) return chosen.whatsapp ?? taken('whatsapp-cloud')
      return (path.startsWith('/sms') ? chosen.sms : chosen.whatsapp) ?? taken('infobip')
    })
  }
  const drain = (): Promise<number> => createDispatcher(app().deps).drain()
  beforeEach(() => {
    later(86_400)
    stub.seen.length = 0
    lines.length = 0
    byPath({})
  })
  afterEach(async () => {
    // Whatever happened: neither numbers nor codes nor keys in the log, nor in clear in the table.
    const table = JSON.stringify(app().rows('select * from outbound_message'))
    for (const text of [lines.join(), table])
      expect(text).not.toMatch(/canary|2376[0-9]{8}|votre code|mot de passe Loyer/)
    await app().close()
    delete state.app
  })
  afterAll(async () => {
    await stub.close()
    setSystemTime()
  })

  let next = 0
  const newNumber = (): string => `+2376${String(50_000_000 + 13_457 * ++next).slice(0, 8)}`
  const ask = (phoneNumber: string, more: object = {}) =>
    app().call('POST /api/v1/registration/otp', { phoneNumber, ...more }, { from: `10.1.${next % 250}.1` })
  const messages = () => app().rows('select * from outbound_message order by created_at, rowid') as Row[]
  const dlr = async (contentType: string, body: string): Promise<number> => {
    const response = await app().send(
      new Request(`http://localhost/webhooks/smsvendor/dlr?token=${TOKEN}`, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
      }),
    )
    return response.status
  }
  return {
    ...{ stub, INFOBIP, WHATSAPP_ONLY, TOKEN, later, start, byPath, drain, newNumber, ask, messages, dlr },
    app,
    now: () => now,
    verify: (challengeId: unknown, code: string) =>
      app().call('POST /api/v1/registration/otp/verify', { challengeId, code }),
    /** What the vendor was asked, as WA:482913 or SMS:482913. */
    asked: (): string[] =>
      stub.seen.map(
        ({ path, body }: Seen) => `${path.startsWith('/sms') ? 'SMS' : 'WA'}:${/\b\d{6}\b/.exec(body)?.[0] ?? '-'}`,
      ),
    states: (): string[] => messages().map((m) => `${m.channel} ${m.status} ${m.attempts}`),
    idOf: (i: number): unknown => messages()[i]?.vendor_message_id,
    /** A delivery report in Infobip's form. */
    report: (id: unknown, status: string, more: object = {}): Promise<number> =>
      dlr(
        'application/json',
        JSON.stringify({ results: [{ messageId: id, status: { groupName: status, name: status }, ...more }] }),
      ),
  }
}
