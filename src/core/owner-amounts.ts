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
    | 'setOffAmount'
    | 'balanceAmount'
    | 'depositReceivedAmount'
    | 'depositDeductedAmount'
    | 'depositReturnedAmount'
    | 'depositMovedAmount'
    | 'depositHeldAmount'
    | 'creditAddedAmount'
    | 'creditHeldAmount'
    | 'ownerAmount']: number
}

/** Francs of a property's account with its owner; members as the report has them. */
export type AccountAmounts = {
  readonly [name in
    | 'carriedAmount'
    | 'managementFeeAmount'
    | 'managementFeeTvaAmount'
    | 'expensesAmount'
    | 'transferredAmount'
    | 'dueAmount']: number
}
