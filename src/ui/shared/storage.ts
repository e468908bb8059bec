/** Deletes the copy of the home as it was shown last: it was another person's, or in another language. */
export const forgetSeen = (): void => void globalThis.caches?.delete('seen').catch(() => undefined)

/** Language and colours belong to the device: they stay when the person signs out. */
const OF_DEVICE = ['loyer.locale', 'loyer.theme']
/** Deletes what this browser keeps of a person outside of the portal's answers: drafts, what was opened last, the home. */
export function forgetPerson(): void {
  for (const area of [localStorage, sessionStorage])
    for (const key of Object.keys(area)) if (key.startsWith('loyer.') && !OF_DEVICE.includes(key)) area.removeItem(key)
  forgetSeen()
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
