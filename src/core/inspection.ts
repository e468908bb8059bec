/** What a paper says of the state of premises; amounts in francs. */
export type InspectionFacts = {
  readonly kind: 'ENTRY' | 'EXIT'
  readonly inspectedOn: string
  readonly rooms: readonly {
    readonly name: string
    readonly items: readonly {
      readonly name: string
      /** The state at the first inspection; absent in that inspection itself, and for what it did not list. */
      readonly before?: string | undefined
      readonly state: string
      readonly note?: string | undefined
      readonly deduction?: number | undefined
      readonly photos: number
    }[]
  }[]
  readonly meters: readonly {
    readonly kind: string
    readonly number?: string | undefined
    readonly reading: number
    readonly before?: number | undefined
  }[]
  readonly keyCount?: number | undefined
  readonly keysBefore?: number | undefined
  readonly note?: string | undefined
  /** Number and date of the inspection that it is compared with. */
  readonly entry?: { readonly number: string; readonly inspectedOn: string } | undefined
  readonly deductionAmount: number
  /** SHA-256 (hex) of each photo, in the order of the rooms. */
  readonly photos: readonly { readonly place: string; readonly sha256: string }[]
  readonly timeZone?: string | undefined
  readonly signedSha256?: string | undefined
  readonly signedNumber?: string | undefined
}
