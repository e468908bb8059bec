// One ADMIN lets another back in: a day passes before, unless the person confirms it, and they can stop it.
import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test'
import { advance, withApp } from '../../../support/factors.ts'
import { Browser, PASSWORD, type TestIdentity } from '../../../support/oidc.ts'
import { ADA, ALI, createStaffApp, MIA, type StaffApp, USERS, ZOE } from '../../../support/people.ts'

const HOUR = 3600
const RECOVERIES = '/api/v1/account/recoveries'
type Json = Record<string, unknown>
let app: StaffApp
let idp: TestIdentity
beforeAll(async () => {
  setSystemTime(new Date('2026-03-10T08:00:00.000Z'))
  app = await createStaffApp()
  const { embedded, store, masterKey, config } = app.deps
  if (!embedded) throw new Error('no provider')
  idp = { ...embedded, store, masterKey, userId: '', logged: [], publicUrl: config.publicUrl }
})
afterAll(async () => {
  await app.close()
  setSystemTime()
})

/** An ADMIN who can sign in; everybody here is one of Ada's and Ali's organization. */
async function admin(roles: string[] = ['ADMIN']): Promise<{ number: string; id: string }> {
  const number = app.newNumber()
  const { body } = await app.invite(ADA, number, roles)
  await app.register(number)
  return { number, id: String(body.id) }
}
const ask = (by: string, id: string) => app.as(by, `POST ${USERS}/${id}/recovery-code`, {})
const off = (by: string, id: string) => app.as(by, `DELETE ${USERS}/${id}/second-factor`)
const news = (number: string) => app.inbox(number).filter(({ purpose }) => purpose === 'recovery')
const day = new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'Africa/Douala' })
const dayOf = (instant: string): string => day.format(new Date(instant))
const linkIn = (text: string | undefined): string => /\/a\/[\w-]{42}/.exec(text ?? '')?.[0] ?? ''
const linkOf = (number: string): string => linkIn(news(number).find(({ text }) => linkIn(text) !== '')?.text)
const open = async (method: string, path: string) => {
  const language = path.includes('?') ? '' : '?lang=en'
  const answer = await app.send(new Request(`http://localhost${path}${language}`, { method }))
  return { status: answer.status, text: await answer.text() }
}
const pending = async (who: string, id: string) =>
  ((await app.as(who, `GET ${RECOVERIES}`)).body as unknown as Json[]).filter(({ userId }) => userId === id)
const trail = (id: string) =>
  app
    .rows(
      "select action, actor_user_id as actor from audit_entry where subject_id = ? and action like 'user.%rec%' or subject_id = ? and action like 'user.second_factor_reset%' order by id",
      id,
      id,
    )
    .map(({ action, actor }) => [action, actor])
const complete = async (number: string, code: unknown) => {
  const challengeId = await app.reset(number)
  const answer = await app.call('POST /api/v1/account/password-reset/complete', {
    ...{ challengeId, code, newPassword: 'nouvelle phrase' },
  })
  // The next code to the same number is sent a minute later.
  advance(61)
  return answer
}
const opens = async (number: string, code: unknown) => (await complete(number, code)).status === 204
const isIn = async (username: string, password = PASSWORD): Promise<boolean> =>
  (await app.call('POST /api/v1/sandbox/token', { username, password })).status === 200

test('a code for an ADMIN is valid a day later; they are told at once on every channel, the other ADMINs too', async () => {
  const { number, id } = await admin()
  const at = Date.now()
  const others = () => [ADA, ZOE, MIA].map((person) => news(person).length)
  const before = others()
  const { status, body } = await ask(ADA, id)
  expect([status, Date.parse(String(body.effectiveAt)) - at, Date.parse(String(body.expiresAt)) - at]).toEqual([
    ...[201, 24 * HOUR * 1000, 48 * HOUR * 1000],
  ])
  const told = news(number)
  expect(told.length).toBe(Object.keys(app.deps.messenger.vendors).length)
  expect(told[0]?.text).toContain('demande un code de secours')
  expect(told[0]?.text).toContain(dayOf(String(body.effectiveAt)))
  expect(linkOf(number)).not.toBe('')
  // The others learn of it, and get no link that confirms it.
  expect(news(ALI)[0]?.text).toContain('administrateur')
  expect([linkOf(ALI), others()]).toEqual(['', before])
  expect(await pending(ALI, id)).toMatchObject([
    { kind: 'RECOVERY_CODE', status: 'PENDING', askedBy: app.ids[ADA], userName: 'Rose Mbarga' },
  ])
  expect((await pending(number, id)).length).toBe(1)
  expect([await pending(MIA, id), await pending(ZOE, id)]).toEqual([[], []])
  expect(trail(id)).toEqual([['user.recovery_code', app.ids[ADA]]])

  const early = await complete(number, body.code)
  expect([early.status, early.body.code]).toEqual([422, 'wrong_code'])
  expect(JSON.stringify(early.body)).toContain('24')
  advance(23 * HOUR)
  expect(await opens(number, body.code)).toBe(false)
  expect(await isIn(number)).toBe(true)
  advance(HOUR)
  // Who lost everything and answers nothing is served.
  expect(await opens(number, body.code)).toBe(true)
  expect(await isIn(number, 'nouvelle phrase')).toBe(true)
  expect(await pending(ALI, id)).toEqual([])
  expect((await open('POST', `${linkOf(number)}/stop`)).text).toContain('It has taken effect')
})

