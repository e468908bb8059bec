import { termOf, wordsIn } from '../src/core/case-folding.ts'
import { undashed } from '../src/core/id.ts'
import type { Db } from './types.ts'

/**
 * Tables that people search in, with the columns that their words come from; the view NAME_words of each makes them, see triggers.sql.
 */
export const SEARCHED: Readonly<Record<string, readonly string[]>> = {
  tenant: ['full_name', 'phone_number', 'representative_name'],
  property: ['name', 'address_line', 'quartier', 'city', 'province', 'owner_user_id'],
  unit: ['label'],
  booking: ['status', 'tenant_name', 'unit_label', 'owner_user_id'],
  repair: ['title', 'owner_user_id'],
}

type Due = { readonly place: number; readonly kind: string; readonly ref: string; readonly known: number }
type Words = Readonly<Record<'ref' | 'orgId' | 'keys' | 'words' | 'staff', string>>

/** Fills the index of a database whose rows are all due, and writes it in one piece. */
export function indexAll(client: Db['$client']): void {
  indexing(client)()
  client.exec("insert into search (search) values ('optimize')")
}

/** How many rows are indexed at a time: a whole folder, after an update, may not fit into memory. */
const AT_ONCE = 1000

/** The columns of a row in the index; each word stands after its table and its organization. */
function entryOf(kind: string, { ref, orgId, keys, words, staff }: Words): string[] {
  const before = termOf(kind, orgId, '')
  const terms = (text: string) =>
    wordsIn(text)
      .map((word) => before + word)
      .join(' ')
  return [ref, keys, terms(words), terms(staff)]
}

/**
 * Brings what a transaction has changed into the search index; called at its end. The index writes a piece of itself at each
 * statement with triggers, so that doing it in those costs ten times as much in a transaction of many rows.
 */
export function indexing(client: Db['$client']): () => void {
  const due = client.prepare(`select rowid place, kind, ref, known from search_due order by rowid limit ${AT_ONCE}`)
  const words = (table: string) =>
    client.prepare(
      `select w.ref, org_id orgId, keys, words, staff from json_each(:refs) cross join ${table}_words w where w.ref = value`,
    )
  const prepared = () => ({
    read: new Map(Object.keys(SEARCHED).map((table) => [table, words(table)])),
    place: client.prepare("select rowid from search('keys:' || ?)").pluck(),
    add: client.prepare('insert into search (ref, keys, words, staff) values (?, ?, ?, ?)'),
    change: client.prepare('update search set ref = ?, keys = ?, words = ?, staff = ? where rowid = ?'),
    done: client.prepare('delete from search_due where rowid <= ?'),
  })
  let steps: ReturnType<typeof prepared> | undefined

  function bring(rows: readonly Due[]): void {
    steps ??= prepared()
    const { read, place, add, change, done } = steps
    const added = new Set(rows.filter(({ known }) => known === 0).map(({ ref }) => ref))
    for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
      const refs = JSON.stringify([...new Set(ofKind.map(({ ref }) => ref))])
      for (const row of (read.get(kind)?.all({ refs }) ?? []) as Words[]) {
        const at = added.has(row.ref) ? undefined : place.get(undashed(row.ref))
        if (added.has(row.ref)) add.run(entryOf(kind, row))
        else if (at !== undefined) change.run(...entryOf(kind, row), at)
      }
    }
    done.run(rows.at(-1)?.place)
  }

  return () => {
    for (let rows = due.all() as Due[]; rows.length > 0; ) {
      bring(rows)
      rows = rows.length < AT_ONCE ? [] : (due.all() as Due[])
    }
  }
}
