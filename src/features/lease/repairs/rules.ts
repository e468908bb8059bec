export const REPAIR_STATUS = ['OPEN', 'SEEN', 'PLANNED', 'DONE', 'REFUSED'] as const
export const REPAIR_CATEGORIES = [
  'WATER',
  'ELECTRICITY',
  'LOCKS',
  'STRUCTURE',
  'APPLIANCE',
  'PESTS',
  'COMMON_PARTS',
  'OTHER',
] as const
export const URGENCIES = ['LOW', 'NORMAL', 'URGENT'] as const
export const COST_KINDS = ['LABOUR', 'MATERIALS', 'BOTH', 'OTHER'] as const
/** What stands in the thread of a request: what people wrote and sent, and each move. */
export const ENTRY_KINDS = ['MESSAGE', 'PHOTO', 'SEEN', 'PLANNED', 'DONE', 'REFUSED', 'REOPENED'] as const
export const SIDES = ['LANDLORD', 'TENANT'] as const
