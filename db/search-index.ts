import type { Db } from './types.ts'

/** Tables that people search in, with the columns that their words come from; the view NAME_words of each makes them, see triggers.sql. */
export const SEARCHED: Readonly<Record<string, readonly string[]>> = {
  tenant: ['full_name', 'phone_number', 'representative_name'],
  property: ['name', 'address_line', 'quartier', 'city', 'province', 'owner_user_id'],
  unit: ['label'],
  booking: ['status', 'tenant_name', 'unit_label', 'owner_user_id'],
  repair: ['title', 'owner_user_id'],
}

/**
 * Brings what a transaction has changed into the search index; called at its end. The index writes a piece of itself at each
 * statement with triggers, so that doing it in those costs ten times as much in a transaction of many rows.
 */
export function indexing(client: Db['$client']): () => void {
  const words = (of: string, from: string) =>
    Object.keys(SEARCHED)
      .map((table) => `select w.ref, keys, words, staff from ${from}${table}_words w where w.ref = ${of}`)
      .join(' union all ')
  const due = client.prepare('select max(rowid) from search_due').pluck()
  const prepared = () => [
    client.prepare(
      `update search set (ref, keys, words, staff) = (${words('search.ref', '')}) where rowid in (
        select (select rowid from search('keys:' || replace(d.ref, '-', ''))) from search_due d where known)`,
    ),
    client.prepare(
      `insert into search (ref, keys, words, staff) ${words('d.ref and not known', 'search_due d cross join ')}`,
    ),
    client.prepare('delete from search_due'),
  ]
  let steps: ReturnType<typeof prepared> | undefined
  return () => {
    if (due.get() === null) return
    steps ??= prepared()
    for (const step of steps) step.run()
  }
}
