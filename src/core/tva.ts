/** The standard rate of TVA in basis points. */
export const STANDARD_TVA = 1925

/** From a day on, business premises bear another rate of TVA, in basis points; 0: the landlord is not registered. */
export type TvaChange = { readonly from: string; readonly before: number; readonly after: number }
export type Taxed = { readonly tvaRegistered: boolean; readonly tvaChanges: readonly TvaChange[] | null }

/** The rate of TVA of business premises on a day, in basis points; 0 where the landlord is not registered. */
export function tvaOn({ tvaRegistered, tvaChanges }: Taxed, day: string): number {
  const changes = tvaChanges ?? []
  const unchanged = changes[0]?.before ?? (tvaRegistered ? STANDARD_TVA : 0)
  return changes.findLast(({ from }) => from <= day)?.after ?? unchanged
}
