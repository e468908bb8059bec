// Terms that changed since somebody accepted them: shown by the sign-in before it issues a code.
import { beforeEach, expect, test } from 'bun:test'
import { atRest, createPeopleApp } from '../../../support/people.ts'
import { createVisitor, HOST, type Visitor } from '../../../support/visitor.ts'

const { app, later } = await atRest(() => createPeopleApp())
const PHONE = '+237677000001'
const authOf = (state: string): string =>
  `/realms/svc/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'svc-mobile',
    redirect_uri: `${HOST}/console/callback`,
    response_type: 'code',
    scope: 'openid',
    state,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })}`
const AUTH = authOf('of-the-tab')
const accepted = () => app.rows('select document, document_version version from consent order by id')
/** Leaves the owner with consents to both texts of this day, or with none. */
function accept(version?: string): void {
  const { client } = app.deps.store
  client.exec('delete from consent')
  for (const document of version === undefined ? [] : ['TERMS', 'PRIVACY'])
    client
      .prepare(
        `insert into consent(id, org_id, user_id, document, document_version, locale, text_sha256, accepted_at)
         values (?, ?, ?, ?, ?, 'fr', 'x', '2020-01-01T00:00:00.000Z')`,
      )
      .run(
        `00000000-0000-7000-8000-00000000000${document.length}`,
        app.owner.orgId,
        app.owner.userId,
        document,
        version,
      )
}
const pathOf = (to: string | null): string => (to ?? '').replace(HOST, '')
const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Signs in with the password, and follows until a page or the app. */
async function signedIn(me: Visitor, auth = AUTH) {
  let at = pathOf((await me.get(auth)).to)
  const fields = { username: PHONE, password: 'pignon sur rue', csrf: csrfOf((await me.get(at)).text), lang: 'fr' }
  at = pathOf((await me.post(at, fields)).to)
  return follow(me, at)
}
async function follow(me: Visitor, from: string) {
  let at = from
  for (;;) {
    if (at.startsWith('/console')) return { at, page: undefined }
    const page = await me.get(at)
    if (page.to === null) return { at, page }
    at = pathOf(page.to)
  }
}
const silently = async (me: Visitor) => pathOf((await me.get(`${AUTH}&prompt=none`)).to)

let me: Visitor
beforeEach(() => {
  me = createVisitor(app, '10.6.0.7')
  later(61)
})

test('an account that never accepted anything is not asked', async () => {
  accept()
  const { at, page } = await signedIn(me)
  expect([page, at.startsWith('/console/callback?code=')]).toEqual([undefined, true])
  expect(accepted()).toEqual([])
})

test('one that accepted an earlier text reads and accepts the new one, then goes on', async () => {
  accept('2020-01-01')
  const trail = () => app.rows(`select actor_user_id who, action from audit_entry where action = 'user.accept_terms'`)
  const before = trail().length
  expect(await silently(me)).toContain('error=login_required')
  const { at, page } = await signedIn(me)
  expect([page?.status, page?.text.includes('Nos conditions ont changé')]).toEqual([200, true])
  expect(page?.text).toContain('Conditions d’utilisation')
  expect(page?.headers.get('content-security-policy')).not.toContain('script-src')
  expect((await me.get(`${at}?lang=en`)).text).toContain('Our terms have changed')
  expect(await silently(me)).toContain('error=consent_required')

  const csrf = csrfOf(page?.text ?? '')
  const boxes = { terms: '2026-11-23', privacy: '2026-11-23' }
  for (const [fields, status] of [
    [{ csrf }, 422],
    [{ csrf, terms: '2026-11-23' }, 422],
    [{ csrf, terms: '2020-01-01', privacy: '2020-01-01' }, 422],
    [{ ...boxes, csrf: 'made-up' }, 403],
  ] as const)
    expect([status, (await me.post(at, fields)).status]).toEqual([status, status])
  expect(accepted().length).toBe(2)

  const done = await follow(me, pathOf((await me.post(at, { ...boxes, csrf })).to))
  expect(done.at).toMatch(/^\/console\/callback\?code=.*state=of-the-tab/)
  expect(accepted().slice(2)).toEqual([
    { document: 'TERMS', version: '2026-11-23' },
    { document: 'PRIVACY', version: '2026-11-23' },
  ])
  expect(trail().slice(before)).toEqual([{ who: app.owner.userId, action: 'user.accept_terms' }])
  expect(await silently(me)).toContain('/console/callback?code=')
  expect((await signedIn(createVisitor(app, '10.6.1.7'))).page).toBeUndefined()
})

test.each([43, 300, 450])(
  'a sign-in that was begun with %d characters of state goes on behind the terms',
  async (n) => {
    accept('2020-01-01')
    const { at, page } = await signedIn(me, authOf('s'.repeat(n)))
    expect(page?.text).toContain('Nos conditions ont changé')
    const fields = { terms: '2026-11-23', privacy: '2026-11-23', csrf: csrfOf(page?.text ?? '') }
    const passed = await me.post(at, fields)
    expect([passed.status, passed.text]).toEqual([303, expect.not.stringContaining('invalid_request')])
    expect((await follow(me, pathOf(passed.to))).at).toContain(`state=${'s'.repeat(n)}`)
  },
)

test('a stranger begins none with more than its row holds', async () => {
  const refused = await me.get(authOf('s'.repeat(1000)))
  expect(refused.to).toContain('error=invalid_request')
})
