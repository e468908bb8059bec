import type { Messenger } from '../../../adapters/messaging/port.ts'
import type { Deps } from '../../../deps.ts'
import { insertMessage } from './store.ts'

/** In the sandbox every message is also stored, so that app developers can read it. */
export const inboxMessenger = (inner: Messenger, { clock, newId }: Pick<Deps, 'clock' | 'newId'>): Messenger => ({
  ...inner,
  mute: false,
  prepare(tx, m) {
    const createdAt = new Date(clock.now()).toISOString()
    const { orgId, to, channel, purpose, text, code = null } = m
    insertMessage(tx, { id: newId(), orgId, to, channel, purpose, text, code, createdAt })
  },
})
