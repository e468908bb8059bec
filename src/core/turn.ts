/**
 * Calls a function once the event loop has looked after everything else. On Deno immediates run some sixty at a time before
 * sockets are read, so that requests would wait for all of them; a timer lets requests in.
 */
export const soon: (fn: () => void) => void = 'Deno' in globalThis ? (fn) => void setTimeout(fn, 0) : setImmediate

/** Lets other work run, requests included. */
export const turn = (): Promise<void> => new Promise((resolve) => soon(resolve))
