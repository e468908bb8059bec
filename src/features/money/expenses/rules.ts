export const EXPENSE_KINDS = [
  'REPAIR',
  'WATER',
  'POWER',
  'CLEANING',
  'GUARD',
  'TAX',
  'INSURANCE',
  'FEE',
  'OTHER',
] as const

/** Who paid: the owner themselves, or the management, which takes it off what it hands to the owner. */
export const PAYERS = ['OWNER', 'MANAGEMENT'] as const

export const EXPENSE_STATUS = ['RECORDED', 'CANCELLED'] as const

/** How often an expense comes again. */
export const REPEATS = ['MONTHLY', 'QUARTERLY', 'YEARLY'] as const
