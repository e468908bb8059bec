// A copy of the home as it was shown last. The service worker (`sw.ts`) puts it into the page, so that a slow phone shows
// it before a script runs. Nobody can press anything in the copy; the app takes its place.

/** Keeps what is shown now. */
export async function keepGlimpse(): Promise<void> {
  // the person has left the home page while this file was loading
  if (location.pathname !== '/portal') return
  const copy = document.getElementById('app')?.cloneNode(true)
  const style = document.querySelector('link[rel=stylesheet]')?.getAttribute('href')
  // on the way to the sign-in page: another person may come back
  const isLeaving = localStorage.getItem('loyer.user') === null
  if (isLeaving || !(copy instanceof HTMLElement) || !style) return
  // the page's content security policy refuses style attributes
  for (const one of copy.querySelectorAll('[style]')) one.removeAttribute('style')
  // the style sheet's name tells the release: another one may look different
  const answer = new Response(copy.innerHTML, { headers: { 'x-style': style } })
  await (await caches.open('seen')).put('/portal/seen', answer)
}
