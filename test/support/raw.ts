import { connect } from 'node:net'

export type RawAnswer = {
  readonly statuses: readonly number[]
  readonly text: string
  readonly ms: number
  readonly closed: boolean
}

/**
 * Writes bytes to a loopback port as they are and reads what comes until the other side closes, or nothing more has come
 * for `quietMs`; the first word, and those of so many `answers`, are waited for as long as `firstMs`. Pieces after the first are sent `gapMs` apart.
 */
export function raw(
  port: number,
  pieces: string | Buffer | readonly (string | Buffer)[],
  {
    quietMs = 1_000,
    firstMs = quietMs,
    answers = 1,
    gapMs = 20,
  }: { readonly quietMs?: number; readonly firstMs?: number; readonly answers?: number; readonly gapMs?: number } = {},
): Promise<RawAnswer> {
  const list = Array.isArray(pieces) ? (pieces as readonly (string | Buffer)[]) : [pieces as string | Buffer]
  return new Promise((resolve) => {
    const began = performance.now()
    let text = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const socket = connect(port, '127.0.0.1')
    const statuses = (): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    const end = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ statuses: statuses(), text, ms: performance.now() - began, closed })
    }
    const quiet = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => end(false), statuses().length < answers ? firstMs : quietMs)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      quiet()
    })
    socket.on('close', () => end(true))
    socket.on('error', () => {})
    socket.on('connect', async () => {
      for (const [i, piece] of list.entries()) {
        if (i > 0) await new Promise((next) => setTimeout(next, gapMs))
        if (socket.writable) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
      }
      quiet()
    })
  })
}
