// The last objects that were opened, for the palette; they stay in this tab.
import { remember as keep } from '../shared/storage.ts'

type Seen = { readonly href: string; readonly title: string; readonly subtitle: string }
const KEY = 'loyer.recent'
const MOST = 8

export const recent = (): readonly Seen[] => JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Seen[]
/** Called by the page of an object once it knows its name. */
export function remember(seen: Seen): void {
  const others = recent().filter(({ href }) => href !== seen.href)
  keep('sessionStorage', KEY, JSON.stringify([seen, ...others].slice(0, MOST)))
}
