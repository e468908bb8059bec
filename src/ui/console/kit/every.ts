import type { Page } from '../../shared/api.ts'

const MOST_PAGES = 50

/** All rows of a list, page by page, for a choice among them: at most fifty pages. */
export async function everyRow<T>(ask: (cursor: { cursor?: string }) => Promise<Page<T>>): Promise<readonly T[]> {
  const rows: T[] = []
  let cursor: { cursor?: string } = {}
  for (let i = 0; i < MOST_PAGES; i += 1) {
    const page = await ask(cursor)
    rows.push(...page.rows)
    if (page.next === undefined) break
    cursor = { cursor: page.next }
  }
  return rows
}
