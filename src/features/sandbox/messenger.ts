import type { Messenger } from '../../adapters/messaging/port.ts'
import type { Deps } from '../../deps.ts'
import { insertMessage } from './store.ts'

/** In the sandbox every message is also kept, for people who build apps to read. */
export const inboxMessenger = (
  inner: Messenger,
  { write, clock, newId }: Pick<Deps, 'write' | 'clock' | 'newId'>,
): Messenger => ({
  async send(m) {
    await write(null, (tx) => {
      insertMessage(tx, {
        id: newId(),
        orgId: m.orgId,
        to: m.to,
        channel: m.channel,
        purpose: m.purpose,
        text: m.text,
        code: m.code ?? null,
        createdAt: new Date(clock.now()).toISOString(),
      })
      return true
    })
    await inner.send(m)
  },
})
