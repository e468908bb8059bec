// Where the portal keeps what was seen and said on this phone; either entry takes it away when its person leaves.
import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'

/** What was said and waits for network. */
export const QUEUE = 'waiting'

const place = createStore('loyer-portal', 'kept')
// one that is refused throws before there is a promise
export const store: UseStore = async (mode, work) => place(mode, work)

/** Takes away each answer whose name is one that `goes`. */
export async function takeAway(goes: (name: string) => boolean): Promise<void> {
  const names = await store('readonly', (all) => promisifyRequest(all.getAllKeys()))
  await store('readwrite', (all) => {
    for (const name of names) if (name !== QUEUE && goes(String(name))) all.delete(name)
    return promisifyRequest(all.transaction)
  })
}
