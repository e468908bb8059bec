import { createInfiniteQuery, keepPreviousData } from '@tanstack/svelte-query'
import { type Page, Trouble } from '../../shared/api.ts'

type Asked<T> = {
  /** Names the list and its filters, for the cache. */
  readonly key: readonly unknown[]
  /** Asks for the page after `cursor`; the empty one is the first. */
  readonly ask: (cursor: { cursor?: string }, signal: AbortSignal) => Promise<Page<T>>
}
export type Listing<T> = ReturnType<typeof createListing<T>>

/** A list of the server's, page by page. `asked` is read again when a filter in it changes; rows stay until the next are here. */
export function createListing<T>(asked: () => Asked<T>) {
  const query = createInfiniteQuery(() => {
    const { key, ask } = asked()
    return {
      queryKey: key,
      queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
        ask(pageParam === '' ? {} : { cursor: pageParam }, signal),
      initialPageParam: '',
      getNextPageParam: ({ next }: Page<T>) => next,
      placeholderData: keepPreviousData,
    }
  })
  return {
    get rows(): readonly T[] | undefined {
      return query.data?.pages.flatMap((page) => page.rows)
    },
    /** How many there are in all, where it was asked with `count`. */
    get total(): number | undefined {
      return query.data?.pages[0]?.total
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
