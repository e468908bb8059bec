// The document's bounds are the service's: just inside nothing is said of the member, just outside it is 422 by name.
import { expect, test } from 'bun:test'
import { createTestApp, type TestApp, uuid } from './support/app.ts'
import { document, errorsOf, type Json, operations, resolved } from './support/documented.ts'

type Probe = readonly [what: string, value: unknown]
type Probes = { readonly inside: Probe[]; readonly outside: Probe[] }
/** The schema that a value that is not null has. */
function own(schema: Json): Json {
  const { anyOf } = resolved(schema) as { anyOf?: Json[] }
  return anyOf ? own(anyOf.find((part) => part.type !== 'null') ?? {}) : resolved(schema)
}
const num = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function ofText(schema: Json): Probes {
  const [min, max] = [num(schema.minLength), num(schema.maxLength)]
  const fits = (value: string) => errorsOf(schema, value).length === 0
  const words = Array.isArray(schema.enum) ? schema.enum.filter((word) => typeof word === 'string') : undefined
  if (words) return { inside: words.map((word) => [word, word]), outside: [['NO_SUCH_WORD', 'NO_SUCH_WORD']] }
  const inside = [min, max].flatMap((n) => (n === undefined || n === 0 ? [] : ['a'.repeat(n)])).filter(fits)
  const outside: Probe[] = []
  if (max !== undefined) outside.push([`${max} + 1 letters`, 'a'.repeat(max + 1)])
  if (min === 1) outside.push(['nothing', ''])
  if (schema.format === 'uuid') outside.push(['no UUID', 'nobody'])
  if (schema.format === 'date') outside.push(['a day that there is not', '2026-02-31'])
  if (schema.pattern !== undefined) outside.push(['a control character', 'a\u0001b'])
  return { inside: inside.map((value) => [`${value.length} letters`, value]), outside: [...outside, ['a number', 1]] }
}

function probes(schema: Json): Probes {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const [low, high, above] = [num(schema.minimum), num(schema.maximum), num(schema.exclusiveMinimum)]
  switch (type) {
    case 'string':
      return ofText(schema)
    case 'integer':
    case 'number':
      return {
        inside: [low, high].flatMap((n) => (n === undefined ? [] : [[String(n), n] as const])),
        outside: [
          ...(low === undefined ? [] : [[`${low} - 1`, low - 1] as const]),
          ...(high === undefined ? [] : [[`${high} + 1`, high + 1] as const]),
          ...(above === undefined ? [] : [[`${above} itself`, above] as const]),
          ['text', '5'],
        ],
      }
    case 'boolean':
      return { inside: [['true', true]], outside: [['text', 'true']] }
    case 'array': {
      const most = num(schema.maxItems)
      const [item] = probes(own((schema.items ?? {}) as Json)).inside
      const example = (own((schema.items ?? {}) as Json).examples as unknown[] | undefined)?.[0] ?? item?.[1]
      const many = (n: number) => Array.from({ length: n }, () => example)
      return {
        inside:
          most !== undefined && example !== undefined && !schema.uniqueItems ? [[`${most} entries`, many(most)]] : [],
        outside: [
          ...(most !== undefined && example !== undefined ? [[`${most} + 1 entries`, many(most + 1)] as const] : []),
          ...(schema.uniqueItems && example !== undefined ? [['one twice', many(2)] as const] : []),
          ...(num(schema.minItems) === 1 ? [['none', []] as const] : []),
          ['no list', 'a'],
        ],
      }
    }
    default:
      return { inside: [], outside: [['text', 'a']] }
  }
}

/** A line with its parameters filled in. */
const at = (line: string): string =>
  line
    .replace('templates/{kind}', 'templates/units')
    .replace('{kind}', 'HOME')
    .replace(/\{\w+\}/g, uuid('nobody'))

/** Apps that took something, which must not stand in the way of the next probe. */
const spent = new WeakSet<TestApp>()
type Told = { code?: string; errors?: { path: string; message: string }[] }
/** What is said of a member, for one of the operation's roles and a thing that there is not. */
async function told(
  t: TestApp,
  line: string,
  roles: readonly string[] | undefined,
  body: unknown,
  path: string,
): Promise<boolean> {
  const address = at(line)
  const answer = await t.call<Told>(roles?.includes('ADMIN') ? 'ADMIN' : roles?.[0], address, body)
  if (answer.status < 300 && !address.startsWith('GET')) spent.add(t)
  if (answer.status !== 422) return false
  // Of a broken bound the sentence names the bound.
  expect(answer.text).not.toContain('Is not of the right kind.')
  return (answer.body.errors ?? []).some((error) => error.path === path || error.path.startsWith(`${path}/`))
}

type Form = [name: string, line: string, schema: Json, roles: readonly string[] | undefined]
const forms = operations.flatMap(([line, { requestBody, 'x-roles': roles }]): Form[] => {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema || line.startsWith('POST /webhooks') || /sandbox/.test(line)) return []
  const body = resolved(schema as Json)
  const ways = (body.oneOf as { $ref: string }[] | undefined) ?? [schema as { $ref: string }]
  return ways.map((way) => [`${line} ${way.$ref.split('/').at(-1)}`, line, resolved(way) as Json, roles])
})
test('there are many', () => {
  expect(forms.length).toBeGreaterThan(50)
  const inside = forms.flatMap(([, , schema]) => [...inner(schema, (schema.examples as Json[])[0] ?? {})])
  expect(inside.map(([path]) => path)).toContain('/items/0/costs/0/amount')
})

