// Who may send the forms of signing up, and how often.
import { beforeEach, describe, expect, test } from 'bun:test'
import { atRest, createPeopleApp } from '../../../support/people.ts'
import { createVisitor, HOST, type Visitor } from '../../../support/visitor.ts'

const { app, later } = await atRest(() => createPeopleApp())
let next = 0
let phone = ''
let me: Visitor
beforeEach(() => {
  next += 1
  phone = `+2376${String(70_000_000 + 13_457 * next).slice(0, 8)}`
  me = createVisitor(app, `10.9.${next}.7`)
  later(61)
})

describe('who may send these forms', () => {
  test.each([
    ['another site', { origin: 'https://elsewhere.example' }, 403],
    ['a page without origin', { origin: 'null' }, 403],
    ['JSON', { 'content-type': 'application/json' }, 415],
  ])('%s: refused, and nothing is sent', async (_what, headers, status) => {
    for (const path of ['/register', '/recover']) {
      expect((await me.post(path, { phoneNumber: phone, back: '' }, headers)).status).toBe(status)
      expect(app.inbox(phone)).toEqual([])
    }
  })

  test('a cookie that was made up or belongs to the other form opens nothing', async () => {
    await me.post('/register', { phoneNumber: phone, back: '' })
    const mine = me.jar.get('loyer_register') ?? ''
    const [text = '', signature = ''] = mine.split('.')
    const forged = Buffer.from(Buffer.from(text, 'base64url').toString().replace(phone, '+237677000001')).toString(
      'base64url',
    )
    for (const value of [`${forged}.${signature}`, text, `${text}.${signature.slice(1)}`]) {
      me.jar.set('loyer_register', value)
      expect((await me.get('/register/code')).to).toBe('/register')
    }
    me.jar.clear()
    me.jar.set('loyer_recover', mine)
    expect((await me.get('/recover/code')).to).toBe('/recover')
  })

  test('the cookies are for these pages alone', async () => {
    const { headers } = await me.post('/register', { phoneNumber: phone, back: '' })
    expect(headers.getSetCookie().map((line) => line.replace(/=[^;]+/, ''))).toEqual([
      'loyer_register; Path=/register; Max-Age=600; HttpOnly; SameSite=Lax',
    ])
  })

  test('a country without codes is refused beside the field', async () => {
    const real = await createPeopleApp({ LOYER_MODE: 'production' })
    const headers = { origin: HOST, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const body = new URLSearchParams({ phoneNumber: '+33 6 12 34 56 78' })
    const answer = await real.send(new Request(`${HOST}/register`, { method: 'POST', headers, body }))
    expect([answer.status, (await answer.text()).includes('numéros de ce pays')]).toEqual([422, true])
    expect(real.inbox('+33612345678')).toEqual([])
    await real.close()
  })

  test('the forms spend the budget of the API', async () => {
    const bounded = await createPeopleApp({ RATE_LIMITS: 'on' })
    const headers = { origin: HOST, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const request = new Request(`${HOST}/recover`, { method: 'POST', headers, body: 'phoneNumber=1' })
      statuses.push((await bounded.send(request, '10.7.7.7')).status)
    }
    expect([statuses.slice(0, 10).every((s) => s === 422), statuses.slice(10)]).toEqual([true, [429, 429]])
    await bounded.close()
  })
})

test('with an external provider there are no such pages', async () => {
  const elsewhere = await import('../../../support/app.ts').then(({ createTestApp }) => createTestApp())
  for (const path of ['/register', '/recover', '/register/code'])
    expect((await elsewhere.call(undefined, `GET ${path}`, undefined, { accept: 'text/html' })).status).toBe(404)
})
