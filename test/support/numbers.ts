// People who change their number: signing in, asking, verifying, and the page behind the link of the number before.
import { expect, setSystemTime } from 'bun:test'
import { addUser } from '../../src/features/people/accounts/account.ts'
import { createPeopleApp, type Told } from './people.ts'

export const PASSWORD = 'pignon sur rue'
export const ACCOUNT = '/api/v1/account'
export const told = ({ status, body }: Told): string => `${status} ${body.code ?? ''}`.trim()
export const claims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
type Tokens = { access_token: string; refresh_token: string }

export async function createNumbersApp() {
  let now = Date.parse('2026-03-10T08:00:00.000Z')
  setSystemTime(new Date(now))
  const later = (seconds: number): void => {
    now += seconds * 1000
    setSystemTime(new Date(now))
  }
  const app = await createPeopleApp()
  let next = 0
  const newNumber = (): string => `+2376${String(70_000_000 + 13_457 * ++next).slice(0, 8)}`
  const from = () => ({ from: `10.8.${Math.floor(++next / 250)}.${next % 250}` })

  async function person() {
    const number = newNumber()
    const { userId } = await addUser(app.deps, {
      phone: number,
      roles: ['TENANT'],
      password: PASSWORD,
      firstName: 'Awa',
    })
    later(1)
    return { userId, number }
  }
  const signIn = async (username: string, password = PASSWORD): Promise<Tokens> =>
    (await app.call('POST /api/v1/sandbox/token', { username, password }, from())).body as Tokens
  async function refreshed({ refresh_token }: Tokens): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'svc-mobile', refresh_token })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = 'http://localhost/realms/svc/protocol/openid-connect/token'
    const answer = await app.send(new Request(url, { method: 'POST', headers, body: form.toString() }))
    return ((await answer.json()) as Tokens).access_token
  }
  /** A token as an app has it minutes after the sign-in. */
  async function oldToken(number: string): Promise<string> {
    const tokens = await signIn(number)
    later(301)
    return refreshed(tokens)
  }
  const ask = (token: string, newPhoneNumber: string, more: object = {}) =>
    app.call(`POST ${ACCOUNT}/phone/otp`, { newPhoneNumber, ...more }, { token, ...from() })
  const verify = (token: string, asked: Told, number: string) =>
    app.call(
      `POST ${ACCOUNT}/phone/verify`,
      { challengeId: asked.body.challengeId, code: app.lastCode(number) },
      { token, ...from() },
    )
  /** Changes the number with a sign-in of now; the path of the link that the number before was sent. */
  async function move(number: string, to: string, password = PASSWORD): Promise<string> {
    const { access_token: token } = await signIn(number, password)
    expect((await verify(token, await ask(token, to), to)).status).toBe(200)
    const text = app.inbox(number).find(({ purpose }) => purpose === 'phone_changed')?.text ?? ''
    return new URL(/https?:\S+/.exec(text)?.[0] ?? 'http://none').pathname
  }
  async function page(method: string, path: string, form?: Record<string, string>, address = from().from) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' }
    const body = form && new URLSearchParams(form).toString()
    const request = new Request(`http://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    const answer = await app.send(request, address)
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const numberOf = async (userId: string) =>
    app.rows('select phone_number, username from app_user where id = ?', userId)[0]
  const trail = (userId: string): string[] =>
    app
      .rows("select action from audit_entry where subject_id = ? and action like 'user.p%' order by rowid", userId)
      .map(({ action }) => String(action))
  const isIn = async (number: string, password = PASSWORD): Promise<boolean> =>
    (await app.call('POST /api/v1/sandbox/token', { username: number, password }, from())).status === 200

  const seconds = (): number => Math.floor(now / 1000)
  return {
    ...app,
    seconds,
    later,
    newNumber,
    from,
    person,
    signIn,
    refreshed,
    oldToken,
    ask,
    verify,
    move,
    page,
    numberOf,
    trail,
    isIn,
  }
}
export type NumbersApp = Awaited<ReturnType<typeof createNumbersApp>>
