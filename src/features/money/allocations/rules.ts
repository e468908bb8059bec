type Move = { readonly paymentId: string; readonly targetId: string; readonly amount: number }
/** The differences between two lists of allocations. */
export function movedSince(before: readonly Move[], after: readonly Move[]): readonly Move[] {
  const keyOf = (a: Move): string => `${a.paymentId} ${a.targetId}`
  const had = new Map(before.map((a) => [keyOf(a), a.amount]))
  return after.flatMap((a) => {
    const amount = a.amount - (had.get(keyOf(a)) ?? 0)
    return amount === 0 ? [] : [{ paymentId: a.paymentId, targetId: a.targetId, amount }]
  })
}
