import { createInfiniteQuery, keepPreviousData } from '@tanstack/svelte-query'
import { type Page, Trouble } from '../../shared/api.ts'
import { formats } from '../../shared/words.svelte.ts'
import { common } from './common-words.ts'

type ListOptions<T> = {
  /** Names the list and its filters, for the cache. */
  readonly key: readonly unknown[]
  /** Asks for the page after `cursor`; the empty one is the first. */
  readonly ask: (cursor: { cursor?: string }, signal: AbortSignal) => Promise<Page<T>>
}
export type Listing<T> = ReturnType<typeof createListing<T>>

/** The service counts the rows of a list up to here. */
const MOST_COUNTED = 10_000
/** A list of the server's, page by page. `options` is read again when a filter in it changes; rows stay until the next are here. */
export function createListing<T>(options: () => ListOptions<T>) {
  const query = createInfiniteQuery(() => {
    const { key, ask } = options()
    return {
      queryKey: key,
      async queryFn({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) {
        let page = await ask(pageParam === '' ? {} : { cursor: pageParam }, signal)
        // A search through very many rows may find none on a page, and some on a later one.
        while (page.rows.length === 0 && page.next) {
          const { total } = page
          page = { ...(await ask({ cursor: page.next }, signal)), total }
        }
        return page
      },
      initialPageParam: '',
      getNextPageParam: ({ next }: Page<T>) => next,
      placeholderData: keepPreviousData,
    }
  })
  return {
    get rows(): readonly T[] | undefined {
      return query.data?.pages.flatMap((page) => page.rows)
    },
    /** Says by `words` how many there are in all, where it was asked with `count`. */
    total(words: (n: number) => string): string {
      const total = query.data?.pages[0]?.total
      if (total === undefined) return ''
      const n = Number.parseInt(total, 10)
      const number = formats().number(n)
      return words(n).replace(`${n}`, total.endsWith('+') ? common.t.orMore(number, n >= MOST_COUNTED) : number)
    },
    get trouble(): Trouble | undefined {
      return query.error instanceof Trouble ? query.error : undefined
    },
    /** Whether the rows are still those of the previous filter. */
    get stale(): boolean {
      return query.isPlaceholderData
    },
    get hasMore(): boolean {
      return query.hasNextPage
    },
    get fetching(): boolean {
      return query.isFetchingNextPage
    },
    more: () => void query.fetchNextPage(),
    again: () => void query.refetch(),
  }
}
