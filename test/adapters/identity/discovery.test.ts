import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Browser, createTestIdentity, post } from '../../support/oidc.ts'
import { errorOf, type Json, type RelyingParty, startRelyingParty } from '../../support/relying-party.ts'

/** What is announced works, and what works is announced. */
let rp: RelyingParty
let told: Json
beforeAll(async () => {
  rp = await startRelyingParty()
  rp.idp.store.client.exec("update app_user set locale = 'fr'")
  told = await rp.discovered()
})
afterAll(() => rp.stop())
const list = (name: string): string[] => [...(told[name] as string[])].sort()
const asks = async (change: Record<string, string>) => {
  const page = await new Browser(rp.idp).visit((await rp.request(change)).url)
  return page.text.includes('name="password"') ? 'asks' : (errorOf(page) ?? page.response.status)
}

test('its members, and no other', () => {
  expect(Object.keys(told).sort()).toEqual(
    [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'jwks_uri',
      'end_session_endpoint',
      'revocation_endpoint',
      'acr_values_supported',
      'authorization_response_iss_parameter_supported',
      'claim_types_supported',
      'claims_parameter_supported',
      'claims_supported',
      'code_challenge_methods_supported',
      'grant_types_supported',
      'id_token_signing_alg_values_supported',
      'prompt_values_supported',
      'request_parameter_supported',
      'request_uri_parameter_supported',
      'response_modes_supported',
      'response_types_supported',
      'revocation_endpoint_auth_methods_supported',
      'scopes_supported',
      'subject_types_supported',
      'token_endpoint_auth_methods_supported',
      'ui_locales_supported',
    ].sort(),
  )
  expect(told).toMatchObject({
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
})

test('the same under its name of RFC 8414', async () => {
  expect(await (await fetch(`${rp.idp.issuer}/.well-known/oauth-authorization-server`)).json()).toEqual(told)
})

test('each endpoint is there', async () => {
  for (const [name, url] of Object.entries(told).filter(([name]) => /_endpoint$|_uri$/.test(name))) {
    const response = await fetch(String(url), { method: 'OPTIONS' })
    expect([name, response.status]).toEqual([name, 204])
  }
  for (const path of [
    'introspect',
    'token/introspect',
    'ext/device',
    'ext/par/request',
    'registrations',
    'device',
    'request',
  ])
    expect((await fetch(`${rp.idp.issuer}/protocol/openid-connect/${path}`, { method: 'POST' })).status).toBe(404)
})

test('claims: those of the ID token and of userinfo, all of them', async () => {
  const { tokens } = await rp.signedIn({ scope: 'openid profile email phone' })
  const info: Json = await (await rp.userinfo(tokens.access_token)).json()
  const claims = new Set([...Object.keys(tokens.claims() ?? {}), ...Object.keys(info)])
  expect([...claims].sort()).toEqual(list('claims_supported'))
})

test('scopes: each is granted, another is not', async () => {
  const { tokens } = await rp.signedIn({
    scope: `${list('scopes_supported').join(' ')} address roles`,
    prompt: 'consent',
  })
  expect(tokens.scope?.split(' ').sort()).toEqual(list('scopes_supported'))
})

describe('grants', () => {
  test.each([
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:openid:params:grant-type:ciba',
  ])('%s', async (grant_type) => {
    for (const sandbox of [false, true]) {
      const idp = sandbox ? await createTestIdentity({ sandbox }) : rp.idp
      const document: Json = await (
        await idp.fetch(new Request(`${idp.issuer}/.well-known/openid-configuration`), '::1')
      ).json()
      const { body } = await post(idp, { grant_type, client_id: 'svc-mobile' })
      const grants = document.grant_types_supported as string[]
      expect([sandbox, body.error === 'unsupported_grant_type']).toEqual([sandbox, !grants.includes(grant_type)])
    }
  })
})

test.each(['none', 'login', 'consent', 'select_account', 'create'])('prompt=%s', async (prompt) => {
  const announced = list('prompt_values_supported').includes(prompt)
  expect(await asks({ prompt })).toBe(!announced ? 'invalid_request' : prompt === 'none' ? 'login_required' : 'asks')
})

test.each(['query', 'fragment', 'form_post', 'jwt', 'web_message'])('response_mode=%s', async (response_mode) => {
  expect((await asks({ response_mode })) === 'asks').toBe(list('response_modes_supported').includes(response_mode))
})

test.each(['code', 'token', 'id_token', 'none', 'code id_token', 'code token'])(
  'response_type=%s',
  async (response_type) => {
    expect((await asks({ response_type })) === 'asks').toBe(list('response_types_supported').includes(response_type))
  },
)

test.each([
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: 'id_token' }, 'unsupported_response_type'],
  [{ response_type: 'code token' }, 'unsupported_response_type'],
  [{ response_type: 'something else' }, 'unsupported_response_type'],
  // What is there, the same word twice too, is answered in the query alone.
  [{ response_type: 'code', response_mode: 'fragment' }, 'invalid_request'],
  [{ response_type: 'code code', response_mode: 'fragment' }, 'invalid_request'],
])('%o is refused as %s', async (change, error) => {
  const { url } = await new Browser(rp.idp).visit((await rp.request(change)).url)
  expect(new URLSearchParams(/[?#](.*)$/.exec(url)?.[1]).get('error')).toBe(error)
})

test.each(['S256', 'plain'])('code_challenge_method=%s', async (code_challenge_method) => {
  const announced = list('code_challenge_methods_supported').includes(code_challenge_method)
  expect((await asks({ code_challenge_method })) === 'asks').toBe(announced)
})

test('clients prove themselves at both endpoints in the ways announced, and in no other', async () => {
  const ways: Record<string, [Record<string, string>, Record<string, string>]> = {
    none: [{ client_id: 'svc-mobile' }, {}],
    client_secret_basic: [{}, { authorization: `Basic ${btoa('svc-admin:a%20secret%20of%20the%20operator')}` }],
    client_secret_post: [{ client_id: 'svc-admin', client_secret: 'a secret of the operator' }, {}],
    private_key_jwt: [
      {
        client_id: 'svc-admin',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'x',
      },
      {},
    ],
  }
  for (const [way, [form, headers]] of Object.entries(ways))
    for (const [name, path, more] of [
      ['token_endpoint_auth_methods_supported', 'token', { grant_type: 'client_credentials' }],
      ['revocation_endpoint_auth_methods_supported', 'revoke', { token: 'x' }],
    ] as const) {
      const { body } = await post(rp.idp, { ...form, ...more }, path, headers)
      expect([way, path, body.error !== 'invalid_client']).toEqual([way, path, list(name).includes(way)])
    }
})
