// What follows a change: a toast names it, and everything on the screen is fetched again.
import { toast } from '../../shared/toasts.svelte.ts'
import { refresh } from '../queries.ts'
import { router } from '../router.ts'

/** `close` closes the sheet in which the change was made. */
export function changed(text: string, close?: () => void): Promise<void> {
  close?.()
  toast(text)
  return refresh()
}

/** For a change made on a page of its own, to which "back" must not lead again. */
export async function changedThenTo(href: string, text: string): Promise<void> {
  await changed(text)
  await router.go(href, { replace: true })
}
