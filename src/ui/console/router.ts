import { createRouter } from '../shared/router.svelte.ts'

export const router = createRouter('/console')
/** Where one is, with the sheet "record a payment" open on an invoice; Layout shows it on every page. */
export const payHref = (invoiceId: string): string =>
  `${router.href('/')}${router.path === '/' ? '' : router.path}?${withPay(invoiceId)}`

function withPay(invoiceId: string): URLSearchParams {
  const query = new URLSearchParams(router.search)
  query.set('pay', invoiceId)
  return query
}
