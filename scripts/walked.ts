// What scripts/walks.ts measures: one request, as often as it says, on a service that has answered it before.
import { expect, test } from 'bun:test'
import { createVerifier } from '../src/adapters/identity/verify.ts'
import { createApp } from '../src/app.ts'
import { resolveCaller } from '../src/features/people/accounts/account.ts'
import { createAccess } from '../src/http/auth.ts'
import { createTestApp } from '../test/support/app.ts'
import { createIssuer } from '../test/support/tokens.ts'
import { world } from '../test/support/world.ts'

const { WALK = '', WALK_TIMES = '1' } = process.env
const t = createTestApp()
const w = await world(t)
const { issuer, keys, mint } = createIssuer('https://id.example.cm/realms/svc', t.clock.wall)
const verifier = createVerifier({ issuer, audience: 'svc-api', keys, wall: t.clock.wall })
const deps = { ...t.deps, checkAnswers: false }
const live = createApp(deps)
const strict = createApp({ ...deps, access: createAccess(verifier, resolveCaller(t.deps)) })

async function ask(app: typeof live, line: string, token: string, body?: object): Promise<number> {
  const [method = '', path = ''] = line.split(' ')
  const text = body && JSON.stringify(body)
  // As over the network, where a body says its length.
  const sent = text && { 'content-type': 'application/json', 'content-length': String(text.length) }
  const headers = { authorization: `Bearer ${token}`, ...sent }
  return (await app.fetch(new Request(`http://localhost${path}`, { method, headers, ...(text && { body: text }) })))
    .status
}
const property = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
const payment = { amount: 100, method: 'CASH', paidOn: '2026-03-10' }
let asked = 0
const walks: Record<string, () => Promise<number>> = {
  // Not in the cache: another query each time.
  'GET one property': () => ask(live, `GET /api/v1/properties/${w.properties.PUBLISHED}?n=${asked++}`, w.as.ana),
  'POST property': () => ask(live, 'POST /api/v1/properties', w.as.ana, property),
  payment: () => ask(live, `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`, w.as.ana, payment),
  // A role that may not: the request ends with the check of it.
  'first token to role check': () => ask(strict, 'GET /api/v1/admin/audit', mint({ claims: { jti: String(asked++) } })),
}
test(WALK, async () => {
  const walk = walks[WALK]
  for (let i = 0; i < Number(WALK_TIMES) + 2; i++) expect([200, 201, 403]).toContain((await walk?.()) ?? 0)
})
