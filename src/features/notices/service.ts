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
