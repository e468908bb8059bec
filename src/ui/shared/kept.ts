// The storage of the portal for answers and waiting items; console and portal both clear it when the person signs out.
import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import { KEPT, PORTAL, QUEUE } from './storage.ts'

const place = createStore(PORTAL, KEPT)
// one that is refused throws before there is a promise
export const store: UseStore = async (mode, work) => place(mode, work)

/** Removes the answers whose names `goes` selects. */
export async function takeAway(goes: (name: string) => boolean): Promise<void> {
  const names = await store('readonly', (all) => promisifyRequest(all.getAllKeys()))
  await store('readwrite', (all) => {
    for (const name of names) if (name !== QUEUE && goes(String(name))) all.delete(name)
    return promisifyRequest(all.transaction)
  })
}
