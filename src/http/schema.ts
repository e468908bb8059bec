import {
  CloneType,
  FormatRegistry,
  Kind,
  type TLiteral,
  type TSchema,
  type TUnion,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import 'elysia' // registers loose formats of the same names, which the lines below replace
import { isDate, isDateTime } from '../core/dates.ts'
import { UUID } from '../core/id.ts'
import { MAX_AMOUNT } from '../core/money.ts'
import { E164, normalizePhone } from '../core/phone.ts'
import { isSound } from './body.ts'

FormatRegistry.Set('date', isDate)
FormatRegistry.Set('date-time', isDateTime)
FormatRegistry.Set('uuid', UUID.test.bind(UUID))

TypeRegistry.Set('Text', isSound)
/** What a model says of a member: a sentence, and examples that fit it. */
type Annotations = { readonly description?: string; readonly examples?: readonly unknown[] }
type TextOptions = Annotations & {
  readonly min?: number
  readonly max: number
  readonly lines?: boolean
  readonly name?: boolean
}
// The characters that textProblem() of body.ts refuses, as a pattern for clients; a test compares the two.
const CONTROLS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069'
// What stands between the digits of a phone number, as in isUnnamed() of core/phone.ts.
const APART = '\\s()./_,\\u2010-\\u2015\\-'
const textPattern = (required: boolean, lines?: boolean, name?: boolean): string => {
  const refused = lines ? CONTROLS : `\\t\\n\\r${CONTROLS}`
  const begin = name ? `^(?!\\+?[\\d${APART}]{6,}$)(?!.*\\d(?:[${APART}]{0,3}\\d){8})(?!.*•)` : '^'
  return required ? `${begin}[^${refused}]*[^\\s${refused}][^${refused}]*$` : `${begin}[^${refused}]*$`
}
/** Free text: well-formed, without control or bidi characters, its length in code points (bodies arrive in NFC). */
export const Text = ({ min = 1, max, lines, name, ...annotations }: TextOptions) =>
  Type.Unsafe<string>({
    ...annotations,
    [Kind]: 'Text',
    type: 'string',
    minLength: min,
    maxLength: max,
    pattern: textPattern(min > 0, lines, name),
    ...(lines ? { 'x-lines': true } : {}),
    ...(name ? { 'x-name': true } : {}),
  })
/** The first or last name of a person: papers print it, so it must not be a phone number. */
export const PersonName = Text({ max: 100, name: true })
/** The whole name of a person, as they sign. */
export const FullName = Text({
  max: 200,
  name: true,
  description: 'Family name and first names, as on identity papers.',
  examples: ['Ngo Bassa Marie-Claire'],
})

export const Uuid = Type.String({ format: 'uuid' })
export const DateOnly = Type.String({ format: 'date' })
export const DateTime = Type.String({ format: 'date-time' })
/** E.164, as the contract has it. */
export const StrictPhone = Type.String({ minLength: 1, pattern: '^\\+[1-9]\\d{6,14}$' })
TypeRegistry.Set(
  'Phone',
  (_schema, value) => typeof value === 'string' && (E164.test(value) || normalizePhone(value) !== undefined),
)
/** A number as people write it; bodies bring it as E.164 (`readJson`), where the member is named in `PHONES`. */
export const Phone = Type.Unsafe<string>({
  [Kind]: 'Phone',
  type: 'string',
  minLength: 8,
  maxLength: 40,
  pattern: '^[+(]?[0-9][0-9 .()/-]{5,37}[0-9]$',
  description:
    'As people write it: 677 12 34 56, +237 677 12 34 56 or 00237677123456; countries other than Cameroon with their prefix. Stored and returned in international form: a plus sign and 7 to 15 digits.',
  examples: ['+237677123456'],
})
// All of the basic plane except the dot, @, spaces, controls, direction marks and surrogates: written as what is
// allowed, because the engines of some languages know no surrogates.
const FIT =
  '!-\\-/-?A-~\\u00a1-\\u167f\\u1681-\\u1fff\\u2010-\\u2027\\u2030-\\u205e\\u2060-\\u2065\\u206a-\\u2fff\\u3001-\\ud7ff\\ue000-\\ufefe\\uff00-\\uffff'
export const Email = Type.String({
  maxLength: 254,
  pattern: `^[${FIT}.]{1,64}@[${FIT}.]{1,180}\\.[${FIT}]{1,60}$`,
})
export const Amount = Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description: 'In XAF.' })
export const PositiveAmount = Type.Integer({
  minimum: 1,
  maximum: MAX_AMOUNT,
  description: 'In XAF.',
  examples: [85_000],
})
/** XAF is the only currency for now; the member may be left out. */
export const Currency = Type.Literal('XAF', { examples: ['XAF'] })
export const Locale = Type.Union([Type.Literal('fr'), Type.Literal('en')], {
  $id: 'Language',
  description: 'The language of messages and papers: French or English.',
  examples: ['fr'],
})
/** tvaBasisPoints: 1925 is 19.25 %. */
export const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000 })

