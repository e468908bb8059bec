/**
 * A row that leaves its list takes the focus away: it goes to the row that has moved up, else to the page. It goes to the
 * row's own link, so that a second press of Enter neither pays nor confirms what stands there now.
 */
export function keepFocus(main: HTMLElement) {
  let last: Element | null = null
  let index = -1
  const rows = (): HTMLElement[] => [...main.querySelectorAll<HTMLElement>('[data-row]')]
  const note = ({ target }: FocusEvent): void => {
    last = target instanceof Element ? target : null
    index = rows().findIndex((row) => row.contains(last))
  }
  const watch = new MutationObserver(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return
    const row = index < 0 ? undefined : (rows()[index] ?? rows().at(-1))
    const next = row?.querySelector<HTMLElement>('a[href], button') ?? main
    last = null
    next.focus({ preventScroll: next === main })
  })
  main.addEventListener('focusin', note)
  watch.observe(main, { childList: true, subtree: true })
  return () => {
    main.removeEventListener('focusin', note)
    watch.disconnect()
  }
}
