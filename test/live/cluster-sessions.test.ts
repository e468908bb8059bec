// Signing out on one of several machines: what it ends on the others, and how soon.
import { afterAll, describe, expect, test } from 'bun:test'
import { sqld, startCluster } from '../support/cluster.ts'
import { cleaner } from '../support/folder.ts'
import {
  authorizeUrl,
  Browser,
  claimsOf,
  PASSWORD,
  PHONE,
  type Realm,
  refresh,
  signInForTokens,
} from '../support/oidc.ts'
import { launch, type Server } from '../support/server.ts'

const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }
/** Half a second between two looks at the log, and what a busy machine adds. */
const SOON_MS = 10_000

afterAll(cleaner())

describe.skipIf(sqld === undefined)('a session ended on one node (not here: no libSQL server)', () => {
  test('ends on the other: changes, refreshes and the page at once, reads within a moment; others go on', async () => {
    const cluster = await startCluster()
    const names = ['--first-name', 'Awa', '--last-name', 'Ngo', '--password', PASSWORD]
    const args = ['--phone', PHONE, '--role', 'OWNER,ADMIN', ...names]
    const made = launch({ data: cluster.dataOf('a'), command: 'user create', args, env: cluster.env })
    expect((await made.end()).code).toBe(0)
    const [a, b] = [await cluster.node('a'), await cluster.node('b')]
    const issuer = `${cluster.env.PUBLIC_URL}/realms/svc`
    let at: Server = a
    const realm: Realm = {
      issuer,
      fetch: (request) =>
        fetch(new Request(request.url.replace(cluster.env.PUBLIC_URL, at.base), request), { redirect: 'manual' }),
    }
    const browser = new Browser(realm)
    const lost = await signInForTokens(realm, browser)
    const phone = await signInForTokens(realm)
    const me = async (node: Server, { access_token: token }: typeof lost): Promise<number> =>
      (await node.call(token, 'GET /api/v1/me')).status
    // Both nodes know both tokens, and keep them in memory.
    for (const node of [a, b]) for (const tokens of [lost, phone]) expect(await me(node, tokens)).toBe(200)
    at = b
    expect((await browser.visit(authorizeUrl(realm))).left).toBe(true)

    const sid = String(claimsOf(lost.access_token).sid)
    expect((await a.call(phone.access_token, `DELETE /api/v1/account/sessions/${sid}`)).status).toBe(204)
    expect((await b.call(lost.access_token, 'POST /api/v1/properties', VILLA)).status).toBe(401)
    expect((await refresh(realm, lost.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await browser.visit(authorizeUrl(realm))).text).toContain('name="password"')
    const began = performance.now()
    while ((await me(b, lost)) !== 401 && performance.now() - began < SOON_MS) await Bun.sleep(10)
    expect(await me(b, lost)).toBe(401)
    expect(await me(b, phone)).toBe(200)
    expect((await refresh(realm, phone.refresh_token)).status).toBe(200)

    // A read that comes first is refused within a moment too.
    const other = await signInForTokens(realm)
    expect([await me(a, other), await me(b, other)]).toEqual([200, 200])
    const second = String(claimsOf(other.access_token).sid)
    expect((await a.call(phone.access_token, `DELETE /api/v1/account/sessions/${second}`)).status).toBe(204)
    const from = performance.now()
    while ((await me(b, other)) !== 401 && performance.now() - from < SOON_MS) await Bun.sleep(10)
    expect(await me(b, other)).toBe(401)
    for (const node of [a, b]) await node.end('SIGTERM')
  }, 180_000)
})
