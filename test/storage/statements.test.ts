// What a create asks of the database, one statement after the other: whoever waits for it pays for each.
import { expect, test } from 'bun:test'
import { type Stage, stage } from '../support/scenario.ts'

/** `insert into "property" (…` → `insert property`. */
function nameOf(source: string): string {
  const [verb = ''] = source.split(/\W/, 1)
  const named = verb === 'insert' ? /into "?(\w+)/ : /(?:\bcross join|\bfrom(?! json_each)|^update) "?(\w+)/
  const table = named.exec(source)?.[1]
  return table === undefined ? source : `${verb} ${table}`
}
/** The statements that run in a group commit while `work` goes on. */
async function ran({ t }: Stage, work: () => Promise<unknown>): Promise<string[]> {
  const statement = Object.getPrototypeOf(t.store.client.prepare('select 1'))
  const { run, get, all } = statement
  const sources: string[] = []
  for (const [name, native] of Object.entries({ run, get, all }))
    statement[name] = function (this: { readonly source: string }, ...values: unknown[]) {
      if (t.store.client.inTransaction) sources.push(this.source)
      return native.apply(this, values)
    }
  await work().finally(() => Object.assign(statement, { run, get, all }))
  return sources.map(nameOf)
}

const PLACE = { addressLine: 'Rue 1', city: 'Douala' }
const MOVED = 'select setting'
const INDEXED = (words: string) => ['select search_due', `select ${words}`, 'insert search', 'delete search_due']
const VERSION = ['update organization', 'COMMIT']
const CHANGES = 'select total_changes()'

test.each([
  ['mia', 'POST /properties', { name: 'Villa', ...PLACE }, ['select row_count', 'insert property'], 'property_words'],
  [
    'ana',
    'POST /properties',
    { name: 'Villa', ...PLACE },
    ['select row_count', 'insert row_count', 'insert row_count', 'insert property'],
    'property_words',
  ],
  [
    'mia',
    'POST /tenants',
    { fullName: 'Odile' },
    ['select row_count', 'select organization', 'insert tenant'],
    'tenant_words',
  ],
] as const)(
  '%s: %s counts, writes the row and its line in the trail, and indexes it',
  async (who, line, body, own, words) => {
    const s = await stage({ given: async () => {} })
    let status = 0
    const found = await ran(s, async () => {
      status = (await s.ask(who, line, body)).status
    })
    expect(status).toBe(201)
    expect(found).toEqual([CHANGES, ...own, 'insert audit_entry', CHANGES, MOVED, ...INDEXED(words), ...VERSION])
  },
)
