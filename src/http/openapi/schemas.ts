import type { TSchema } from '@sinclair/typebox'

export type Json = { [key: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ONE = ['items', 'additionalProperties', 'not']
const MANY = ['allOf', 'anyOf', 'oneOf']
const MAPS = ['properties', 'patternProperties']

/** Shortens `anyOf`: a list of constants becomes `enum`, "or null" a second type. */
function shorten({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest
  const parts = anyOf.filter(isObject)
  const others = parts.filter((p) => p.type !== 'null')
  const nullable = others.length < parts.length
  const words = others.every((p) => p.type === 'string' && Array.isArray(p.enum) && Object.keys(p).length === 2)
  const one: Json | undefined = words ? { type: 'string', enum: others.flatMap((p) => p.enum) } : others[0]
  if (one === undefined || (others.length > 1 && !words)) return { ...rest, anyOf }
  if (!nullable) return { ...one, ...rest }
  if (typeof one.type !== 'string' || one.enum !== undefined) {
    const { description, ...type } = one
    return { ...(description === undefined ? {} : { description }), ...rest, anyOf: [type, { type: 'null' }] }
  }
  return { ...one, ...rest, type: [one.type, 'null'] }
}

export const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_m, letter: string) => letter.toUpperCase())
export const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '')
const isWordList = ({ enum: words, type }: Json): boolean =>
  type === 'string' && Array.isArray(words) && words.length > 1 && !words.includes(null)

/**
 * Converts TypeBox schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Whatever a generator would turn into a
 * type becomes a component: a schema with an `$id`, each object and each enum, named after its first use; equal ones
 * are shared.
 */
export function createSchemas() {
  const components = new Map<string, Json>()
  const sources = new Map<string, TSchema>()
  /** Component names by content. */
  const names = new Map<string, string>()

  const inner = (value: unknown, name?: string): unknown => (isObject(value) ? convert(value as TSchema, name) : value)

  function members(properties: Json, name: string | undefined): Json {
    const out: Json = {}
    for (const [member, value] of Object.entries(properties)) {
      const converted = inner(value, name && `${name}${pascal(member)}`)
      if (!isObject(converted)) continue
      const type =
        typeof converted.$ref === 'string' ? components.get(converted.$ref.split('/').at(-1) ?? '') : undefined
      const description = (value as Json)['x-here'] ?? converted.description ?? type?.description
      out[member] = { ...(description === undefined ? {} : { description }), ...converted }
    }
    return out
  }

  function plain(schema: TSchema, name: string | undefined): Json {
    const out: Json = {}
    for (const [key, value] of Object.entries(schema)) {
      if (['$id', 'x-lines', 'x-name', 'x-one-of', 'x-here'].includes(key) || value === undefined) continue
      if (key === 'const') out.enum = [value]
      else if (ONE.includes(key)) out[key] = inner(value, name && singular(name))
      else if (MANY.includes(key)) out[key] = (value as unknown[]).map((part) => inner(part, name))
      else if (MAPS.includes(key)) out[key] = members(value as Json, name)
      else out[key] = value
    }
    const { patternProperties, ...rest } = out
    if (isObject(patternProperties) && '^(.*)$' in patternProperties)
      return shorten({ ...rest, additionalProperties: patternProperties['^(.*)$'] })
    return shorten(out)
  }

  /** @throws Error if two different schemas have the same name */
  function component(name: string, schema: Json, source: TSchema): Json {
    const known = components.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${name}`)
    components.set(name, schema)
    if (!known) sources.set(name, source)
    return { $ref: `#/components/schemas/${name}` }
  }

  /**
   * The schema as the document shows it: inline, or a reference to its component. `name` is used if it has no `$id`.
   */
  function convert(schema: TSchema, name?: string): Json {
    const own = schema.$id ?? name
    const { 'x-one-of': ways, examples } = schema
    if (ways && own !== undefined) {
      const oneOf = Object.entries(ways as Record<string, TSchema>).map(([end, way]) =>
        component(`${own}${end}`, plain(way, own), way),
      )
      return component(own, { oneOf, ...(examples && { examples }) }, schema)
    }
    const converted = plain(schema, own)
    const { description, ...rest } = converted
    if (isWordList(converted)) {
      // What is said of an enum belongs to the member that uses it.
      const { examples: _, ...list } = rest
      const words = JSON.stringify(rest.enum)
      const called = schema.$id ?? names.get(words) ?? name
      if (called === undefined) return converted
      if (!names.has(words)) names.set(words, called)
      return { ...component(called, list, schema), ...(description !== undefined && { description }) }
    }
    if (schema.$id !== undefined) return component(schema.$id, converted, schema)
    if (name === undefined || schema.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0)
      return converted
    const held = JSON.stringify(converted)
    const called = names.get(held) ?? name
    names.set(held, called)
    return { ...component(called, converted, schema), ...(description !== undefined && { description }) }
  }
  return { convert, components, sources }
}
export type Schemas = ReturnType<typeof createSchemas>
