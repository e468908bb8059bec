import { createRouter } from '../shared/router.svelte.ts'

export const router = createRouter('/console')
/** Where one is, with the sheet "record a payment" open on an invoice; Layout shows it on every page. */
export const payHref = (invoiceId: string): string => withSheet('pay', invoiceId)
/** The same with the sheet "several months at once" of a lease. */
export const advanceHref = (bookingId: string): string => withSheet('advance', bookingId)

function withSheet(name: 'pay' | 'advance', id: string): string {
  const query = new URLSearchParams(router.search)
  query.delete('pay')
  query.delete('advance')
  query.set(name, id)
  return `${router.href('/')}${router.path === '/' ? '' : router.path}?${query}`
}
