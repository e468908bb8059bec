import type { Schemas } from '../../../shared/api.ts'
import { decimal } from '../../../shared/counts.ts'
import { integer, orNull } from '../../../shared/form.svelte.ts'

export type RegularisationInput = Schemas['RegularisationGiven']
type Item = RegularisationInput['items'][number]
type Key = Item['key']
/** Fields of a charge are named `0.label`, `0.key`; `items` says which charges there are: `0,2`. */
export type SharingValues = Record<string, string | boolean>

export const itemsOf = (values: SharingValues): readonly string[] => String(values.items).split(',')
const textOf = (values: SharingValues, name: string): string => String(values[name] ?? '').trim()
/** Undefined for an empty field; the server refuses anything that is no number above 0. */
const positive = (text: string): number | undefined => (text === '' ? undefined : decimal(text))
/** A unit shares unless it was unticked. */
export const shares = (values: SharingValues, n: string, unitId: string): boolean =>
  values[`${n}.u.${unitId}`] !== false

/** The next charge: by the meters that are there, else by equal parts. */
export const itemValues = (n: string, meterKind: string | undefined): SharingValues => ({
  [`${n}.label`]: '',
  [`${n}.key`]: meterKind ? 'METERS' : 'EQUAL',
  [`${n}.meterKind`]: meterKind ?? 'WATER',
  [`${n}.typed`]: '',
  [`${n}.tva`]: '',
  [`${n}.price`]: '',
  [`${n}.total`]: '',
})

type Known = {
  readonly units: readonly { readonly id: string }[]
  readonly expenses: readonly { readonly id: string }[]
}
/** The body of the request from the fields. `named`: the name of a charge without a typed one. */
export function bodyOf(
  values: SharingValues,
  { units, expenses }: Known,
  named: (kind: string) => string,
): RegularisationInput {
  const items = itemsOf(values).map((n): Item => {
    const of = (name: string): string => textOf(values, `${n}.${name}`)
    const key = of('key') as Key
    const isMetered = key === 'METERS'
    const label = of('label') || (isMetered ? named(of('meterKind')) : '')
    const ticked = expenses.filter(({ id }) => values[`${n}.e.${id}`] === true)
    const tva = of('tva') === '' ? {} : { tvaAmount: integer(of('tva')) }
    const typed = of('typed') === '' ? [] : [{ label, amount: integer(of('typed')), ...tva }]
    const chosen = units.filter(({ id }) => shares(values, n, id)).map(({ id }) => ({ unitId: id }))
    const weighed = units.flatMap(({ id }) => {
      const weight = of(`w.${id}`)
      return weight === '' ? [] : [{ unitId: id, weight: integer(weight) }]
    })
    const [unitPrice, total] = isMetered ? [positive(of('price')), positive(of('total'))] : []
    return {
      label,
      key,
      ...(isMetered && { meterKind: of('meterKind') as Schemas['SubMeterKind'] }),
      costs: [...ticked.map(({ id }) => ({ expenseId: id })), ...typed],
      ...(unitPrice !== undefined && { unitPrice }),
      ...(total !== undefined && { total }),
      ...(key === 'WEIGHTS' ? { units: weighed } : chosen.length < units.length ? { units: chosen } : {}),
    }
  })
  return {
    periodStart: textOf(values, 'periodStart'),
    periodEnd: textOf(values, 'periodEnd'),
    items,
    setOffProvisions: values.setOff === true,
    dueDate: orNull(textOf(values, 'dueDate')),
  }
}
