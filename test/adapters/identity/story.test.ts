import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import { createKeycloakIdentity } from '../../../src/adapters/identity/keycloak/keycloak.ts'
import { silentLog } from '../../../src/log.ts'
import { cleaner } from '../../support/folder.ts'
import { type StandIn, startStandIn } from '../../support/keycloak-stand-in.ts'
import { SECRET, story, type World } from '../../support/keycloak-story.ts'
import { openTestStore } from '../../support/oidc.ts'

setDefaultTimeout(60_000)
const clean = cleaner()
let standIn: StandIn
let world: World
beforeAll(async () => {
  standIn = await startStandIn(SECRET)
  const { db, write } = openTestStore()
  const deps = { authUrl: standIn.url, secret: SECRET, db, write, wall: Date.now, now: Date.now, fetch, log: silentLog }
  world = {
    ...standIn,
    identity: createKeycloakIdentity(deps),
    async stop() {
      standIn.state.fault = () => 'down'
    },
    async start() {
      standIn.state.fault = () => undefined
    },
  }
})
afterAll(async () => {
  clean()
  await standIn.close()
})

test('the story of the accounts of a service whose sign-in is a Keycloak, from the first one to the end of the service', async () => {
  for (const [chapter, run] of story(() => world))
    await run().catch((cause: unknown) => {
      throw new Error(chapter, { cause })
    })
}, 240_000)
