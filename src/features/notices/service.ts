import type { Deps } from '../../deps.ts'
import { type NewMessage, sendMessage } from '../messages/service.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

/** News to a number that must not undo what it tells of. */
export const tell = (deps: Work, m: Omit<NewMessage, 'channel'>): Promise<void> =>
  sendMessage(deps, { ...m, channel: 'WHATSAPP' }).catch((e: unknown) =>
    deps.log.error('message.failed', e, { purpose: m.purpose }),
  )
