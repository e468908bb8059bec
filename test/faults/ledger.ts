import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Attempt } from './load.ts'

/** What the database of a running or dead service holds against what was acknowledged. */
export function audit(data: string, attempts: readonly Attempt[]) {
  const client = new Database(join(data, 'loyer.db'), { readonly: true, fileMustExist: true })
  try {
    const found = new Map<string, string[]>()
    const rows = client.prepare('select id, name from property').raw().all() as [string, string][]
    for (const [id, name] of rows) found.set(name, [...(found.get(name) ?? []), id])
    const acknowledged = attempts.filter((a) => a.id !== undefined)
    return {
      acknowledged: acknowledged.length,
      /** Acknowledged and not there, or there with another id. */
      lost: acknowledged.filter((a) => !found.get(a.key)?.includes(a.id ?? '')).map((a) => a.key),
      /** One key, two effects. */
      doubled: attempts.filter((a) => (found.get(a.key)?.length ?? 0) > 1).map((a) => a.key),
      integrity: String(client.pragma('integrity_check', { simple: true })),
      dangling: (client.pragma('foreign_key_check') as unknown[]).length,
    }
  } finally {
    client.close()
  }
}
