// A web view or a setting may refuse storage: memory takes its place for as long as the page is open.
const ofPage = {
  getItem(key: string): unknown {
    return Object.hasOwn(this, key) ? Reflect.get(this, key) : null
  },
  setItem(key: string, text: string): void {
    Reflect.set(this, key, text)
  },
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  },
}

function isThere(area: 'localStorage' | 'sessionStorage'): boolean {
  try {
    return Boolean(window[area])
  } catch {
    return false
  }
}
for (const area of ['localStorage', 'sessionStorage'] as const)
  if (!isThere(area)) Object.defineProperty(window, area, { value: Object.create(ofPage) })

export {}
