/** How a request is sent: the runtime's own `fetch`, or one of yours. */
export type Send = (request: Request) => Promise<Response>

/** Pauses before a request is sent again, ms. Both together are longer than a service is away after a fault, which is 2 s. */
const PAUSES = [300, 2_500]
/** Nothing was done: too many requests, or the service is away or has no room, as it says itself or a proxy before it. */
const LATER = new Set([429, 502, 503, 504])
/** A service that asks for more time than this gets no second request, s. */
const LONGEST = 5

/** The pause, or a part of it where the caller gives up meanwhile. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })

/** An answer in JSON to its last byte: a connection that breaks off in the middle of it has lost it too. */
async function whole(answer: Response): Promise<Response> {
  if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer
  const { status, statusText, headers } = answer
  return new Response(await answer.text(), { status, statusText, headers })
}

/** Sends a request up to three times, until it has an answer. Only for what has one effect, however often it is sent. */
export async function sendAgain(send: Send, make: () => Request): Promise<Response> {
  for (const pause of PAUSES) {
    const request = make()
    let wait = 0
    try {
      const answer = await whole(await send(request))
      wait = Number(answer.headers.get('retry-after') ?? 0)
      if (!LATER.has(answer.status) || !(wait <= LONGEST)) return answer
      await answer.body?.cancel()
    } catch (e) {
      // fetch says by a TypeError that the network failed
      if (!(e instanceof TypeError) || request.signal.aborted) throw e
    }
    await rest(Math.max(pause, wait * 1000), request.signal)
  }
  return send(make())
}
