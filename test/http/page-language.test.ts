// The language of pages without scripts: asked for by the address, else that chosen before, else that of the browser.
import { expect, test } from 'bun:test'
import { atRest, createPeopleApp } from '../support/people.ts'
import { createVisitor } from '../support/visitor.ts'

const { app } = await atRest(() => createPeopleApp())
const PAGES = [
  '/register',
  '/recover',
  '/verify',
  '/verify/AAAA',
  '/docs/handbook',
  '/p/nothing',
  '/a/nothing',
  '/u/nothing',
  '/nowhere',
]

test.each(PAGES)('%s keeps the language that was chosen, here or elsewhere', async (path) => {
  const me = createVisitor(app, '10.8.0.1')
  const languageOf = async (at: string) => /<html lang="(\w+)"/.exec((await me.get(at)).text)?.[1]
  expect(await languageOf(path)).toBe('fr')
  const chosen = await me.get(`${path}?lang=en`)
  expect(chosen.headers.getSetCookie()).toEqual(['loyer_lang=en; Path=/; Max-Age=31536000; SameSite=Lax'])
  expect(chosen.text).toContain('<html lang="en"')
  expect([await languageOf(path), await languageOf('/recover')]).toEqual(['en', 'en'])
  expect((await me.get(path)).headers.getSetCookie()).toEqual([])
  expect(await languageOf(`${path}?lang=fr`)).toBe('fr')
  expect(await languageOf(path)).toBe('fr')
})

test.each(['lang=de', 'lang=', 'lang=fr%0d%0aset-cookie:a=b', 'language=en', 'lang=EN'])(
  '%s chooses nothing',
  async (query) => {
    const me = createVisitor(app, '10.8.0.2', 'en')
    const answer = await me.get(`/register?${query}`)
    expect([answer.text.includes('<html lang="en"'), answer.headers.getSetCookie()]).toEqual([true, []])
    me.jar.set('loyer_lang', 'de')
    expect((await me.get('/register')).text).toContain('<html lang="en"')
  },
)

test('the API hears Accept-Language alone, and sets no cookie', async () => {
  const headers = { 'accept-language': 'en', cookie: 'loyer_lang=fr' }
  const answer = await app.send(new Request('http://localhost:3000/api/v1/me?lang=fr', { headers }), '10.8.0.3')
  const { detail } = (await answer.json()) as { detail: string }
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
  expect(detail).not.toMatch(/[éèà]/)
})
