// What the portal keeps on the phone, which either entry takes away when its person leaves: both are of one origin.
import { createStore, delMany, keys, type UseStore, update } from 'idb-keyval'
import { session } from './session.ts'

/** What was said and waits for network. */
export const QUEUE = 'waiting'

const place = createStore('loyer-portal', 'kept')
// one that is refused throws before there is a promise
export const store: UseStore = async (mode, work) => place(mode, work)
export const nothing = (): undefined => undefined

/** Takes away what others than `user` saw on this phone. What they said stays: it waits for them. */
export async function forgetOthers(user?: string): Promise<void> {
  const all = await keys<string>(store)
  await delMany(
    all.filter((key) => key !== QUEUE && (user === undefined || !key.endsWith(` ${user}`))),
    store,
  )
}

/** Forgets all that was seen, and what this person said; what others said on this phone waits for them. */
export async function erase(): Promise<void> {
  const user = session.claims()?.sub
  await forgetOthers().catch(nothing)
  const others = (list: readonly { readonly userId: string }[] = []) => list.filter(({ userId }) => userId !== user)
  await update(QUEUE, others, store).catch(nothing)
}
