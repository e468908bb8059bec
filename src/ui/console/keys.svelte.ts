// Single keys, outside of fields and dialogs.
import { router } from './router.ts'

const GO: Readonly<Record<string, `/${string}`>> = { h: '/', r: '/invoices', t: '/tenants', p: '/properties' }
/** How long after `g` the next key still belongs to it. */
const CHORD_MS = 1500

/** Moves the focus along the rows of the list; they carry `data-row`. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]
  row?.querySelector<HTMLElement>('a')?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

export function createKeys() {
  let overlay = $state<'palette' | 'help'>()
  let began = 0
  const show = (what: typeof overlay): void => {
    overlay = what
  }
  const commands: Readonly<Record<string, () => void>> = {
    '/': () => show('palette'),
    '?': () => show('help'),
    g: () => {
      began = Date.now()
    },
    j: () => step(1),
    k: () => step(-1),
    p: () => document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('[data-pay]')?.click(),
  }
  return {
    get overlay() {
      return overlay
    },
    show,
    hide: () => show(undefined),
    press(event: KeyboardEvent): void {
      const { key, target } = event
      if ((event.ctrlKey || event.metaKey) && key === 'k') {
        event.preventDefault()
        show('palette')
        return
      }
      const busy = target instanceof Element && target.closest('input, select, textarea, dialog, [contenteditable]')
      if (busy || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const path = Date.now() - began < CHORD_MS ? GO[key] : undefined
      const command = path === undefined ? commands[key] : () => void router.go(router.href(path))
      if (command === undefined) return
      event.preventDefault()
      if (path !== undefined) began = 0
      command()
    },
  }
}
