/** Deletes the copy of the home as it was shown last: it was another person's, or in another language. */
export const forgetSeen = (): void => void globalThis.caches?.delete('seen').catch(() => undefined)

/** Language and colours belong to the device: they stay when the person signs out. */
const OF_DEVICE = ['loyer.locale', 'loyer.theme']
/** Deletes what this browser keeps of a person outside of the portal's answers: drafts, what was opened last, the home. */
export function forgetPerson(areas: readonly Storage[] = [localStorage, sessionStorage]): void {
  for (const area of areas)
    for (const key of Object.keys(area)) if (key.startsWith('loyer.') && !OF_DEVICE.includes(key)) area.removeItem(key)
  forgetSeen()
}

/** The portal's database, its store, and the entry of items that wait to be sent. */
export const PORTAL = 'loyer-portal'
export const KEPT = 'kept'
export const QUEUE = 'waiting'

/** Deletes the portal's answers; items that wait to be sent stay for their author. A device that refuses keeps nothing. */
const forgetAnswers = (): Promise<unknown> =>
  new Promise((done) => {
    // a device that is slow or fails does not hold up the sign-in page for longer
    setTimeout(done, 1_000)
    const asked = indexedDB.open(PORTAL)
    // there was none, and none is made
    asked.onupgradeneeded = () => asked.transaction?.abort()
    asked.onerror = done
    asked.onsuccess = () => {
      const work = asked.result.transaction(KEPT, 'readwrite')
      work.oncomplete = work.onabort = done
      const all = work.objectStore(KEPT)
      for (const beyond of ['lowerBound', 'upperBound'] as const) all.delete(IDBKeyRange[beyond](QUEUE, true))
    }
  })
/** After the server ended the session: nobody reads here what was shown. Drafts of this tab wait for the same person. */
export async function forgetShown(): Promise<void> {
  forgetPerson([localStorage])
  await forgetAnswers().catch(() => undefined)
}

const WHOSE = 'loyer.whose'
/** Whether this tab is that person's, or was nobody's. What it kept of somebody else is forgotten, and it is theirs now. */
export function isTabOf(user: string): boolean {
  const last = sessionStorage.getItem(WHOSE)
  if (last === user) return true
  if (last !== null) forgetPerson()
  remember('sessionStorage', WHOSE, user)
  return last === null
}

/** Keeps a text for later; a device that has no room, or refuses, remembers nothing and the page goes on. */
export function remember(area: 'localStorage' | 'sessionStorage', key: string, text: string): void {
  try {
    window[area].setItem(key, text)
  } catch {
    // what is on the screen counts
  }
}
