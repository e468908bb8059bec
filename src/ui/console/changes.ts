// Calls back when something has changed, by the stream of events; without a stream, every half minute.
import { session } from '../shared/session.ts'

const POLL_MS = 30_000
/** Changes of a busy office are shown together. */
const APART_MS = 3_000
const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const hidden = (): boolean => document.visibilityState === 'hidden'

/** Reads one stream to its end. @returns whether there was one */
async function listen(signal: AbortSignal, said: (version: string) => void): Promise<boolean> {
  const headers = { authorization: `Bearer ${await session.token()}` }
  const response = await fetch('/api/v1/events', { headers, signal, cache: 'no-store' })
  if (!response.ok || !response.body) return false
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    text += value
    const end = text.lastIndexOf('\n\n')
    const version = /"version":(\d+)\}\s*$/.exec(text.slice(0, end))?.[1]
    if (version !== undefined) said(version)
    text = text.slice(end + 2)
  }
}

/** Calls `changed` for as long as the page is open and in sight. @returns how to stop */
export function watchChanges(changed: () => unknown): () => void {
  const stop = new AbortController()
  let cut: AbortController | undefined
  let last: string | undefined
  let waiting = false
  function said(version: string): void {
    const first = last === undefined
    const news = version !== last
    last = version
    if (first || !news || waiting) return
    waiting = true
    void rest(APART_MS).then(() => {
      waiting = false
      if (!stop.signal.aborted) changed()
    })
  }
  // a page out of sight gives its connection back; the queries ask again by themselves when it returns
  const seen = (): void => {
    if (hidden()) cut?.abort()
  }
  document.addEventListener('visibilitychange', seen, { signal: stop.signal })
  void (async () => {
    while (!stop.signal.aborted) {
      if (hidden() || !navigator.onLine) {
        await rest(1_000)
        continue
      }
      cut = new AbortController()
      const open = await listen(cut.signal, said).catch(() => false)
      // the stream ended with its token: the next one has a new token
      if (open) await rest(1_000)
      else if (!hidden()) {
        await rest(POLL_MS)
        if (!hidden() && !stop.signal.aborted) changed()
      }
    }
  })()
  return () => {
    stop.abort()
    cut?.abort()
  }
}
