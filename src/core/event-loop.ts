/**
 * Calls a function once the event loop has looked after everything else. On Deno immediates run some sixty at a time before
 * sockets are read, so that requests would wait for all of them; a timer lets requests in.
 */
export const soon: (fn: () => void) => void = 'Deno' in globalThis ? (fn) => void setTimeout(fn, 0) : setImmediate

const waiting: (() => void)[] = []
function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) soon(next)
}
/**
 * Lets other work run, requests included. If several callers wait, one goes on at a time: otherwise requests would wait
 * for all of them.
 */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) soon(next)
  })
