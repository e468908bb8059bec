// One's own sessions, of real sign-ins on the page: what is listed, what ending one ends, and what it leaves alone.
import { expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { PASSWORD, PHONE, refresh, signInForTokens, type TestIdentity, type Tokens } from '../../../support/oidc.ts'
import { createPeopleApp, eachAtRest, type PeopleApp } from '../../../support/people.ts'

let app: PeopleApp
let idp: TestIdentity
const { later, now } = eachAtRest(async () => {
  app = await createPeopleApp()
  const { embedded, store, masterKey, config } = app.deps
  if (!embedded) throw new Error('there is no provider')
  const { userId } = await addUser(app.deps, { phone: PHONE, roles: ['TENANT'], password: PASSWORD })
  idp = { ...embedded, store, userId, masterKey, logged: [], publicUrl: config.publicUrl }
  return app
})

type Session = { id: string; signedInAt: string; expiresAt: string; current: boolean }
const list = async ({ access_token: token }: Tokens): Promise<Session[]> =>
  (await app.call('GET /api/v1/account/sessions', undefined, { token })).body as unknown as Session[]
const end = async (id: string, { access_token: token }: Tokens) =>
  (await app.call(`DELETE /api/v1/account/sessions/${id}`, undefined, { token })).status
const me = async ({ access_token: token }: Tokens) => (await app.call('GET /api/v1/me', undefined, { token })).status
const current = async (tokens: Tokens): Promise<string> => (await list(tokens)).find((s) => s.current)?.id ?? ''

test('each sign-in is a session; the one that asks is marked', async () => {
  const phone = await signInForTokens(idp)
  const signedInAt = new Date(now()).toISOString()
  later(60)
  const laptop = await signInForTokens(idp)
  const seen = await list(phone)
  expect(seen).toHaveLength(2)
  expect(seen.filter((s) => s.current)).toHaveLength(1)
  expect(seen.find((s) => s.current)?.signedInAt).toBe(signedInAt)
  expect((await list(laptop)).find((s) => s.current)?.id).not.toBe(await current(phone))
  for (const { expiresAt } of seen) expect(Date.parse(expiresAt)).toBeGreaterThan(now())
  for (const s of seen) expect(Object.keys(s).sort()).toEqual(['current', 'expiresAt', 'id', 'signedInAt'])
})

test('another session is ended: it refreshes no more, its last token is refused at once, this one goes on', async () => {
  const [phone, lost] = [await signInForTokens(idp), await signInForTokens(idp)]
  const id = await current(lost)
  expect(await end(id, phone)).toBe(204)
  expect((await list(phone)).map((s) => s.id)).not.toContain(id)
  expect((await refresh(idp, lost.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refresh(idp, phone.refresh_token)).status).toBe(200)
  expect(await me(lost)).toBe(401)
  expect(await me(phone)).toBe(200)
  later(306)
  expect(await me(lost)).toBe(401)
  expect(await end(id, await signInForTokens(idp))).toBe(404)
})

test('one’s own session is ended: signing out everywhere else stays to be done', async () => {
  const [mine, other] = [await signInForTokens(idp), await signInForTokens(idp)]
  expect(await end(await current(mine), mine)).toBe(204)
  expect((await refresh(idp, mine.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refresh(idp, other.refresh_token)).status).toBe(200)
})

test('a refreshed session is the same one', async () => {
  const tokens = await signInForTokens(idp)
  const id = await current(tokens)
  const { body } = await refresh(idp, tokens.refresh_token)
  expect(await current(body)).toBe(id)
})

test('somebody else’s session is not there, and goes on', async () => {
  const mine = await signInForTokens(idp)
  const id = await current(mine)
  const token = await app.token('+237677000001', 'pignon sur rue')
  const owner = { ...mine, access_token: token }
  expect((await list(owner)).map((s) => s.id)).not.toContain(id)
  const before = app.rows('select count(*) n from oidc_payload')
  expect(await end(id, owner)).toBe(404)
  for (const word of ['nobody', 'a'.repeat(100), '..%2f..', "x'%20or%201=1"]) expect(await end(word, owner)).toBe(404)
  expect(app.rows('select count(*) n from oidc_payload')).toEqual(before)
  expect((await refresh(idp, mine.refresh_token)).status).toBe(200)
})

test('a new password ends all other sessions, and only those', async () => {
  const [here, there] = [await signInForTokens(idp), await signInForTokens(idp)]
  const body = { currentPassword: PASSWORD, newPassword: 'quatre papayes vertes' }
  const token = here.access_token
  expect((await app.call('POST /api/v1/account/password', body, { token })).status).toBe(204)
  expect((await list(here)).map((s) => s.current)).toEqual([true])
  expect((await refresh(idp, there.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refresh(idp, here.refresh_token)).status).toBe(200)
  expect(app.rows("select count(*) n from audit_entry where action = 'user.password_change'")).toEqual([{ n: 1 }])
})
