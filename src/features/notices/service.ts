import type { OutgoingMessage } from '../../adapters/messaging/port.ts'
import type { Deps } from '../../deps.ts'

/** Sends a message that no transaction has prepared yet. */
export async function sendMessage(
  { write, messenger }: Pick<Deps, 'write' | 'messenger'>,
  m: OutgoingMessage,
): Promise<void> {
  if (messenger.prepare) await write(null, (tx) => messenger.prepare?.(tx, m))
  await messenger.send(m)
}

/** News to a number that must not undo what was done when the vendor is down. */
export const tell = (
  deps: Pick<Deps, 'write' | 'messenger' | 'log'>,
  m: Omit<OutgoingMessage, 'channel'>,
): Promise<void> =>
  sendMessage(deps, { ...m, channel: 'WHATSAPP' }).catch((e: unknown) =>
    deps.log.error('message.failed', e, { purpose: m.purpose }),
  )
