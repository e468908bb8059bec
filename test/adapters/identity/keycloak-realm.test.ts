// The printed realm: what a sandbox's has more, and what no other may have.
import { expect, test } from 'bun:test'
import { keycloakRealm } from '../../../src/adapters/identity/keycloak/realm.ts'
import { loadConfig } from '../../../src/config.ts'

type Client = { clientId: string; directAccessGrantsEnabled: boolean; redirectUris?: string[] }

test.each([
  ['sandbox', ['svc-mobile'], true],
  ['production', [], false],
] as const)('the password grant and redirects to this machine in a %s: %p', (mode, grants, redirects) => {
  const realm = keycloakRealm(loadConfig({ LOYER_MODE: mode, PUBLIC_URL: 'https://rent.example.cm' }))
  const clients = realm.clients as Client[]
  expect(clients.filter((one) => one.directAccessGrantsEnabled).map(({ clientId }) => clientId)).toEqual([...grants])
  const mobile = clients.find(({ clientId }) => clientId === 'svc-mobile')
  expect(mobile?.redirectUris?.includes('http://127.0.0.1/*')).toBe(redirects)
})
