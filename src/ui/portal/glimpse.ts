// The home as it was shown last: the worker puts it into the page, so that a slow phone shows it before a script runs.
// `sw.ts` reads what is kept here; nobody can press anything in it, and the app takes its place.

/** Keeps what is shown now. */
export async function keepGlimpse(): Promise<void> {
  const shown = document.getElementById('app')?.cloneNode(true)
  const style = document.querySelector('link[rel=stylesheet]')?.getAttribute('href')
  // who leaves for the sign-in page may be another one when they come back
  const isLeaving = localStorage.getItem('loyer.user') === null
  if (isLeaving || !(shown instanceof HTMLElement) || !style) return
  // the policy of the page lets no such attribute in
  for (const one of shown.querySelectorAll('[style]')) one.removeAttribute('style')
  // another release may draw it otherwise
  const answer = new Response(shown.innerHTML, { headers: { 'x-style': style } })
  await (await caches.open('seen')).put('/portal/seen', answer)
}
