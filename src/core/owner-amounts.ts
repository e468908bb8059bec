/** Francs of a lease, a property or all; members as the report has them. */
export type OwnerAmounts = {
  readonly [name in
    | 'netAmount'
    | 'tvaAmount'
    | 'grossAmount'
    | 'creditedAmount'
    | 'receivedAmount'
    | 'withheldAmount'
    | 'refundedAmount'
    | 'balanceAmount'
    | 'depositReceivedAmount'
    | 'depositDeductedAmount'
    | 'depositReturnedAmount'
    | 'depositHeldAmount'
    | 'creditAddedAmount'
    | 'creditHeldAmount'
    | 'ownerAmount']: number
}
