import { type Static, Type } from '@sinclair/typebox'

/** Settings of traces, under the names that OpenTelemetry gives them. */
export const TRACES_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^?#@\\s]+$',
      description: 'the address of a collector, such as http://127.0.0.1:4318',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[\\w-]+=[^,\\s]+(,[\\w-]+=[^,\\s]+)*$',
      description: 'headers such as api-key=secret, with a comma between two',
    }),
  ),
}
export const TRACES_SECRETS = ['OTEL_EXPORTER_OTLP_HEADERS'] as const

type Settings = { readonly [K in keyof typeof TRACES_SETTINGS]?: Static<(typeof TRACES_SETTINGS)[K]> }

/** The collector that gets traces; undefined where none is named. */
export function readCollector(s: Settings) {
  const endpoint = s.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  const pairs = (s.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').filter((pair) => pair !== '')
  const headers = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
  })
  return { endpoint, headers: Object.fromEntries(headers) }
}
