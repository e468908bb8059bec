import { expect, test } from 'bun:test'
import { openTraces } from '../../src/adapters/tracing/tracing.ts'
import { readCollector } from '../../src/config/traces.ts'
import { createObserver } from '../../src/http/observe.ts'
import { silentLog } from '../../src/log.ts'

type Span = {
  name: string
  traceId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}
const NOW = Date.parse('2026-03-10T09:00:00Z')
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** A collector of OTLP over HTTP, and what it was sent. */
function collector(status = 200) {
  const got: { url: string; key: string | null; text: string }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      got.push({ url: request.url, key: request.headers.get('api-key'), text: await request.text() })
      return new Response('{}', { status })
    },
  })
  const spans = (): Span[] =>
    got.flatMap(({ text }) =>
      JSON.parse(text).resourceSpans.flatMap((r: { scopeSpans: { spans: Span[] }[] }) =>
        r.scopeSpans.flatMap((s) => s.spans),
      ),
    )
  return { got, spans, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
const attribute = (span: Span | undefined, name: string) => {
  const value = span?.attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('an answer and a job arrive at the collector as spans, with nothing that is private', async () => {
  const there = collector()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: there.url, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=s%20ecret,x-other=1' }
  const to = readCollector(settings, [])
  if (!to) throw new Error('no collector')
  const traces = openTraces(to, '9.9.9', () => NOW)
  const observer = createObserver(silentLog, traces)
  const route = (_method: string, path: string) => (path.startsWith('/i/') ? '/i/:token' : '/api/v1/tenants')
  const fetch = observer.observed(
    (request) => new Response('', { status: request.method === 'POST' ? 503 : 200 }),
    route,
  )
  await fetch(new Request('http://localhost/i/the-token-of-a-message?name=Paul'))
  await fetch(
    new Request('http://localhost/api/v1/tenants?q=Nkeng', { method: 'POST', headers: { traceparent: PARENT } }),
  )
  await fetch(new Request('http://localhost/healthz'))
  observer.worked('paper.draw', performance.now() - 40, true)
  await traces.end()
  there.stop()

  const [page, post, job, ...more] = there.spans()
  expect(more).toEqual([])
  expect(there.got.every(({ url, key }) => url === `${there.url}/v1/traces` && key === 's ecret')).toBe(true)
  expect(page?.name).toBe('GET /i/:token')
  expect(page?.parentSpanId).toBeUndefined()
  expect(attribute(page, 'http.response.status_code')).toBe(200)
  expect(attribute(page, 'http.route')).toBe('/i/:token')
  expect([post?.name, post?.traceId, post?.parentSpanId, post?.status.code]).toEqual([
    'POST /api/v1/tenants',
    '0af7651916cd43dd8448eb211c80319c',
    'b7ad6b7169203331',
    2,
  ])
  expect([job?.name, job?.status.code]).toEqual(['job paper.draw', 2])
  expect(Number(job?.endTimeUnixNano)).toBe(NOW * 1e6)
  expect(Number(job?.endTimeUnixNano) - Number(job?.startTimeUnixNano)).toBeGreaterThanOrEqual(39e6)
  const all = there.got.map(({ text }) => text).join()
  for (const secret of ['the-token', 'Paul', 'Nkeng', 'healthz']) expect(all).not.toContain(secret)
  expect(all).toContain('9.9.9')
})

for (const [name, url] of [
  ['is not there', () => 'http://127.0.0.1:9'],
  ['refuses everything', () => collector(500).url],
] as const)
  test(`a collector that ${name}: answers go on, and the end takes at most seconds`, async () => {
    const traces = openTraces({ endpoint: url(), headers: {} }, '1', () => NOW)
    const fetch = createObserver(silentLog, traces).observed(() => new Response('here'))
    const texts = []
    for (let i = 0; i < 5_000; i++) texts.push(await (await fetch(new Request('http://localhost/x'))).text())
    expect(new Set(texts)).toEqual(new Set(['here']))
    const began = performance.now()
    await traces.end()
    expect(performance.now() - began).toBeLessThan(6_000)
  })

test('without the setting there is no collector', () => {
  expect(readCollector({}, [])).toBeUndefined()
})
