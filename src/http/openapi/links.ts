import type { Json } from './schemas.ts'

const shape = (path: string): string => path.replace(/\{[\w.]+\}|:\w+/g, '{}')
/** The OpenAPI runtime expression for a part of an address: `{member}` of the answer, `:name` of the path. */
const expression = (part: string): string =>
  part.startsWith(':') ? `$request.path.${part.slice(1)}` : `$response.body#/${part.slice(1, -1).replaceAll('.', '/')}`

/** Links to every operation at the address, `place`, of what was created, and below it. */
export function linksTo(place: string, paths: Readonly<Record<string, Json>>): Json {
  const links: Json = {}
  const parts = place.match(/\{[\w.]+\}|:\w+/g) ?? []
  for (const [path, operations] of Object.entries(paths)) {
    const below = shape(path).slice(shape(place).length)
    // An address without an id gives no parameter to link by.
    const isThere =
      shape(path).startsWith(shape(place)) && (parts.length === 0 ? below === '' : /^(\/[\w-]+)*$/.test(below))
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const parameters = Object.fromEntries(names.map((name, i) => [name, expression(parts[i] ?? '')]))
    for (const [verb, { operationId, summary }] of Object.entries(operations as Record<string, Json>))
      if (isThere && verb !== 'delete')
        links[String(operationId)] = { operationId, description: summary, ...(names.length > 0 && { parameters }) }
  }
  return links
}
