// The people who may have received cash, in an organization whose receivers confirm it.
import { createQuery } from '@tanstack/svelte-query'
import { api, data } from '../shared/api.ts'
import { session } from '../shared/session.ts'
import { payWords } from './pay-words.ts'

/** Names by user id, the caller first under an empty id; the caller alone where nobody else could receive it. */
export function createReceivers() {
  const me = session.claims()?.sub
  const query = createQuery(() => ({
    queryKey: ['organization'],
    queryFn: () => data(api.GET('/api/v1/organization')),
  }))
  const all = $derived<Record<string, string>>(
    Object.fromEntries([
      ['', payWords.t.myself],
      ...(query.data?.team ?? []).filter(({ userId }) => userId !== me).map(({ userId, name }) => [userId, name]),
    ]),
  )
  return {
    get all() {
      return all
    },
    /** Whether to ask, given how the money was paid. */
    asks: (method: string): boolean => method === 'CASH' && Object.keys(all).length > 1,
    /** The member of the request. */
    memberFor: (method: string, receivedBy: string) => (method === 'CASH' && receivedBy !== '' ? { receivedBy } : {}),
  }
}
