import type { MeterKind } from '../../../core/meters.ts'

export const REGULARISATION_STATUS = ['ISSUED', 'CANCELLED'] as const
/** How a cost is shared: by what meters counted, by equal parts, by surface, or by weights of one's own. */
export const SHARE_KEYS = ['METERS', 'EQUAL', 'SURFACE', 'WEIGHTS'] as const
export type ShareKey = (typeof SHARE_KEYS)[number]

/** A cost of a regularisation: an expense of the property, or one that was typed. Amounts in francs. */
type Cost = { readonly label: string; readonly amount: number; readonly expenseId?: string }
/** One thing that is shared; `counted` and `total` in thousandths of the measure, `unitPrice` in thousandths of a franc. */
export type Item = {
  readonly label: string
  readonly key: ShareKey
  readonly meterKind?: MeterKind
  readonly measure?: string
  readonly costs: readonly Cost[]
  readonly amount: number
  readonly unitPrice?: number
  readonly counted?: number
  readonly total?: number
  readonly units: readonly { readonly unitId: string; readonly weight?: number }[]
  readonly chargedAmount: number
}
/** What a lease pays of an item, and how that comes about. */
export type ShareItem = {
  readonly label: string
  readonly key: ShareKey
  readonly amount: number
  /** Of METERS: what was counted, in thousandths, by which readings. */
  readonly counted?: number
  readonly measure?: string
  readonly meters?: readonly {
    readonly meterId: string
    readonly number?: string
    readonly counted: number
    readonly readings: readonly {
      readonly id: string
      readonly readOn: string
      readonly thousandths: number
      readonly finalThousandths?: number
      readonly mediaObjectId?: string
    }[]
  }[]
  /** Of the other keys: the part of the unit in the whole. */
  readonly weight?: number
  readonly totalWeight?: number
}
