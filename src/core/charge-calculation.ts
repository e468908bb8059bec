/**
 * How a lease's share in a regularisation of charges is calculated, as papers show it: francs before the TVA of the lease,
 * counts and prices in thousandths, a surface in hundredths of a square metre.
 */
export type Calculation = {
  readonly from: string
  readonly to: string
  readonly days: number
  readonly items: readonly {
    readonly label: string
    readonly key: 'METERS' | 'EQUAL' | 'SURFACE' | 'WEIGHTS'
    readonly amount: number
    /** The TVA of the costs, which is not in the amount. */
    readonly deductedAmount?: number | undefined
    readonly counted?: number | undefined
    readonly measure?: string | undefined
    readonly unitPrice?: number | undefined
    readonly meters?:
      | readonly {
          readonly number?: string | undefined
          readonly readings: readonly {
            readonly readOn: string
            readonly thousandths: number
            readonly finalThousandths?: number | undefined
          }[]
        }[]
      | undefined
    readonly weight?: number | undefined
    readonly totalWeight?: number | undefined
    readonly days?: number | undefined
  }[]
  readonly amount: number
  readonly provisions: readonly { readonly number: string; readonly amount: number }[]
}
