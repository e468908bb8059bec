import type { TSchema } from '@sinclair/typebox'
import { exampleId } from '../members.ts'
import { isObject, type Json } from './schemas.ts'

const FORMATS: Readonly<Record<string, unknown>> = {
  uuid: exampleId(64),
  date: '2026-03-04',
  'date-time': '2026-03-04T10:12:30.000Z',
}
const hasExample = ({ examples, anyOf = [] }: TSchema): boolean =>
  Array.isArray(examples) || (anyOf as TSchema[]).some((part) => Array.isArray(part.examples))
/** The members for which `isIncluded` holds, each with a value. */
const membersOf = (schema: TSchema, isIncluded: (member: TSchema, at: number) => boolean): Json =>
  Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
      .filter(([name, member], at) => schema.required?.includes(name) || isIncluded(member, at))
      .map(([name, member]) => [name, sample(member)]),
  )

/** A value that fits the schema, from the examples of its members; optional members without one are left out. */
export function sample(schema: TSchema): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return sample(schema.anyOf.find(hasExample) ?? schema.anyOf[0])
  if (schema.type === 'object') return membersOf(schema, hasExample)
  if (schema.type === 'array')
    return schema.minItems === 0 || !isObject(schema.items) ? [] : [sample(schema.items as TSchema)]
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  return schema.type === 'boolean' ? false : FORMATS[String(schema.format)]
}

/** An example request: the required members, or one member to change if none is required. */
export const sampleBody = (schema: TSchema): Json =>
  membersOf(schema, (_member, at) => at === 0 && !schema.required?.length)

/** An example answer: the resource as the operation leaves it, with `overrides` in place of what differs. */
export function sampleAnswer(schema: TSchema, overrides: Json = {}): unknown {
  const value = sample(schema)
  // The JSON round trip removes undefined members.
  return isObject(value) ? JSON.parse(JSON.stringify({ ...value, ...overrides })) : value
}
