import { describe, expect, test } from 'bun:test'
import { createStore } from '../../../src/adapters/identity/embedded/rows/store.ts'
import { SIGN_INS } from '../../../src/core/budgets.ts'
import { authorizeUrl, createTestIdentity, PHONE, signIn, type TestIdentity } from '../../support/oidc.ts'

describe('sign-ins that anybody may begin', () => {
  const rows = (idp: TestIdentity) =>
    idp.store.client
      .prepare("select model, length(payload) n from oidc_payload where model in ('Interaction','Session')")
      .all() as {
      model: string
      n: number
    }[]
  const begin = (idp: TestIdentity, change: Record<string, string>) =>
    idp.fetch(new Request(authorizeUrl(idp, change)), '203.0.113.9')

  test('one as an app begins it is kept, in at most 1 KB', async () => {
    const idp = await createTestIdentity()
    await begin(idp, { state: 's'.repeat(43), nonce: 'n'.repeat(43), login_hint: PHONE })
    expect(rows(idp).length).toBeGreaterThan(0)
    for (const { model, n } of rows(idp)) expect([model, n <= 1024]).toEqual([model, true])
    await begin(idp, { claims: 'x'.repeat(2000) })
    for (const { model, n } of rows(idp)) expect([model, n <= 1024]).toEqual([model, true])
  })

  test.each(['state', 'nonce', 'login_hint', 'acr_values', 'ui_locales', 'id_token_hint'])(
    'one with a long %s leaves nothing',
    async (name) => {
      const idp = await createTestIdentity()
      const response = await begin(idp, { [name]: 'x'.repeat(2000) })
      const said = response.headers.get('location') ?? (await response.text())
      expect(`${response.status} ${said.slice(0, 300)}`).toContain('invalid_request')
      expect(rows(idp)).toEqual([])
    },
  )

  test('of too many the oldest give way, of those signed in none', async () => {
    const idp = await createTestIdentity()
    await signIn(idp)
    const before = rows(idp).filter(({ model }) => model === 'Session').length
    let now = Date.now()
    const { db, write } = idp.store
    const begun = createStore({ db, write, wall: () => now }).adapter('Interaction')
    for (let i = 0; i < SIGN_INS.stored + 5_000; i++) {
      now += 50
      await begun.upsert(`i${i}`, {}, 1800)
    }
    const kept = rows(idp).filter(({ model }) => model === 'Interaction').length
    expect([kept > SIGN_INS.stored - 1_000, kept < SIGN_INS.stored + 1_000]).toEqual([true, true])
    expect(await begun.find('i0')).toBeUndefined()
    expect(await begun.find(`i${SIGN_INS.stored + 4_999}`)).toBeDefined()
    expect(rows(idp).filter(({ model }) => model === 'Session').length).toBe(before)
  }, 60_000)
})