test('the code of somebody who is no ADMIN is valid at once, as before', async () => {
  const { number, id } = await admin(['MANAGER'])
  const { body } = await ask(ADA, id)
  expect(body.effectiveAt).toBeUndefined()
  expect([news(number), await pending(ADA, id)]).toEqual([[], []])
  expect(await opens(number, body.code)).toBe(true)
})

test('the link shows and changes nothing; its buttons stop it or let it take effect, once', async () => {
  const { number, id } = await admin()
  const first = await ask(ADA, id)
  const stopping = linkOf(number)
  for (const method of ['GET', 'HEAD', 'GET']) expect((await open(method, stopping)).status).toBe(200)
  expect((await open('GET', `${stopping}?lang=fr`)).text).toContain('Un administrateur demande à rouvrir votre compte')
  expect((await pending(ADA, id)).length).toBe(1)
  expect((await open('POST', `${stopping}/stop`)).text).toContain('It is stopped')
  expect(news(ADA)[0]?.text).toContain('Rose Mbarga a tout arr')
  expect(news(ALI)[0]?.text).toContain('Rose Mbarga a tout arr')
  expect((await open('POST', `${stopping}/confirm`)).text).toContain('It is stopped')
  advance(24 * HOUR)
  expect(await opens(number, first.body.code)).toBe(false)

  const second = await ask(ADA, id)
  const confirming = linkOf(number)
  expect(confirming).not.toBe(stopping)
  expect((await open('POST', `${confirming}/confirm`)).text).toContain('It has taken effect')
  expect(await opens(number, first.body.code)).toBe(false)
  expect(await opens(number, second.body.code)).toBe(true)
  expect((await open('POST', `${confirming}/stop`)).text).toContain('It has taken effect')
  expect(trail(id)).toEqual([
    ['user.recovery_code', app.ids[ADA]],
    ['user.recovery_stop', id],
    ['user.recovery_code', app.ids[ADA]],
    ['user.recovery_confirm', id],
  ])
  advance(48 * HOUR)
  for (const step of ['', '/stop', '/confirm'])
    expect((await open(step === '' ? 'GET' : 'POST', confirming + step)).status).toBe(410)
})

test('in the console the person and every ADMIN stop it, nobody else, and the one who asked confirms nothing', async () => {
  const [one, two] = [await admin(), await admin()]
  await ask(ADA, one.id)
  await ask(ADA, two.id)
  const [row] = (await pending(ADA, one.id)) as [Json]
  const stop = (who: string, id = row.id) => app.as(who, `POST ${RECOVERIES}/${id}/stop`, {})
  for (const who of [ZOE, MIA]) expect([who, (await stop(who)).status]).toEqual([who, 404])
  expect((await app.as(ADA, `POST ${RECOVERIES}/${row.id}/confirm`, {})).status).toBe(404)
  // A link is about one account: with another's id it is unknown.
  const bent = linkOf(one.number).slice(0, 24) + linkOf(two.number).slice(24)
  expect((await open('POST', `${bent}/confirm`)).status).toBe(404)
  expect((await open('POST', `/a/${'A'.repeat(42)}/stop`)).status).toBe(404)
  expect((await pending(ADA, one.id)).length + (await pending(ADA, two.id)).length).toBe(2)
  expect(await stop(one.number)).toMatchObject({ status: 200, body: { status: 'STOPPED' } })
  const before = news(ALI).length
  expect(await stop(ALI)).toMatchObject({ status: 200, body: { status: 'STOPPED' } })
  expect(news(ALI).length).toBe(before)
  // Another ADMIN who finds it odd.
  const [other] = (await pending(ALI, two.id)) as [Json]
  expect((await stop(ALI, other.id)).status).toBe(200)
  expect(news(two.number)[0]?.text).toContain('a tout arr')
})

