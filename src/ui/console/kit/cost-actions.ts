// What is done with expenses and with transfers to owners, in words.
export const COSTS_FR = {
  'expense.cancel': 'Dépense annulée',
  'expense.continue': 'Dépense répétée',
  'expense.create': 'Dépense notée',
  'expense.end': 'Dépense répétée arrêtée',
  'expense.repeat': 'Dépense notée par répétition',
  'expense.update': 'Dépense modifiée',
  'owner_transfer.cancel': 'Versement au propriétaire annulé',
  'owner_transfer.create': 'Versement au propriétaire noté',
}
export const COSTS_EN = {
  'expense.cancel': 'Expense cancelled',
  'expense.continue': 'Expense came again',
  'expense.create': 'Expense recorded',
  'expense.end': 'Repeated expense ended',
  'expense.repeat': 'Expense recorded by repetition',
  'expense.update': 'Expense changed',
  'owner_transfer.cancel': 'Transfer to the owner cancelled',
  'owner_transfer.create': 'Transfer to the owner recorded',
}
