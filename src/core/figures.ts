type Figure = { readonly fr: string; readonly en: string; readonly means: string }
const name = (fr: string, en: string, means: string): Figure => ({ fr, en, means })

/** The figures of money: one name in each language and one meaning, wherever they are shown. */
export const FIGURE = {
  invoiced: name(
    'Facturé du mois',
    'Invoiced for the month',
    'Invoices whose period begins in the month, with VAT, less credit notes.',
  ),
  paid: name(
    'Réglé sur le mois',
    'Paid of the month',
    'The part of what was invoiced for the month that is paid by now, whenever the money came.',
  ),
  owed: name('Reste dû', 'Still owed', 'What was invoiced, less credit notes and less what is paid.'),
  received: name('Reçu', 'Received', 'Money of tenants by the day on which it came, without deposits.'),
  withheld: name('Retenu à la source', 'Tax withheld', 'Tax that tenants pay to the State.'),
  earned: name(
    'Revient au propriétaire',
    'Earned by the owner',
    'Received less refunded, with what was set off between leases, plus kept of deposits, less the growth of advances.',
  ),
  depositsReceived: name('Cautions reçues', 'Deposits received', 'Deposits by the day on which they came.'),
  depositsKept: name('Retenu sur cautions', 'Kept of deposits', 'Kept for debts and damage, less what was put back.'),
  depositsHeld: name('Cautions détenues', 'Deposits held', 'Deposits that are still to be returned.'),
  advancesGrown: name(
    'Hausse des avances',
    'Growth of advances',
    'Advances held at the end less those at the beginning.',
  ),
  advancesHeld: name('Avances détenues', 'Advances held', 'What tenants paid and no invoice has taken.'),
  waived: name('Remises', 'Waived', 'What the landlord no longer asks for, by the day of its credit note.'),
  handed: name('Reversé au propriétaire', 'Handed to the owner', 'What the management has given to the owner.'),
  toHandOver: name(
    'À reverser au propriétaire',
    'To hand over to the owner',
    'Earned, less the fee, expenses of the management and what was handed over.',
  ),
} as const satisfies Readonly<Record<string, Figure>>
