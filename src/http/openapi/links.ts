import { isObject, type Json } from './schemas.ts'

const shape = (path: string): string => path.replace(/\{[\w.]+\}|:\w+/g, '{}')
/** The runtime expression of OpenAPI for a part of a place: `{member}` of the answer, `:name` of the path. */
const expression = (part: string): string =>
  part.startsWith(':') ? `$request.path.${part.slice(1)}` : `$response.body#/${part.slice(1, -1).replaceAll('.', '/')}`

/** What can be done next with what an operation made: every operation of the place where it is found. */
export function linksTo(place: string, paths: Readonly<Record<string, Json>>): Json {
  const links: Json = {}
  const given = place.match(/\{[\w.]+\}|:\w+/g) ?? []
  for (const [path, operations] of Object.entries(paths)) {
    const rest = shape(path).slice(shape(place).length)
    if (!shape(path).startsWith(shape(place)) || !/^(\/[\w-]+)*$/.test(rest) || rest.includes('{')) continue
    // A place without an id is all that is known of it.
    if (given.length === 0 && rest !== '') continue
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const parameters = Object.fromEntries(names.map((name, i) => [name, expression(given[i] ?? '')]))
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
