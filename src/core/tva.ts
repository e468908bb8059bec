import { countryOf } from './countries/countries.ts'
import { type Country, numberOn } from './countries/country.ts'

/** From a day on, business premises bear another rate of TVA, in basis points; 0: the landlord is not registered. */
export type TvaChange = { readonly from: string; readonly before: number; readonly after: number }
export type Taxed = {
  readonly country: string
  readonly tvaRegistered: boolean
  readonly tvaChanges: readonly TvaChange[] | null
}

/** The standard rate of TVA on a day, in basis points. */
export const standardTva = (country: Country, day: string): number => numberOn(country, 'TVA_STANDARD', day)

/** The rate before the landlord's first own change. */
const firstRate = ({ country, tvaRegistered, tvaChanges }: Taxed): number =>
  tvaChanges?.[0]?.before ?? (tvaRegistered ? standardTva(countryOf(country), '') : 0)

/**
 * The changes of the rate by their day: those that the landlord entered, and each new standard rate of the law while the
 * one before it applies. The landlord's own goes before the law's of the same day.
 */
export function tvaChangesOf(org: Taxed): TvaChange[] {
  const own = (org.tvaChanges ?? []).map(({ from, after }) => ({ from, after, instead: undefined }))
  const standard = countryOf(org.country).values.flatMap(({ rule, from, value }) =>
    rule === 'TVA_STANDARD' && value !== null ? [{ from, after: value }] : [],
  )
  const legal = standard.flatMap(({ from, after }, i) => {
    const instead = standard[i - 1]?.after
    return from === null || instead === undefined || own.some((one) => one.from === from)
      ? []
      : [{ from, after, instead }]
  })
  const changes: TvaChange[] = []
  let before = firstRate(org)
  for (const { from, after, instead } of [...own, ...legal].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    if (instead !== undefined && instead !== before) continue
    changes.push({ from, before, after })
    before = after
  }
  return changes
}

/** The rate of TVA of business premises on a day, in basis points; 0 where the landlord is not registered. */
export const tvaOn = (org: Taxed, day: string): number =>
  tvaChangesOf(org).findLast(({ from }) => from <= day)?.after ?? firstRate(org)
