// Signing up and recovering an account in a browser without scripts, each step as the form sends it.
import { beforeEach, describe, expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { atRest, createPeopleApp, wrong } from '../../../support/people.ts'
import { createVisitor, HOST, type Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'trois mangues mûres'
const { app, later } = await atRest(() => createPeopleApp())

let next = 0
let phone = ''
let me: Visitor
beforeEach(() => {
  next += 1
  // Numbers of different neighbourhoods and networks: none spends another's budget.
  phone = `+2376${String(60_000_000 + 13_457 * next).slice(0, 8)}`
  me = createVisitor(app, `10.9.${next}.7`)
  later(61)
})
const versions = async () => {
  const { body } = await app.call('GET /api/v1/legal/versions')
  return { terms: String(body.termsVersion), privacy: String(body.privacyVersion) }
}
const NAME = { firstName: 'Rose', lastName: 'Mbarga', password: PASSWORD }
/** The steps up to the name. */
async function verified(): Promise<void> {
  await me.post('/register', { phoneNumber: phone, back: '' })
  await me.post('/register/code', { code: app.lastCode(phone) })
}
const accounts = () => app.rows('select * from app_user where phone_number = ?', phone)

describe('signing up', () => {
  test('a number, a code and a name: an account that is signed in, and leads to its place', async () => {
    expect((await me.get('/register')).text).toContain('autocomplete="tel"')
    const asked = await me.post('/register', { phoneNumber: phone.slice(4), back: '' })
    expect([asked.status, asked.to]).toEqual([303, '/register/code'])
    const page = await me.get('/register/code')
    expect(page.text).toMatch(/parti à \d\d:\d\d par WhatsApp au \+237•+\d\d/)
    expect(page.text).toContain('inputmode="numeric" autocomplete="one-time-code"')
    expect(page.text).not.toContain(phone)
    const code = app.lastCode(phone)
    const checked = await me.post('/register/code', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect([checked.status, checked.to]).toEqual([303, '/register/finish'])
    expect((await me.get('/register/finish')).text).toContain('Conditions d’utilisation')
    const done = await me.post('/register/finish', { ...NAME, ...(await versions()) })
    expect([done.status, done.to]).toEqual([303, '/'])
    expect(accounts()).toMatchObject([{ first_name: 'Rose', roles: '["TENANT"]', status: 'ACTIVE', locale: 'fr' }])
    expect([...me.jar.keys()].sort()).toEqual(['loyer_session', 'loyer_session.sig'])
    expect((await me.get('/')).to).toBe('/portal')
    expect(await app.token(phone, PASSWORD)).toMatch(/^ey/)
  })

  test.each([
    ['12', 422, 'il a neuf chiffres et commence par 6'],
    ['677 12 34', 422, 'il a neuf chiffres et commence par 6'],
    ['', 422, 'il a neuf chiffres et commence par 6'],
  ])('%p is refused beside the field, and nothing is sent', async (phoneNumber, status, says) => {
    const answer = await me.post('/register', { phoneNumber, back: '' })
    expect([answer.status, answer.to, answer.text.includes(says)]).toEqual([status, null, true])
    expect(answer.text).toContain('aria-invalid="true"')
    expect([...me.jar.keys()]).toEqual([])
  })

  test('a number with an account gets the same answers until its code is there; then it is told', async () => {
    await addUser(app.deps, { phone, roles: ['TENANT'], password: PASSWORD })
    const asked = await me.post('/register', { phoneNumber: phone, back: '' })
    expect([asked.status, asked.to]).toEqual([303, '/register/code'])
    await me.post('/register/code', { code: app.lastCode(phone) })
    const answer = await me.post('/register/finish', { ...NAME, ...(await versions()) })
    expect([answer.status, answer.text.includes('a déjà un compte')]).toEqual([409, true])
    expect([accounts().length, me.jar.has('loyer_session')]).toEqual([1, false])
  })

  test('a wrong code: beside the field, with the attempts of the API; the right one still opens', async () => {
    await me.post('/register', { phoneNumber: phone, back: '' })
    const code = app.lastCode(phone)
    for (const guess of [wrong(code), '12', '']) {
      const answer = await me.post('/register/code', { code: guess })
      expect([guess, answer.status, answer.text.includes('aria-invalid="true"')]).toEqual([guess, 422, true])
    }
    expect((await me.post('/register/code', { code })).to).toBe('/register/finish')
  })

  test('five wrong codes end it', async () => {
    await me.post('/register', { phoneNumber: phone, back: '' })
    const code = app.lastCode(phone)
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await me.post('/register/code', { code: wrong(code) })).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect((await me.post('/register/code', { code })).status).toBe(429)
  })

  test('resent too soon: when it can be; after a minute a new code, and the old one is void', async () => {
    await me.post('/register', { phoneNumber: phone, back: '' })
    const first = app.lastCode(phone)
    expect((await me.get('/register/code')).text).toMatch(
      /data-wait="60"[^>]*>Rien reçu.*dans <b>60<\/b> s, à \d\d:\d\d/,
    )
    later(20)
    const soon = await me.post('/register/code', { again: 'SMS' })
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '40'])
    expect(soon.text).toContain('dans <b>40</b> s')
    later(41)
    const ready = (await me.get('/register/code')).text
    expect([ready.includes('data-wait'), ready.includes('Un nouveau code peut partir.')]).toEqual([false, true])
    const answer = await me.post('/register/code', { again: 'SMS' })
    expect([answer.status, answer.to]).toEqual([303, '/register/code'])
    expect((await me.get('/register/code')).text).toContain('par SMS')
    const second = app.lastCode(phone)
    if (first !== second) expect((await me.post('/register/code', { code: first })).status).toBe(422)
    expect((await me.post('/register/code', { code: second })).to).toBe('/register/finish')
  })

  test('a visit to another app loses nothing for ten minutes; then it begins anew', async () => {
    await me.post('/register', { phoneNumber: phone, back: '' })
    later(590)
    expect((await me.get('/register/code')).status).toBe(200)
    later(11)
    expect((await me.get('/register/code')).to).toBe('/register')
    expect((await me.post('/register/code', { code: app.lastCode(phone) })).to).toBe('/register')
    expect(accounts()).toEqual([])
  })

  test.each([
    ['no box', {}, 'Cochez les deux cases'],
    ['one box', { terms: '2026-11-23' }, 'Cochez les deux cases'],
    ['an old text', { terms: '2020-01-01', privacy: '2020-01-01' }, 'conditions ont changé'],
    ['no name', { firstName: ' ' }, 'Ce champ est obligatoire'],
    ['a number as name', { firstName: '677 00 00 01' }, 'Indiquez un nom, pas un numéro'],
    ['a short password', { terms: '2026-11-23', privacy: '2026-11-23', password: 'court' }, 'de 8 à 128 caractères'],
    [
      'the number as password',
      { terms: '2026-11-23', privacy: '2026-11-23', password: 'password1' },
      'facile à deviner',
    ],
  ])('%s: no account, the name is kept, the ticket stays good', async (_what, fields, says) => {
    await verified()
    const answer = await me.post('/register/finish', { ...NAME, ...fields })
    expect([answer.status, answer.text.includes(says), accounts()]).toEqual([422, true, []])
    expect(answer.text).toContain('value="Mbarga"')
    expect(answer.text).not.toContain(PASSWORD)
    expect((await me.post('/register/finish', { ...NAME, ...(await versions()) })).status).toBe(303)
  })

  test('sent twice at once: one account', async () => {
    await verified()
    const fields = { ...NAME, ...(await versions()) }
    const both = await Promise.all([me.post('/register/finish', fields), me.post('/register/finish', fields)])
    expect(both.map(({ status }) => status).sort()).toContain(303)
    expect(accounts().length).toBe(1)
  })
})

