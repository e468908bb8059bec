import { QueryClient } from '@tanstack/svelte-query'
import { Trouble } from '../shared/api.ts'
import { SignedOut, session } from '../shared/session.ts'

const hopeless = (error: Error): boolean =>
  error instanceof Trouble && error.problem !== undefined && error.problem.status < 500

/** Answers are fresh for half a minute; a window that comes back, or a network, asks again (304 when nothing changed). */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry(count, error) {
        if (error instanceof SignedOut) void session.signIn()
        return count < 2 && !(error instanceof SignedOut) && !hopeless(error)
      },
    },
  },
})
/** After a change: fetches everything on the screen again. */
export const refresh = (): Promise<void> => queries.invalidateQueries()
