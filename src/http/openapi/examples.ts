import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OUTCOMES } from './outcomes.ts'
import { isObject, type Json, pascal, singular } from './schemas.ts'
import { ABSENT, id, STORY } from './story.ts'

const FORMATS: Readonly<Record<string, unknown>> = {
  uuid: id(64),
  date: '2026-03-04',
  'date-time': '2026-03-04T10:12:30.000Z',
}

const storyOf = (owner: string, name: string): unknown => STORY[`${owner}.${name}`] ?? STORY[name]

/** A value that fits the schema, from the story if it has one; optional members that the story lacks are left out. */
export function sample(schema: TSchema, name = '', owner = ''): unknown {
  const value = storyOf(owner, name)
  // A member's own example says more than what the story tells of all members of that name.
  const isOwn = Array.isArray(schema.examples) && STORY[`${owner}.${name}`] === undefined
  if (!isOwn && value !== undefined && value !== ABSENT && Value.Check(schema, value)) return value
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return sample(schema.anyOf[0] as TSchema, name, owner)
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, schema.$id ?? `${owner}${pascal(name)}`)
    case 'array':
      return schema.minItems === 0 || !isObject(schema.items)
        ? []
        : [sample(schema.items as TSchema, singular(name), owner)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return (
        FORMATS[String(schema.format)] ?? 'exemple'.slice(0, schema.maxLength ?? 7).padEnd(schema.minLength ?? 0, '.')
      )
  }
}

function sampleObject(schema: TSchema, owner: string): Json {
  const required: readonly string[] = schema.required ?? []
  const out: Json = {}
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const value = storyOf(owner, name)
    if (required.includes(name) || (value !== ABSENT && value !== undefined && Value.Check(member, value)))
      out[name] = sample(member, name, owner)
  }
  return out
}

/** An example request: the required members, or one member to change if none is required. */
export function sampleBody(schema: TSchema, owner: string): unknown {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const required: readonly string[] = schema.required ?? []
  const shown = required.length > 0 ? members.filter(([name]) => required.includes(name)) : members.slice(0, 1)
  return Object.fromEntries(shown.map(([name, member]) => [name, sample(member, name, owner)]))
}

/** An example answer of an operation: the resource as it is afterwards. */
export function sampleAnswer(schema: TSchema, operationId: string): unknown {
  const value = sample(schema, '', `${pascal(operationId)}Answer`)
  const outcome = OUTCOMES[operationId]
  if (!outcome || !isObject(value)) return value
  // The JSON round trip removes undefined members.
  const changed: unknown = JSON.parse(JSON.stringify({ ...value, ...outcome }))
  return Value.Check(schema, changed) ? changed : value
}
