import { maxDate, minDate } from './dates.ts'

/** What a message asks for; RENT_AND_MORE: rent, and charges or a balance brought forward with it. */
export type Purpose = 'RENT' | 'CHARGES' | 'BALANCE' | 'RENT_AND_MORE'
const PURPOSES = { RENT: 'RENT', CHARGE: 'CHARGES', OPENING_BALANCE: 'BALANCE' } as const
type Billed = { readonly lines: readonly { readonly kind: keyof typeof PURPOSES }[] }
const FIRST = ['RENT', 'OPENING_BALANCE', 'CHARGE'] as const
/** What invoices ask for in all; an invoice of rent keeps that name with charges on it. */
export function purposeOf(invoices: readonly Billed[]): Purpose {
  const all = new Set(
    invoices.map(({ lines }) => PURPOSES[FIRST.find((kind) => lines.some((l) => l.kind === kind)) ?? 'RENT']),
  )
  const [only = 'RENT'] = all
  return all.size === 1 ? only : 'RENT_AND_MORE'
}
type Dated = Billed & { readonly periodStart: string; readonly periodEnd: string }
/** What a payment is for: charges or a balance brought forward, which have no period, or else the rent of these days. */
export type PaidFor = 'CHARGES' | 'BALANCE' | { readonly from: string; readonly to: string }
/** What a payment on these invoices is for; undefined without invoices. */
export function paidFor(invoices: readonly Dated[]): PaidFor | undefined {
  const purpose = purposeOf(invoices)
  if (purpose === 'CHARGES' || purpose === 'BALANCE') return purpose
  const rents = invoices.filter(({ lines }) => lines.some(({ kind }) => kind === 'RENT'))
  const [first, ...rest] = rents.length > 0 ? rents : invoices
  return (
    first && {
      from: rest.reduce((from, i) => minDate(from, i.periodStart), first.periodStart),
      to: rest.reduce((to, i) => maxDate(to, i.periodEnd), first.periodEnd),
    }
  )
}
