/** Keeps a text for later; a device that has no room, or refuses, remembers nothing and the page goes on. */
export function remember(area: 'localStorage' | 'sessionStorage', key: string, text: string): void {
  try {
    window[area].setItem(key, text)
  } catch {
    // what is on the screen counts
  }
}
