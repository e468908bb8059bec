import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { type RemoteKeys, UnknownKey } from './jwks.ts'

/** The embedded provider's own public keys, which need no fetching. */
export function localKeys(provider: {
  readonly jwks: () => JSONWebKeySet
  readonly onKeysChanged: (listener: () => void) => void
}): Pick<RemoteKeys, 'find' | 'onChange'> {
  let find = createLocalJWKSet(provider.jwks())
  provider.onKeysChanged(() => {
    find = createLocalJWKSet(provider.jwks())
  })
  return {
    onChange: provider.onKeysChanged,
    async find(header) {
      try {
        return await find(header)
      } catch {
        throw new UnknownKey()
      }
    },
  }
}
