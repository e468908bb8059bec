// Run by scripts/keycloak.ts, with the folder of a Keycloak distribution in KEYCLOAK_HOME.
import { afterAll, beforeAll, describe, setDefaultTimeout, test } from 'bun:test'
import { createKeycloakIdentity } from '../../src/adapters/identity/keycloak/keycloak.ts'
import { keycloakRealm } from '../../src/adapters/identity/keycloak/realm.ts'
import { silentLog } from '../../src/log.ts'
import { cleaner } from '../support/folder.ts'
import { CONTRACT } from '../support/identity-contract.ts'
import { prepareKeycloak } from '../support/keycloak.ts'
import { SECRET, story } from '../support/keycloak-story.ts'
import { openTestStore } from '../support/oidc.ts'

setDefaultTimeout(500_000)
const clean = cleaner()
const home = process.env.KEYCLOAK_HOME
if (!home) throw new Error('KEYCLOAK_HOME is not set: npm run test:keycloak sets it')
const keycloak = await prepareKeycloak(
  home,
  keycloakRealm({
    publicUrl: 'http://localhost:3000',
    sandbox: true,
    redirectUris: [],
    corsOrigins: [],
    locale: 'fr',
    authAdminClientSecret: SECRET,
  }),
)
const store = openTestStore()
const { db, write, client } = store
const identity = createKeycloakIdentity({
  authUrl: keycloak.url,
  secret: SECRET,
  fetch: (url, init) => fetch(url, init),
  db,
  write,
  wall: Date.now,
  now: Date.now,
  log: silentLog,
  // A virtual machine that shares two cores is slower than what people run.
  timeout: 30_000,
  patience: 60_000,
})
const row = (userId: string) => client.prepare('select * from app_user where id = ?').get(userId) as never

beforeAll(() => keycloak.start())
afterAll(async () => {
  await keycloak.stop()
  clean()
})

describe('the port over a real Keycloak', () => {
  for (const [name, run] of CONTRACT) test(name, () => run({ ...keycloak, identity, row }))
})
describe('Loyer before a real Keycloak', () => {
  for (const [name, run] of story(() => ({ ...keycloak, identity }))) test(name, run)
})
