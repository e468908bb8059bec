import { type Static, Type } from '@sinclair/typebox'

/** Settings of traces, under the names that OpenTelemetry gives them. */
export const TRACES_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      format: 'web-address',
      pattern: '^[^?#]+$',
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

const isHeader = (name: string, value: string): boolean => {
  try {
    return new Headers([[name, decodeURIComponent(value)]]).has(name)
  } catch {
    return false
  }
}

/** The collector that gets traces; undefined where none is named. */
export function readCollector(s: Settings, problems: string[]) {
  const pairs = (s.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').filter((pair) => pair !== '')
  const headers: Record<string, string> = {}
  for (const pair of pairs) {
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    if (isHeader(name, value)) headers[name] = decodeURIComponent(value)
    else problems.push(`OTEL_EXPORTER_OTLP_HEADERS: ${name} has a value that no header can have`)
  }
  const endpoint = s.OTEL_EXPORTER_OTLP_ENDPOINT
  return endpoint === undefined ? undefined : { endpoint, headers }
}
