// Passkeys at the provider's pages, with an authenticator in software and its lies.
import { describe, expect, test } from 'bun:test'
import { begin, codesOn, optionsOn, secretOn, step, tokensOf } from '../../support/factors.ts'
import { Browser, claimsOf, createTestIdentity, type TestIdentity } from '../../support/oidc.ts'
import { softwareKey } from '../../support/passkey.ts'

describe('passkeys', () => {
  const ORIGIN = 'https://rent.example.cm'
  async function withPasskey(idp: TestIdentity) {
    const browser = new Browser(idp)
    const setup = await begin(idp, browser, { acr_values: '2' })
    const key = softwareKey(ORIGIN)
    const shown = await step(browser, setup, 'new-passkey', { answer: key.create(optionsOn(setup)) })
    expect(codesOn(shown)).toHaveLength(10)
    const tokens = await tokensOf(idp, await step(browser, shown, 'continue'))
    return { key, tokens, browser }
  }

  test('one is made and signs in; the page names its one script', async () => {
    const idp = await createTestIdentity()
    const { key, tokens } = await withPasskey(idp)
    expect(claimsOf(tokens.access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'pop', 'mfa'] })
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    expect(ask.response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; ")
    expect(ask.text.match(/<script[^>]*>/g)).toEqual(['<script src="/realms/svc/resources/passkey.js" defer>'])
    const done = await step(browser, ask, 'passkey', { answer: key.sign(optionsOn(ask)) })
    expect(claimsOf((await tokensOf(idp, done)).access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'pop', 'mfa'] })
  })

  test.each(['none', 'packed', 'tpm'] as const)(
    'one whose authenticator attests %s is taken and signs in',
    async (attested) => {
      const idp = await createTestIdentity()
      const browser = new Browser(idp)
      const setup = await begin(idp, browser, { acr_values: '2' })
      const key = softwareKey(ORIGIN)
      const shown = await step(browser, setup, 'new-passkey', { answer: key.create(optionsOn(setup), {}, attested) })
      expect(codesOn(shown)).toHaveLength(10)
      const other = new Browser(idp)
      const ask = await begin(idp, other)
      const done = await step(other, ask, 'passkey', { answer: key.sign(optionsOn(ask)) })
      expect(claimsOf((await tokensOf(idp, done)).access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'pop', 'mfa'] })
    },
  )

  test.each([
    ['of another origin', { origin: 'https://rent.example.cm.evil.cm' }],
    ['for another host', { rpId: 'evil.cm' }],
    ['without the person’s check', { verified: false }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['of another kind', { type: 'webauthn.create' }],
    ['with a counter that went back', { counter: 1 }],
  ])('an answer %s is refused', async (_, lies) => {
    const idp = await createTestIdentity()
    const { key } = await withPasskey(idp)
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    const refused = await step(browser, ask, 'passkey', { answer: key.sign(optionsOn(ask), lies) })
    expect(refused.left).toBe(false)
    expect(refused.text).toContain('The passkey was not recognized')
    // The right answer to the challenge that is spent.
    expect((await step(browser, ask, 'passkey', { answer: key.sign(optionsOn(ask)) })).left).toBe(false)
  })

  test('nor an answer twice, of another’s passkey, or of rubbish', async () => {
    const idp = await createTestIdentity()
    const { key } = await withPasskey(idp)
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    const answer = key.sign(optionsOn(ask))
    expect((await step(browser, ask, 'passkey', { answer })).left).toBe(true)
    const other = new Browser(idp)
    const asked = await begin(idp, other)
    const bad = [
      answer,
      softwareKey(ORIGIN).sign(optionsOn(asked)),
      '',
      '{',
      'null',
      '[]',
      '{"id":"x"}',
      'x'.repeat(15_000),
    ]
    for (const given of bad) expect((await step(other, asked, 'passkey', { answer: given })).left).toBe(false)
  })

  test.each([
    ['of another origin', { origin: 'https://evil.cm' }],
    ['for another host', { rpId: 'evil.cm' }],
    ['without the person’s check', { verified: false }],
  ])('none is made %s', async (_, lies) => {
    const idp = await createTestIdentity()
    const browser = new Browser(idp)
    const setup = await begin(idp, browser, { acr_values: '2' })
    const refused = await step(browser, setup, 'new-passkey', {
      answer: softwareKey(ORIGIN).create(optionsOn(setup), lies),
    })
    expect(refused.text).toContain('could not be added')
  })

  test('none is offered at an address that is no name', async () => {
    const idp = await createTestIdentity({ publicUrl: 'http://127.0.0.1:3000' })
    const browser = new Browser(idp)
    const setup = await begin(idp, browser, { acr_values: '2' })
    expect([optionsOn(setup), secretOn(setup).length, setup.text.includes('<script')]).toEqual(['', 32, false])
  })
})
