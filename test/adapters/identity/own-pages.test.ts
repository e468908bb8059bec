// Loyer's own pages renew by the session's cookie: a refresh token in them would be one more thing to steal.
import { expect, test } from 'bun:test'
import { Browser, codeOf, createTestIdentity, exchange, signIn } from '../../support/oidc.ts'

test.each([
  ['/console/callback', false],
  ['/portal/callback', false],
  ['/app/callback', true],
])('a code for %s brings a refresh token: %p', async (path, refreshes) => {
  const publicUrl = 'https://rent.example.cm'
  const idp = await createTestIdentity({ publicUrl, sandbox: false, redirectUris: [`${publicUrl}/app/callback`] })
  const redirect_uri = publicUrl + path
  const code = codeOf(await signIn(idp, new Browser(idp), { redirect_uri }))
  const { status, body } = await exchange(idp, code, { redirect_uri })
  expect([status, typeof body.access_token, 'refresh_token' in body]).toEqual([200, 'string', refreshes])
})
