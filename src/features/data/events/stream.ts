import { STREAMS } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'

/** How often streams are checked, ms, and after how many checks a quiet one is kept alive: servers cut it after 30 s. */
const LOOK_MS = 1000
const QUIET_LOOKS = 20

type Stream = {
  readonly token: string
  readonly orgId: string
  readonly userId: string
  version: number
  readonly send: (text: string) => void
  readonly end: () => void
}

/**
 * Streams of changes. One timer looks at all of them, and only while there are any: a quiet stream costs two look-ups
 * in memory a second. A stream ends with its token: when that expires, and when the account signs out, changes its
 * password or loses a role, because `known` then forgets it.
 */
export function createStreams({ store, access, stopping }: Pick<Deps, 'store' | 'access' | 'stopping'>) {
  const streams = new Set<Stream>()
  const encoder = new TextEncoder()
  let timer: ReturnType<typeof setInterval> | undefined
  let looks = 0

  const changed = (version: number): string => `event: changed\ndata: {"version":${version}}\n\n`

  function look(): void {
    looks += 1
    for (const stream of streams) {
      const version = store.orgVersion(stream.orgId)
      if (!access.known(stream.token)) stream.end()
      else if (version !== stream.version) {
        stream.version = version
        stream.send(changed(version))
      } else if (looks % QUIET_LOOKS === 0) stream.send(':\n\n')
    }
  }

  function add(stream: Stream): void {
    streams.add(stream)
    timer ??= setInterval(look, LOOK_MS)
  }
  function remove(stream: Stream): void {
    streams.delete(stream)
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  stopping.addEventListener('abort', () => {
    for (const stream of streams) stream.end()
  })

  /** @throws too_many_requests if the person has too many streams, overloaded if there are too many in all */
  function open(request: Request, { orgId, userId }: { orgId: string; userId: string }, token: string) {
    let own = 0
    for (const stream of streams) if (stream.userId === userId) own += 1
    if (own >= STREAMS.person) throw new AppError('too_many_requests', undefined, { retryAfter: STREAMS.retryAfter })
    if (streams.size >= STREAMS.all || stopping.aborted)
      throw new AppError('overloaded', undefined, { retryAfter: STREAMS.retryAfter })
    let close = (): void => {}
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const version = store.orgVersion(orgId)
        const stream: Stream = {
          token,
          orgId,
          userId,
          version,
          send(text) {
            try {
              controller.enqueue(encoder.encode(text))
            } catch {
              // The client has disconnected without a signal.
              close()
            }
          },
          end() {
            close()
            try {
              controller.close()
            } catch {}
          },
        }
        close = () => remove(stream)
        add(stream)
        stream.send(changed(version))
        request.signal.addEventListener('abort', close, { once: true })
      },
      cancel: () => close(),
    })
  }
  return { open, count: (): number => streams.size }
}