type Inner = readonly [path: string, schema: Json, put: (value: unknown) => Json]
/** The members inside the example's objects and lists, each with a way to put a value there. */
function* inner(schema: Json, example: Json): Generator<Inner> {
  for (const [member, raw] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    const value = own(raw)
    const isList = Array.isArray(example[member])
    const type = own((isList ? value.items : value) as Json)
    if (type.properties === undefined || typeof example[member] !== 'object') continue
    const put = (changed: Json): Json => ({ ...example, [member]: isList ? [changed] : changed })
    const at = isList ? `${member}/0` : member
    for (const held of [example[member]].flat() as Json[]) {
      for (const [name, part] of Object.entries(type.properties as Record<string, Json>))
        yield [`/${at}/${name}`, part, (given) => put({ ...held, [name]: given })]
      for (const [path, part, deeper] of inner(type, held)) yield [`/${at}${path}`, part, (given) => put(deeper(given))]
    }
  }
}

/** Rules that go on from what the document says: judged by the service alone, and told in the description. */
const RULES = new Set([
  '/timeZone',
  '/url',
  '/channel',
  '/clauses',
  '/sizeBytes',
  '/contentType',
  '/latitude',
  '/longitude',
  '/note',
  '/reason',
  '/labels',
  '/password',
  '/newPassword',
  '/text',
  '/parts',
])

test.each(forms)('%s', async (name, line, schema, roles) => {
  let t = createTestApp()
  const unspent = (): TestApp => {
    if (spent.has(t)) t = createTestApp()
    return t
  }
  const [example] = schema.examples as Json[]
  const wrong: string[] = []
  for (const [member, value] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    const { inside, outside } = probes(own(value))
    const path = `/${member}`
    for (const [what, probe] of inside)
      if (!RULES.has(path) && (await told(unspent(), line, roles, { ...example, [member]: probe }, path)))
        wrong.push(`${member}: ${what} is refused`)
    for (const [what, probe] of outside) {
      expect([member, what, errorsOf(value, probe).length > 0]).toEqual([member, what, true])
      // A password's length is judged with the rest of it, after ticket or code.
      if (/assword$/.test(member) && /letters/.test(what)) continue
      if (!(await told(unspent(), line, roles, { ...example, [member]: probe }, path)))
        wrong.push(`${member}: ${what} is taken`)
    }
  }
  for (const [path, value, put] of inner(schema, example ?? {}))
    for (const [what, probe] of probes(own(value)).outside)
      if (!(await told(unspent(), line, roles, put(probe), path))) wrong.push(`${path}: ${what} is taken`)
  if (!(await told(unspent(), line, roles, { ...example, noSuchMember: 1 }, '/noSuchMember')))
    wrong.push('an unknown member is taken')
  for (const member of (schema.required ?? []) as string[]) {
    const { [member]: _left, ...rest } = example ?? {}
    const answer = await unspent().call<Told>(roles?.includes('ADMIN') ? 'ADMIN' : roles?.[0], at(line), rest)
    // Of several ways another may be meant.
    if (!name.includes('MessageTakeFor') && answer.status < 300) wrong.push(`${member} may be left out`)
  }
  expect(wrong).toEqual([])
})

const lists = operations.filter(([line, { security }]) => line.startsWith('GET /api/v1/') && security.length > 0)
test.each(lists)('the query of %s', async (line, { parameters, 'x-roles': roles }) => {
  const t = createTestApp()
  const wrong: string[] = []
  for (const parameter of parameters.map((p) => resolved(p)).filter((p) => p.in === 'query')) {
    const { inside, outside } = probes(own(parameter.schema))
    const asking = (value: unknown) => `${line}?${parameter.name}=${encodeURIComponent(String(value))}`
    const { type } = own(parameter.schema)
    for (const [what, probe] of inside)
      if (parameter.name !== 'cursor' && (await told(t, asking(probe), roles, undefined, `/${parameter.name}`)))
        wrong.push(`${parameter.name}: ${what} is refused`)
    // In an address all is text.
    for (const [what, probe] of outside)
      if (!(what === 'a number' || (what === 'text' && type !== 'string') || what === 'nothing'))
        if (!(await told(t, asking(probe), roles, undefined, `/${parameter.name}`)))
          wrong.push(`${parameter.name}: ${what} is taken`)
  }
  expect(wrong).toEqual([])
})
test('the document has the bounds', () => expect(JSON.stringify(document)).toContain('"maxLength":200'))

test('a list without pages says how long it can be', () => {
  type Listing = { description?: string; parameters?: unknown; responses: Record<string, { content?: Json }> }
  const lists = operations.filter(([line, operation]) => {
    const { parameters, responses } = operation as unknown as Listing
    const { schema } = (responses[200]?.content?.['application/json'] ?? {}) as { schema?: Json }
    const isList = schema !== undefined && resolved(schema).type === 'array'
    return (
      line.startsWith('GET ') &&
      isList &&
      !JSON.stringify(parameters ?? [])
        .toLowerCase()
        .includes('cursor')
    )
  })
  expect(lists.length).toBeGreaterThan(3)
  const silent = lists.filter(([, { description }]) => !/\bat most (?:the newest )?\d/i.test(String(description)))
  expect(silent.map(([line]) => line)).toEqual([])
})