describe('from a sign-in page', () => {
  const AUTH = `/realms/svc/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'svc-mobile',
    redirect_uri: `${HOST}/portal/callback`,
    response_type: 'code',
    scope: 'openid',
    state: 'the-state-of-the-tab',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ui_locales: 'en',
  })}`
  /** Opens the sign-in page and follows its link. */
  async function followed(way: string): Promise<string> {
    const page = await me.get(new URL((await me.get(AUTH)).to ?? '', HOST).pathname)
    const [, href = '', back = ''] = new RegExp(`href="(/${way}\\?back=([\\w-]+)&amp;lang=en)"`).exec(page.text) ?? []
    expect((await me.get(href.replace('&amp;', '&'))).text).toContain(`name="back" value="${back}"`)
    return back
  }

  test('one who signs up goes on to where the sign-in was to lead', async () => {
    const back = await followed('register')
    await me.post('/register?lang=en', { phoneNumber: phone, back })
    expect((await me.post('/register/code?lang=en', { code: app.lastCode(phone) })).to).toBe('/register/finish?lang=en')
    const { to } = await me.post('/register/finish?lang=en', { ...NAME, ...(await versions()) })
    const { pathname, search, origin } = new URL(to ?? '')
    expect([origin, pathname]).toEqual([HOST, '/realms/svc/protocol/openid-connect/auth'])
    const landed = new URL((await me.get(pathname + search)).to ?? '')
    expect([landed.pathname, landed.searchParams.get('state')]).toEqual(['/portal/callback', 'the-state-of-the-tab'])
    expect(landed.searchParams.get('code')).toMatch(/^[\w-]{20,}$/)
  })

  test('one who recovers signs in there with the new password', async () => {
    await addUser(app.deps, { phone, roles: ['TENANT'], password: 'un vieux cahier bleu' })
    const back = await followed('recover')
    await me.post('/recover', { phoneNumber: phone, back })
    const done = await me.post('/recover/code', { code: app.lastCode(phone), newPassword: PASSWORD })
    expect(done.text).toContain(`href="${HOST}/realms/svc/protocol/openid-connect/auth?`)
    expect(me.jar.has('loyer_session')).toBe(false)
  })

  test.each(['nobody-knows-this-one', '../../elsewhere', 'https://elsewhere.example/'])(
    'a made-up sign-in (%s) leads home',
    async (back) => {
      await me.post('/register', { phoneNumber: phone, back })
      await me.post('/register/code', { code: app.lastCode(phone) })
      expect((await me.post('/register/finish', { ...NAME, ...(await versions()) })).to).toBe('/')
    },
  )
})

