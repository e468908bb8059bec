import type { Node } from '../db/cluster/node.ts'
import { openStore, type Store } from '../db/open.ts'
import type { EmbeddedIdentity } from './adapters/identity/embedded/embedded.ts'
import type { Config } from './config.ts'
import { heldKey, masterKey, refuseLostKey } from './keys.ts'
import type { Log } from './log.ts'

/** Opens this folder's database as one of several nodes. @throws StoreError with a sentence and an exit code */
export async function openNode(
  { dataDir, databaseFile: file }: Config,
  { url, token }: NonNullable<Config['primary']>,
  log: Log,
): Promise<Store> {
  const { createPrimary } = await import('./adapters/primary/hrana.ts')
  const { joinCluster } = await import('../db/cluster/join.ts')
  const { createNode } = await import('../db/cluster/node.ts')
  const joined = await joinCluster({
    file,
    primary: createPrimary(url, token),
    key: (make) => (make ? masterKey(dataDir) : heldKey(dataDir)),
    migrate: (path) => openStore(path, refuseLostKey(dataDir), 'joining').close(),
    tell: (event, detail) => log.warn(event, { detail }),
  })
  return openStore(file, refuseLostKey(dataDir), (client) => createNode(client, joined))
}

/** Tables that verified tokens, or what they may do, depend on. */
const OF_PEOPLE = /\b(?:app_user|assignment|oidc_payload|credential|second_factor)\b/
const OF_KEYS = /\bsigning_key\b/

/**
 * Drops whatever another node's change may have made untrue: more than necessary, because verifying a token anew is
 * cheap.
 */
export function learnFromOthers(
  node: Node,
  { forget, embedded }: { readonly forget: () => void; readonly embedded: EmbeddedIdentity | undefined },
): void {
  node.onOthers((wrote) => {
    if (wrote.some(({ sql }) => OF_KEYS.test(sql))) embedded?.reloadKeys()
    if (wrote.some(({ sql }) => OF_PEOPLE.test(sql))) forget()
  })
}
