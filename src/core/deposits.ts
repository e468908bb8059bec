type Moved = {
  readonly type: 'RECEIVED' | 'DEDUCTED' | 'RETURNED'
  readonly amount: number
  /** The payment of invoices that this entry made or took back. */
  readonly paymentId: string | null
}

/**
 * What a deposit's entries come to, in francs: received, paid on invoices (less what was put back since), kept for damages,
 * returned. What went over to or came from another lease counts as returned or received.
 */
export function depositSums(entries: readonly Moved[]) {
  const sum = (of: (entry: Moved) => number): number => entries.reduce((all, entry) => all + of(entry), 0)
  return {
    receivedAmount: sum((e) => (e.type === 'RECEIVED' && e.paymentId === null ? e.amount : 0)),
    paidInvoicesAmount: sum((e) => (e.paymentId === null ? 0 : e.type === 'RECEIVED' ? -e.amount : e.amount)),
    deductedAmount: sum((e) => (e.type === 'DEDUCTED' && e.paymentId === null ? e.amount : 0)),
    returnedAmount: sum((e) => (e.type === 'RETURNED' ? e.amount : 0)),
  }
}
