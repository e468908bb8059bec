import type { TSchema } from '@sinclair/typebox'
import { exampleId } from '../members.ts'
import { isObject, type Json } from './schemas.ts'

const FORMATS: Readonly<Record<string, unknown>> = {
  uuid: exampleId(64),
  date: '2026-03-04',
  'date-time': '2026-03-04T10:12:30.000Z',
}
const isTold = ({ examples, anyOf }: TSchema): boolean =>
  Array.isArray(examples) || (Array.isArray(anyOf) && anyOf.some((part: TSchema) => Array.isArray(part.examples)))
const members = ({ properties = {}, required = [] }: TSchema) =>
  Object.entries(properties as Record<string, TSchema>).map(
    ([name, member]) => [name, member, required.includes(name)] as const,
  )

/** A value that fits the schema, from the examples of its members; optional members without one are left out. */
export function sample(schema: TSchema): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf))
    return sample((schema.anyOf as TSchema[]).find(isTold) ?? (schema.anyOf[0] as TSchema))
  switch (schema.type) {
    case 'object': {
      const shown = members(schema).filter(([, member, required]) => required || isTold(member))
      return Object.fromEntries(shown.map(([name, member]) => [name, sample(member)]))
    }
    case 'array':
      return schema.minItems === 0 || !isObject(schema.items) ? [] : [sample(schema.items as TSchema)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return FORMATS[String(schema.format)]
  }
}

/** An example request: the required members, or one member to change if none is required. */
export function sampleBody(schema: TSchema): unknown {
  const all = members(schema)
  const needed = all.filter(([, , required]) => required)
  return Object.fromEntries(
    (needed.length > 0 ? needed : all.slice(0, 1)).map(([name, member]) => [name, sample(member)]),
  )
}

/** An example answer: the resource as the operation leaves it, with `shown` in place of what differs. */
export function sampleAnswer(schema: TSchema, shown: Json = {}): unknown {
  const value = sample(schema)
  // The JSON round trip removes undefined members.
  return isObject(value) ? JSON.parse(JSON.stringify({ ...value, ...shown })) : value
}
