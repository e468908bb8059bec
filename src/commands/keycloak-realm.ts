import { keycloakRealm as realm } from '../adapters/identity/keycloak/realm.ts'
import type { Command } from './command.ts'

/** `loyer keycloak-realm`: the realm for a Keycloak to import. */
export const keycloakRealm: Command = ({ config }) => JSON.stringify(realm(config()), null, 2)