test('asking again: not while it waits, and few times a day', async () => {
  const { number, id } = await admin()
  expect((await ask(ADA, app.ids[ADA] ?? '')).body.code).toBe('own_account')
  const at = await Promise.all([ask(ADA, id), ask(ALI, id), ask(ADA, id)])
  expect(at.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  for (let n = 0; n < 3; n++) {
    expect((await open('POST', `${linkOf(number)}/stop`)).status).toBe(200)
    advance(60)
    expect((await ask(ALI, id)).status).toBe(201)
  }
  await open('POST', `${linkOf(number)}/stop`)
  const spent = await ask(ADA, id)
  expect(spent.status).toBe(429)
  expect(Number(spent.headers.get('retry-after'))).toBeLessThanOrEqual(24 * HOUR)
  advance(24 * HOUR)
  expect((await ask(ADA, id)).status).toBe(201)
})

test('stopped and confirmed at once, one of them holds', async () => {
  const { number, id } = await admin()
  const { body } = await ask(ADA, id)
  const link = linkOf(number)
  await Promise.all(['stop', 'confirm', 'stop', 'confirm'].map((answer) => open('POST', `${link}/${answer}`)))
  const done = trail(id).filter(([action]) => action !== 'user.recovery_code')
  expect(done.length).toBe(1)
  expect(await opens(number, body.code)).toBe(done[0]?.[0] === 'user.recovery_confirm')
})

test('the role taken away before is no way around, and the person is told of that too', async () => {
  const { number, id } = await admin(['OWNER', 'ADMIN'])
  expect((await app.as(ADA, `PATCH ${USERS}/${id}`, { roles: ['OWNER'] })).status).toBe(200)
  expect(app.inbox(number)[0]).toMatchObject({ purpose: 'admin_removed' })
  expect(app.inbox(number)[0]?.text).toContain('vous a retiré le role d')
  expect(JSON.stringify((await app.as(ADA, `GET ${USERS}/${id}`)).body)).not.toContain('adminUntil')
  const { body } = await ask(ADA, id)
  expect(body.effectiveAt).toBeDefined()
  expect(await opens(number, body.code)).toBe(false)
  // No longer an ADMIN, the person still sees and stops what is about them, and nothing else.
  const other = await admin()
  await ask(ADA, other.id)
  expect(((await app.as(number, `GET ${RECOVERIES}`)).body as unknown as Json[]).map(({ userId }) => userId)).toEqual([
    id,
  ])
  const [foreign] = (await pending(ADA, other.id)) as [Json]
  expect((await app.as(number, `POST ${RECOVERIES}/${foreign.id}/stop`, {})).status).toBe(404)
  const [own] = (await pending(number, id)) as [Json]
  expect((await app.as(number, `POST ${RECOVERIES}/${own.id}/stop`, {})).status).toBe(200)
  advance(24 * HOUR)
  expect(await opens(number, body.code)).toBe(false)
  expect((await ask(ADA, id)).body.effectiveAt).toBeUndefined()
})

test('what changes the account or ends the asker’s rights voids what waits', async () => {
  const { number, id } = await admin()
  // A new password of their own.
  const first = await ask(ADA, id)
  expect(await opens(number, app.lastCode(number) || '')).toBe(false)
  const challengeId = await app.reset(number)
  const own = await app.call('POST /api/v1/account/password-reset/complete', {
    ...{ challengeId, code: app.lastCode(number), newPassword: PASSWORD },
  })
  expect(own.status).toBe(204)
  expect(await pending(ADA, id)).toEqual([])
  advance(24 * HOUR)
  expect(await opens(number, first.body.code)).toBe(false)
  // The one who asked is found out.
  const asker = await admin()
  const second = await ask(asker.number, id)
  expect(second.status).toBe(201)
  expect((await app.as(ADA, `PATCH ${USERS}/${asker.id}`, { status: 'DISABLED' })).status).toBe(200)
  expect(await pending(ADA, id)).toEqual([])
  advance(24 * HOUR)
  expect(await opens(number, second.body.code)).toBe(false)
  // The one who asked closes their own account, so that nobody is left to name.
  const leaver = await admin()
  const third = await ask(leaver.number, id)
  expect((await app.as(leaver.number, 'DELETE /api/v1/account', { password: PASSWORD })).status).toBe(204)
  expect(await pending(ADA, id)).toEqual([])
  advance(24 * HOUR)
  expect(await opens(number, third.body.code)).toBe(false)
  expect(await isIn(number)).toBe(true)
})

test('a second factor of an ADMIN goes a day later, at once if confirmed, never if stopped', async () => {
  const { number, id } = await admin()
  const who = { username: number, password: PASSWORD }
  expect((await off(ADA, id)).body).toMatchObject({ code: 'invalid_state', currentStatus: 'NONE' })
  const { tokens } = await withApp(idp, new Browser(idp), who)
  const me = () => app.call('GET /api/v1/me', undefined, { token: tokens.access_token })
  const asked = await off(ADA, id)
  expect(asked).toMatchObject({ status: 202, body: { kind: 'SECOND_FACTOR', status: 'PENDING', userId: id } })
  expect(news(number)[0]?.text).toContain('le retrait de la deuxième étape')
  expect((await off(ALI, id)).body).toMatchObject({ code: 'invalid_state', currentStatus: 'PENDING' })
  await app.work()
  expect([idp.hasSecondFactor(id), (await me()).status]).toEqual([true, 200])
  await open('POST', `${linkOf(number)}/stop`)
  advance(24 * HOUR)
  await app.work()
  expect(idp.hasSecondFactor(id)).toBe(true)

  await off(ADA, id)
  advance(24 * HOUR - 60)
  await app.work()
  expect(idp.hasSecondFactor(id)).toBe(true)
  advance(61)
  await app.work()
  expect(idp.hasSecondFactor(id)).toBe(false)
  expect(app.inbox(number)[0]?.text).toContain('Un administrateur a retiré')

  const again = await withApp(idp, new Browser(idp), who)
  await off(ADA, id)
  expect((await open('POST', `${linkOf(number)}/confirm`)).text).toContain('It has taken effect')
  expect(idp.hasSecondFactor(id)).toBe(false)
  expect((await app.call('GET /api/v1/me', undefined, { token: again.tokens.access_token })).status).toBe(401)
  expect(trail(id)).toEqual([
    ['user.second_factor_reset_ask', app.ids[ADA]],
    ['user.recovery_stop', id],
    ['user.second_factor_reset_ask', app.ids[ADA]],
    ['user.second_factor_reset', app.ids[ADA]],
    ['user.second_factor_reset_ask', app.ids[ADA]],
    ['user.recovery_confirm', id],
    ['user.second_factor_reset', id],
  ])
})

test('a factor set up anew meanwhile is not the one that was asked about; nor does it go once its asker is none', async () => {
  const [{ number, id }, asker] = [await admin(), await admin()]
  const who = { username: number, password: PASSWORD }
  await withApp(idp, new Browser(idp), who)
  await off(ADA, id)
  const { dropByOperator } = await import('../../../../src/features/people/accounts/second-factor.ts')
  // Nobody is over a last ADMIN: that is done on the machine, at once.
  expect(await dropByOperator(app.deps, number)).toBe(true)
  await withApp(idp, new Browser(idp), who)
  advance(24 * HOUR)
  await app.work()
  expect([idp.hasSecondFactor(id), await pending(ADA, id)]).toEqual([true, []])

  expect((await off(asker.number, id)).status).toBe(202)
  await app.as(ADA, `PATCH ${USERS}/${asker.id}`, { roles: ['MANAGER'] })
  advance(24 * HOUR)
  await app.work()
  expect(idp.hasSecondFactor(id)).toBe(true)
})

test('rows go once nothing is left to stop, and with the person', async () => {
  const { number, id } = await admin()
  await ask(ADA, id)
  const { purgeUndoLinks } = await import('../../../../src/features/people/accounts/jobs.ts')
  await purgeUndoLinks(app.deps)
  expect(app.rows('select id from recovery where user_id = ?', id).length).toBe(1)
  expect((await app.as(number, 'DELETE /api/v1/account', { password: PASSWORD })).status).toBe(204)
  expect(app.rows('select id from recovery where user_id = ?', id)).toEqual([])
  const other = await admin()
  await ask(ADA, other.id)
  advance(72 * HOUR)
  await purgeUndoLinks(app.deps)
  expect(app.rows('select id from recovery where user_id = ?', other.id)).toEqual([])
})
