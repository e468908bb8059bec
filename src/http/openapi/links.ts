import { isObject, type Json } from './schemas.ts'

const shape = (path: string): string => path.replace(/\{[\w.]+\}|:\w+/g, '{}')
/** The OpenAPI runtime expression for a part of an address: `{member}` of the answer, `:name` of the path. */
const expression = (part: string): string =>
  part.startsWith(':') ? `$request.path.${part.slice(1)}` : `$response.body#/${part.slice(1, -1).replaceAll('.', '/')}`

function linksTo(place: string, paths: Readonly<Record<string, Json>>): Json {
  const links: Json = {}
  const placeholders = place.match(/\{[\w.]+\}|:\w+/g) ?? []
  for (const [path, operations] of Object.entries(paths)) {
    const rest = shape(path).slice(shape(place).length)
    if (!shape(path).startsWith(shape(place)) || !/^(\/[\w-]+)*$/.test(rest) || rest.includes('{')) continue
    // An address without an id gives no parameter to link by.
    if (placeholders.length === 0 && rest !== '') continue
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const parameters = Object.fromEntries(names.map((name, i) => [name, expression(placeholders[i] ?? '')]))
    for (const [verb, operation] of Object.entries(operations))
      if (verb !== 'delete' && isObject(operation))
        links[String(operation.operationId)] = {
          operationId: operation.operationId,
          description: operation.summary,
          ...(names.length > 0 ? { parameters } : {}),
        }
  }
  return links
}

/** Adds links from the 201 of an operation to every operation at the address, `place`, of what it created. */
export function addLinks(
  operation: Json | undefined,
  place: string | undefined,
  paths: Readonly<Record<string, Json>>,
) {
  const created = isObject(operation?.responses) ? operation.responses[201] : undefined
  if (place !== undefined && isObject(created)) created.links = linksTo(place, paths)
}