/** An enum from a rules tuple; in OpenAPI its own type, named `$id` or after the member that uses it. */
export const oneOf = <const T extends readonly string[]>(list: T, options: Annotations & { $id?: string } = {}) =>
  Type.Union(
    list.map((w) => Type.Literal(w)),
    options as object,
  ) as unknown as TUnion<{ -readonly [I in keyof T]: TLiteral<T[I]> }>

/** The documents of the specification's documentType; others are given by name. */
export const TableFormat = oneOf(['csv', 'xlsx'] as const, { $id: 'TableFormat', description: 'csv if omitted.' })

export const IdType = oneOf(['NATIONAL_ID', 'PASSPORT', 'RESIDENCE_PERMIT', 'DRIVER_LICENSE', 'OTHER'] as const, {
  $id: 'TenantIdType',
})

/**
 * The ways to fill in a body, of which a client takes one. The key ends the name of its OpenAPI type; `has` lists the
 * members that only this way has, all required; `only` lists the shared members it accepts, if not all.
 */
type Ways = Readonly<Record<string, { readonly has?: readonly string[]; readonly only?: readonly string[] }>>
/** A schema for each way. */
function waysOf(members: Record<string, TSchema>, ways: Ways): Record<string, TSchema> {
  const apart = Object.values(ways).flatMap(({ has = [] }) => has)
  const taken = ({ has = [], only }: Ways[string]) =>
    Object.entries(members).flatMap(([name, member]): [string, TSchema][] => {
      if (has.includes(name)) return [[name, member.anyOf?.[0] ?? member]]
      return apart.includes(name) || only?.includes(name) === false ? [] : [[name, member]]
    })
  return Object.fromEntries(
    Object.entries(ways).map(([end, way]) => [
      end,
      Type.Object(Object.fromEntries(taken(way)), { additionalProperties: false }),
    ]),
  )
}

type BodyOptions = { $id?: string; examples?: unknown[]; minProperties?: number; ways?: Ways }
/** A request body: unknown members are refused by name. The `ways` only document it; rules check them. */
export const Body = <T extends Record<string, TSchema>>(members: T, { ways, ...options }: BodyOptions = {}) =>
  Type.Object(members, {
    additionalProperties: false,
    ...options,
    ...(ways && { 'x-one-of': waysOf(members, ways) }),
  })

/** A member that may be absent or null: null means absent on POST, and clears the value on PATCH. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** A member whose type has a name of its own, with the sentence that says what it is here. */
export const As = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, 'x-here': description })

/** A member of lists only, so that showing a list needs no further requests. */
export const InLists = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional({ ...schema, ...(description === undefined ? {} : { description: `${description} Only in lists.` }) })

type Integers = { minimum: number; maximum: number }
TypeRegistry.Set<Integers>(
  'QueryInteger',
  (schema, value) =>
    typeof value === 'string' &&
    /^\d{1,9}$/.test(value) &&
    Number(value) >= schema.minimum &&
    Number(value) <= schema.maximum,
)
/** An integer in a query string: validated as text, documented as an integer. */
export const QueryInteger = (options: Integers & { description?: string }) =>
  Type.Unsafe<string>({ [Kind]: 'QueryInteger', type: 'integer', ...options })

type Words = { pattern: string }
TypeRegistry.Set<Words>(
  'QueryWords',
  (schema, value) => typeof value === 'string' && new RegExp(schema.pattern).test(value),
)
/** One word of a rules tuple in a query string, or several separated by commas. */
export const someOf = (
  list: readonly string[],
  description = 'Only those with this status; several are separated by commas.',
) =>
  Type.Unsafe<string>({
    [Kind]: 'QueryWords',
    type: 'string',
    pattern: `^(${list.join('|')})(,(${list.join('|')}))*$`,
    description,
  })

TypeRegistry.Set('QueryBoolean', (_schema, value) => value === 'true' || value === 'false')
/** A boolean in a query string. */
export const QueryBoolean = (options: { description: string }) =>
  Type.Unsafe<string>({ [Kind]: 'QueryBoolean', type: 'boolean', ...options })

/** An HTML page as an OpenAPI response. */
export const page = (description: string) => ({ description, content: { 'text/html': { schema: { type: 'string' } } } })

/** Copies to check answers by: Elysia adds to the schemas that it checks, and the document describes the originals. */
export const copiesOf = (answers: Readonly<Record<number, TSchema>>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, CloneType(schema)]))
