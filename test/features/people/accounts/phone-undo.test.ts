// The number before takes its account back, by the link in its message.
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { ACCOUNT, createNumbersApp, type NumbersApp, PASSWORD, told } from '../../../support/numbers.ts'
import { createPeopleApp } from '../../../support/people.ts'

const HOUR = 3600
let app: NumbersApp
beforeAll(async () => {
  app = await createNumbersApp()
})
afterAll(async () => {
  await app.close()
  setSystemTime()
})

describe('the number before undoes it', () => {
  test('the link shows and changes nothing; the button gives the number back and signs nobody in', async () => {
    const { userId, number } = await app.person()
    const thiefs = app.newNumber()
    const link = await app.move(number, thiefs)
    expect(app.inbox(thiefs).find(({ purpose }) => purpose === 'phone_changed')?.text).not.toContain('http')
    const thief = await app.signIn(thiefs)
    const reset = await app.call(`POST ${ACCOUNT}/password-reset/request`, { phoneNumber: thiefs }, app.from())
    const resetCode = app.lastCode(thiefs)
    app.later(61)
    // As previews of messages do.
    for (const method of ['GET', 'HEAD', 'GET']) expect((await app.page(method, link)).status).toBe(200)
    expect(await app.numberOf(userId)).toEqual({ phone_number: thiefs, username: thiefs })
    const shown = await app.page('GET', `${link}?lang=en`)
    expect(shown.text).toContain(`•••••${number.slice(-2)}`)
    for (const secret of [number, thiefs, 'Awa', '<script']) expect(shown.text).not.toContain(secret)
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(shown.headers.get('cache-control')).toBe('no-store')

    const done = await app.page('POST', `${link}?lang=en`)
    expect([done.status, done.headers.get('set-cookie')]).toEqual([200, null])
    expect(await app.numberOf(userId)).toEqual({ phone_number: number, username: number })
    expect(await app.isIn(thiefs)).toBe(false)
    // The thief's password, sessions, tokens and codes are worth nothing.
    expect(await app.isIn(number)).toBe(false)
    expect(await app.refreshed(thief)).toBeUndefined()
    expect((await app.call('GET /api/v1/me', undefined, { token: thief.access_token })).status).toBe(401)
    const late = { challengeId: reset.body.challengeId, code: resetCode, newPassword: 'celle du voleur' }
    expect(told(await app.call(`POST ${ACCOUNT}/password-reset/complete`, late, app.from()))).toBe('410 challenge_gone')
    expect(app.trail(userId)).toEqual(['user.phone_change', 'user.password_lock', 'user.phone_undo'])
    expect(
      app
        .inbox(number)
        .slice(0, 2)
        .map(({ purpose }) => purpose),
    ).toEqual(['password_reset', 'phone_restored'])
    expect(app.inbox(thiefs)[0]).toMatchObject({ purpose: 'phone_restored' })

    // Twice.
    expect((await app.page('POST', link)).status).toBe(410)
    expect((await app.page('GET', `${link}?lang=en`)).text).toContain('undone already')
    // A new password, by the code that was sent.
    const challengeId = /name="challengeId" value="([^"]+)"/.exec(done.text)?.[1] ?? ''
    const code = app.lastCode(number)
    const save = (form: Record<string, string>) =>
      app.page('POST', `${link}/password?lang=en`, { challengeId, code, ...form })
    expect((await save({ code: code === '000000' ? '111111' : '000000', newPassword: 'nouvelle phrase' })).status).toBe(
      422,
    )
    expect((await save({ newPassword: '12345678' })).text).toContain('too easy to guess')
    const set = await save({ code: `${code.slice(0, 3)} ${code.slice(3)}`, newPassword: 'nouvelle phrase' })
    expect([set.status, set.text.includes('Your password is changed')]).toEqual([200, true])
    app.later(1)
    expect(await app.isIn(number, 'nouvelle phrase')).toBe(true)
    expect((await save({ newPassword: 'encore une phrase' })).status).toBe(422)
  })

  test('for 72 hours', async () => {
    const { userId, number } = await app.person()
    const to = app.newNumber()
    const link = await app.move(number, to)
    app.later(72 * HOUR)
    expect((await app.page('GET', link)).status).toBe(200)
    app.later(1)
    for (const method of ['GET', 'POST']) expect((await app.page(method, link)).status).toBe(410)
    const { purgeUndoLinks } = await import('../../../../src/features/people/accounts/jobs.ts')
    await purgeUndoLinks(app.deps)
    expect(app.rows('select id from phone_undo where user_id = ?', userId)).toEqual([])
    expect((await app.page('GET', link)).status).toBe(410)
    expect((await app.numberOf(userId))?.phone_number).toBe(to)
  })

  test('A to B to C: the earlier number takes it back over all later ones, never the other way round', async () => {
    const { userId, number: a } = await app.person()
    const [b, c] = [app.newNumber(), app.newNumber()]
    const ofA = await app.move(a, b)
    app.later(61)
    const ofB = await app.move(b, c)
    expect((await app.page('POST', ofB)).status).toBe(200)
    expect((await app.numberOf(userId))?.phone_number).toBe(b)
    expect((await app.page('POST', ofA)).status).toBe(200)
    expect((await app.numberOf(userId))?.phone_number).toBe(a)
    expect((await app.page('POST', ofB)).status).toBe(410)
    expect((await app.numberOf(userId))?.phone_number).toBe(a)

    const other = await app.person()
    const [d, e] = [app.newNumber(), app.newNumber()]
    const ofOther = await app.move(other.number, d)
    app.later(61)
    const ofD = await app.move(d, e)
    expect((await app.page('POST', ofOther)).status).toBe(200)
    // Its change is undone with the one before it.
    expect((await app.page('POST', ofD)).status).toBe(410)
    expect((await app.numberOf(other.userId))?.phone_number).toBe(other.number)
  })

  test('who changed back has nothing to undo', async () => {
    const { userId, number: a } = await app.person()
    const b = app.newNumber()
    const ofA = await app.move(a, b)
    app.later(61)
    const ofB = await app.move(b, a)
    expect((await app.page('POST', ofA)).status).toBe(410)
    app.later(61)
    const c = app.newNumber()
    await app.move(a, c)
    expect((await app.page('POST', ofA)).status).toBe(410)
    expect((await app.numberOf(userId))?.phone_number).toBe(c)
    // The stop in between may still be asked for: it was the account's number.
    expect((await app.page('GET', ofB)).status).toBe(200)
  })

  test('a number that has another account by now stays with it', async () => {
    const { userId, number } = await app.person()
    const to = app.newNumber()
    const link = await app.move(number, to)
    app.later(61)
    // The number is free, and whoever has it may sign up: they get an account of their own and nothing of the other.
    const { userId: theirs } = await addUser(app.deps, {
      phone: number,
      roles: ['TENANT'],
      password: 'autre phrase ici',
    })
    const refused = await app.page('POST', `${link}?lang=en`)
    expect([refused.status, refused.text.includes('another account')]).toEqual([409, true])
    expect([(await app.numberOf(userId))?.phone_number, (await app.numberOf(theirs))?.phone_number]).toEqual([
      to,
      number,
    ])
    expect(await app.isIn(to)).toBe(true)
    expect(app.trail(userId)).toEqual(['user.phone_change', 'user.phone_undo_refused'])
  })

  test('an account that is closed or disabled is not taken back', async () => {
    const { number } = await app.person()
    const to = app.newNumber()
    const link = await app.move(number, to)
    const { access_token: token } = await app.signIn(to)
    expect((await app.call(`DELETE ${ACCOUNT}`, { password: PASSWORD }, { token })).status).toBe(204)
    expect(app.rows('select id from phone_undo where old_number = ?', number)).toEqual([])
    for (const method of ['GET', 'POST']) expect((await app.page(method, link)).status).toBe(410)
    const other = await app.person()
    const second = await app.move(other.number, app.newNumber())
    await app.deps.identity?.disable(other.userId)
    for (const method of ['GET', 'POST']) expect((await app.page(method, second)).status).toBe(410)
  })

  test('of many at once one undoes it', async () => {
    const { userId, number } = await app.person()
    const link = await app.move(number, app.newNumber())
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.page('POST', link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(app.trail(userId).filter((action) => action === 'user.phone_undo')).toHaveLength(1)
    expect((await app.numberOf(userId))?.phone_number).toBe(number)
  })

  test('links that nobody was sent open nothing, in both languages', async () => {
    const { number } = await app.person()
    const link = await app.move(number, app.newNumber())
    const letter = link.at(5) === 'A' ? 'B' : 'A'
    const made = [
      `${link.slice(0, 5)}${letter}${link.slice(6)}`,
      '/u/x',
      `/u/${'a'.repeat(3000)}`,
      '/u/<script>',
      '/u/..%2f',
    ]
    for (const path of made)
      for (const method of ['GET', 'POST']) {
        const { status, text } = await app.page(method, `${path}?lang=fr`)
        expect([method, path, status, text.includes('Lien inconnu'), text.includes('<script>')]).toEqual([
          ...[method, path, 404, true, false],
        ])
      }
    for (const step of ['code', 'password']) expect((await app.page('POST', `${link}/${step}`)).status).toBe(200)
    expect((await app.page('POST', link, { x: 'y'.repeat(5000) })).status).toBe(200)
  })

  test('a form is sent ten times a minute from one network; to look costs what other pages cost', async () => {
    const limited = await createPeopleApp({ RATE_LIMITS: 'on' })
    const seen = async (method: string) =>
      (await limited.send(new Request('http://localhost/u/x', { method }), '203.0.113.7')).status
    for (let i = 0; i < 12; i++) expect(await seen('GET')).toBe(404)
    for (let i = 0; i < 12; i++) expect(await seen('POST')).toBe(i < 10 ? 404 : 429)
    await limited.close()
  })
})