describe('recovering', () => {
  test('a code and a new password; the old one opens nothing any more', async () => {
    await addUser(app.deps, { phone, roles: ['TENANT'], password: 'un vieux cahier bleu' })
    expect((await me.post('/recover', { phoneNumber: phone, back: '' })).to).toBe('/recover/code')
    await Bun.sleep(0)
    const code = app.lastCode(phone)
    const short = await me.post('/recover/code', { code, newPassword: 'court' })
    expect([short.status, short.text.includes('8 à 128')]).toEqual([422, true])
    const bad = await me.post('/recover/code', { code: wrong(code), newPassword: PASSWORD })
    expect([bad.status, bad.text.includes('erroné')]).toEqual([422, true])
    const done = await me.post('/recover/code', { code, newPassword: PASSWORD })
    expect([done.status, done.text.includes('mot de passe est changé')]).toEqual([200, true])
    expect(me.jar.has('loyer_recover')).toBe(false)
    expect(await app.token(phone, PASSWORD)).toMatch(/^ey/)
    expect(await app.token(phone, 'un vieux cahier bleu')).toBe('undefined')
  })

  test('a number without an account is answered alike, step by step', async () => {
    await addUser(app.deps, { phone, roles: ['TENANT'], password: PASSWORD })
    const nobody = createVisitor(app, '10.8.0.7')
    const stranger = '+237699887766'
    const steps = async (visitor: Visitor, phoneNumber: string) => {
      const asked = await visitor.post('/recover', { phoneNumber, back: '' })
      const page = await visitor.get('/recover/code')
      const tried = await visitor.post('/recover/code', { code: '000001', newPassword: PASSWORD })
      const shown = page.text.replace(/\+237•+\d\d/, 'NUMBER').replace(/messages\?to=\S+"/, '')
      return [asked.status, asked.to, shown, tried.status]
    }
    const [known, unknown] = [await steps(me, phone), await steps(nobody, stranger)]
    expect(unknown).toEqual(known)
    expect(app.inbox(stranger)).toEqual([])
  })
})
