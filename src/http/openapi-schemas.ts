import { Kind, type TSchema } from '@sinclair/typebox'

export type Json = { [key: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ONE = ['items', 'additionalProperties', 'not']
const MANY = ['allOf', 'anyOf', 'oneOf']
const MAPS = ['properties', 'patternProperties']

// What textProblem() of schema.ts refuses, for the other side of the wire; a test compares the two.
const CONTROLS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069'
const textPattern = (lines: boolean, required: boolean): string => {
  const refused = lines ? CONTROLS : `\\t\\n\\r${CONTROLS}`
  return required ? `^[^${refused}]*[^\\s${refused}][^${refused}]*$` : `^[^${refused}]*$`
}

/** `anyOf` as the shorter words of JSON Schema: a list of words as `enum`, "or null" as a second type. */
function shorten({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest
  const parts = anyOf.filter(isObject)
  const others = parts.filter((p) => p.type !== 'null')
  const nullable = others.length < parts.length
  const words = others.every((p) => p.type === 'string' && Array.isArray(p.enum) && Object.keys(p).length === 2)
  const one: Json | undefined = words ? { type: 'string', enum: others.flatMap((p) => p.enum) } : others[0]
  if (one === undefined || (others.length > 1 && !words)) return { ...rest, anyOf }
  if (!nullable) return { ...one, ...rest }
  if (typeof one.type !== 'string') return { ...rest, anyOf: [one, { type: 'null' }] }
  return {
    ...one,
    ...rest,
    type: [one.type, 'null'],
    ...(Array.isArray(one.enum) ? { enum: [...one.enum, null] } : {}),
  }
}

/** JSON Schema 2020-12 (that of OpenAPI 3.1) out of TypeBox schemas; one with an `$id` becomes a component. */
export function createSchemas() {
  const components = new Map<string, Json>()
  const sources = new Map<string, TSchema>()

  const inner = (value: unknown): unknown => (isObject(value) ? convert(value as TSchema) : value)
  function plain(schema: TSchema): Json {
    const out: Json = {}
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$id' || key === 'x-lines' || value === undefined) continue
      if (key === 'const') out.enum = [value]
      else if (ONE.includes(key)) out[key] = inner(value)
      else if (MANY.includes(key)) out[key] = (value as unknown[]).map(inner)
      else if (MAPS.includes(key))
        out[key] = Object.fromEntries(Object.entries(value as Json).map(([k, v]) => [k, inner(v)]))
      else out[key] = value
    }
    if (schema[Kind] === 'Text') out.pattern = textPattern(schema['x-lines'] === true, schema.minLength > 0)
    const { patternProperties, ...rest } = out
    if (isObject(patternProperties) && '^(.*)$' in patternProperties)
      return shorten({ ...rest, additionalProperties: patternProperties['^(.*)$'] })
    return shorten(out)
  }

  /** The schema as it stands in the document: itself, or the reference to its component. @throws Error for two of one `$id` */
  function convert(schema: TSchema): Json {
    const id = schema.$id
    if (id === undefined) return plain(schema)
    const converted = plain(schema)
    const known = components.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(converted)) throw new Error(`two schemas are called ${id}`)
    components.set(id, converted)
    sources.set(id, schema)
    return { $ref: `#/components/schemas/${id}` }
  }
  return { convert, components, sources }
}
export type Schemas = ReturnType<typeof createSchemas>
