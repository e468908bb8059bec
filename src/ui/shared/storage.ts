/** Deletes the copy of the home as it was shown last: it was another person's, or in another language. */
export const forgetSeen = (): void => void globalThis.caches?.delete('seen').catch(() => undefined)

/** Keeps a text for later; a device that has no room, or refuses, remembers nothing and the page goes on. */
export function remember(area: 'localStorage' | 'sessionStorage', key: string, text: string): void {
  try {
    window[area].setItem(key, text)
  } catch {
    // what is on the screen counts
  }
}
