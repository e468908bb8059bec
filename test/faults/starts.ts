import { freePort, isReady, launch } from '../support/server.ts'

const SENTENCE = /^Another Loyer is already running on .+\. Stop it first, or choose another LOYER_DATA\.$/m

/** Starts several processes on one folder at the same moment: one has to serve, the others to say why they do not. */
export async function startTogether(data: string, processes = 8) {
  const ports = await Promise.all(Array.from({ length: processes }, freePort))
  const all = ports.map((port) => ({
    base: `http://127.0.0.1:${port}`,
    running: launch({ data, port, command: 'serve' }),
  }))
  const serving: typeof all = []
  const outcomes = await Promise.all(
    all.map(async (one) => {
      while (!one.running.ended()) {
        if (await isReady(one.base)) {
          serving.push(one)
          return 'serves'
        }
        await Bun.sleep(20)
      }
      const { code, signal } = await one.running.end()
      return SENTENCE.test(one.running.output()) ? `${code} and says why` : `${code ?? signal}: ${one.running.output()}`
    }),
  )
  const exits = await Promise.all(serving.map(({ running }) => running.end('SIGTERM')))
  return {
    serving: serving.length,
    others: outcomes.filter((o) => o !== 'serves'),
    exits: exits.map(({ code }) => code),
  }
}
