// The ids of the generated database can be told without asking it.
const words = [
  'organization',
  'admin',
  'owner',
  'tenantUser',
  'property',
  'unit',
  'tenant',
  'booking',
  'invoice',
] as const
/** A UUID whose order is the order of `n`. */
export const idOf = (word: (typeof words)[number], n: number): string =>
  `0190000${words.indexOf(word)}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
