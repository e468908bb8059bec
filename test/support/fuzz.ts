// Sends made-up requests at the whole app and looks at every answer.
import { type Answer, createTestApp, type TestApp } from './app.ts'
import { createGenerator, kindOfLine, type Made, poolOf } from './generate.ts'
import { routesOf } from './routes.ts'
import { type World, world } from './world.ts'

const PROBLEM = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId']
/** The 503 of what a test app does not have: an identity provider, a messaging vendor, secrets of a webhook. */
const ABSENT = [
  'identity_unavailable',
  'account_unavailable',
  'delivery_unavailable',
  'photos_unavailable',
  'webhook_disabled',
]
export type Counts = Map<number, number>
/** A request of the fuzzer had an outcome that none may have. */
class FuzzFailure extends Error {
  constructor(reason: string, seed: number, index: number, { as, line, body, headers }: Made, answer: string) {
    super(
      [
        `${reason} (seed ${seed}, request ${index})`,
        `call(${JSON.stringify(as)}, ${JSON.stringify(line)}, ${JSON.stringify(body)}, ${JSON.stringify(headers)})`,
        answer.slice(0, 1_000),
      ].join('\n'),
    )
    this.name = 'FuzzFailure'
  }
}

const callersOf = (w: World): string[] => Object.values(w.as)

/**
 * Sends `requests` of one seed at a fresh app with two organizations; `call` holds every answer against the document.
 * @throws FuzzFailure at the first answer of 500 or more, or that is not as documented, and at the first failed job
 */
export async function fuzz(seed: number, requests: number): Promise<Counts> {
  const t: TestApp = createTestApp()
  const routes = routesOf(t.app).filter(({ hidden }) => !hidden)
  const worlds = [await world(t), await world(t, 'other')]
  const pool = poolOf(worlds)
  const next = createGenerator(seed, pool, worlds.flatMap(callersOf), routes)
  /** What was made can be asked for later. */
  const learn = (made: Made, body: Record<string, unknown>): void => {
    const known = pool[`${made.as?.split('~')[1]}:${kindOfLine(made.line)}`]
    if (known && known.length < 60 && typeof body?.id === 'string') known.push(body.id)
  }
  const counts: Counts = new Map()
  for (let i = 0; i < requests; i++) {
    const made = next()
    const fail = (reason: string, text: string): never => {
      throw new FuzzFailure(reason, seed, i, made, text)
    }
    let answer: Answer
    try {
      answer = await t.call(made.as, made.line, made.body, { ...made.headers })
    } catch (error) {
      return fail(`threw ${String(error)}`, '')
    }
    const { status, text, headers } = answer
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (status >= 500 && !ABSENT.includes(String(answer.body?.code))) fail('an answer of 500 or more', text)
    // The page of a link or a paper is for people, whatever it has to say.
    const page = headers.get('content-type')?.startsWith('text/html') && / \/(u|i|p|r|s|verify)\//.test(made.line)
    if (status >= 400 && text !== '' && !page && !PROBLEM.every((member) => member in answer.body))
      fail('no problem document', text)
    if (headers.get('x-content-type-options') !== 'nosniff') fail('security headers are missing', text)
    if (status === 201) learn(made, answer.body)
    if (i % 1_000 === 999) {
      if (i % 10_000 === 9_999) t.advance(1)
      await t.work()
      const [broken] = t.rows('select kind, last_error from job where last_error is not null')
      if (broken) fail('a job failed', JSON.stringify(broken))
    }
  }
  if (({} as { polluted?: unknown }).polluted !== undefined) throw new Error(`a prototype was changed (seed ${seed})`)
  return counts
}
