// What follows a change: it is said, and whatever is on the screen is asked for again.
import { toast } from '../../shared/toasts.svelte.ts'
import { refresh } from '../queries.ts'
import { router } from '../router.ts'

/** `close` takes away the sheet that the change was made in. */
export function changed(text: string, close?: () => void): Promise<void> {
  close?.()
  toast(text)
  return refresh()
}

/** Of a change with a page of its own, to which "back" does not lead again. */
export async function changedThenTo(href: string, text: string): Promise<void> {
  await changed(text)
  await router.go(href, { replace: true })
}
