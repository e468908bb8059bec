// OpenTelemetry's SDK, loaded only where a collector is named.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Traces } from './port.ts'

type Collector = { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> }
/** Spans are sent this often, ms; spans that a collector does not take in time are dropped. */
const SEND = { scheduledDelayMillis: 2_000, exportTimeoutMillis: 5_000, maxQueueSize: 4_096 }
/** How long the last spans may take when the service ends, ms. */
const END_MS = 2_000

const headersOf = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
}

/**
 * One span for each answer and each job, by OTLP over HTTP with JSON, under the names of OpenTelemetry's conventions. A
 * `traceparent` of the client is continued. No span holds a query, a body, a person or the address of a page.
 */
export function openTraces({ endpoint, headers }: Collector, version: string, now: () => number): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'loyer', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...SEND })],
  })
  const tracer = provider.getTracer('loyer', version)
  const w3c = new W3CTraceContextPropagator()
  return {
    answered(request, { method, route, status, requestId, ms }) {
      const at = now()
      const span = tracer.startSpan(
        `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          startTime: at - ms,
          attributes: {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
            ...(requestId !== undefined && { 'loyer.request_id': requestId }),
          },
        },
        w3c.extract(ROOT_CONTEXT, request.headers, headersOf),
      )
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(at)
    },
    worked(kind, ms, failed) {
      const at = now()
      const span = tracer.startSpan(`job ${kind}`, { kind: SpanKind.CONSUMER, startTime: at - ms }, ROOT_CONTEXT)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(at)
    },
    async end() {
      let late: ReturnType<typeof setTimeout> | undefined
      const done = provider.shutdown().catch(() => {})
      await Promise.race([done, new Promise((resolve) => (late = setTimeout(resolve, END_MS)))])
      clearTimeout(late)
    },
  }
}
