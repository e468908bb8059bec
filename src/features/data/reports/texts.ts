import { FIGURE } from '../../../core/figures.ts'

/** A text in both languages. */
export type Words = { readonly fr: string; readonly en: string }

const say = (fr: string, en: string): Words => ({ fr, en })

/** Column headings, by member. */
export const HEADINGS: Readonly<Record<string, Words>> = {
  propertyName: say('Bien', 'Property'),
  unitLabel: say('Logement', 'Unit'),
  tenantName: say('Locataire', 'Tenant'),
  tenantPhoneNumber: say('Téléphone', 'Phone'),
  tenantNiu: say('NIU du locataire', "Tenant's NIU"),
  rentAmount: say('Loyer mensuel HT', 'Monthly rent, net'),
  invoiceNumber: say('Facture', 'Invoice'),
  kind: say('Nature', 'Kind'),
  creditNoteNumber: say('Numéro d’avoir', 'Credit note'),
  issuedOn: say('Émise le', 'Issued on'),
  cancelledOn: say('Annulée le', 'Cancelled on'),
  periodStart: say('Début de période', 'Period begins'),
  periodEnd: say('Fin de période', 'Period ends'),
  dueDate: say('Échéance', 'Due'),
  netAmount: say('Montant HT', 'Net'),
  tvaBasisPoints: say('Taux de TVA', 'VAT rate'),
  tvaAmount: say('TVA', 'VAT'),
  grossAmount: say('Montant TTC', 'Gross'),
  amountPaid: say('Payé', 'Paid'),
  balanceAmount: FIGURE.owed,
  creditedAmount: say('Avoir', 'Credited'),
  waivedAmount: FIGURE.waived,
  standingNetAmount: say('HT après avoir', 'Net after credit'),
  standingTvaAmount: say('TVA après avoir', 'VAT after credit'),
  standingGrossAmount: say('TTC après avoir', 'Gross after credit'),
  status: say('Statut', 'Status'),
  daysLate: say('Jours de retard', 'Days late'),
  age: say('Ancienneté', 'Age'),
  month: say('Mois', 'Month'),
  invoices: say('Factures', 'Invoices'),
  invoicedAmount: FIGURE.invoiced,
  paidAmount: FIGURE.paid,
  collectionRate: say('Taux de recouvrement', 'Collection rate'),
  units: say('Logements', 'Units'),
  unitDays: say('Jours-logements', 'Unit-days'),
  occupiedDays: say('Jours occupés', 'Days occupied'),
  vacantDays: say('Jours vacants', 'Days vacant'),
  occupancyRate: say('Taux d’occupation', 'Occupancy rate'),
  receivedAmount: FIGURE.received,
  withheldAmount: FIGURE.withheld,
  refundedAmount: say('Remboursé', 'Refunded'),
  setOffAmount: say('Compensé entre baux', 'Set off between leases'),
  depositReceivedAmount: FIGURE.depositsReceived,
  depositDeductedAmount: FIGURE.depositsKept,
  depositReturnedAmount: say('Cautions rendues', 'Deposits returned'),
  depositMovedAmount: say('Cautions reportées entre baux', 'Deposits carried between leases'),
  creditAddedAmount: FIGURE.advancesGrown,
  creditHeldAmount: FIGURE.advancesHeld,
  depositHeldAmount: FIGURE.depositsHeld,
  happenedOn: say('Date', 'Date'),
  line: say('Opération', 'Entry'),
  label: say('Précision', 'Details'),
  dueAmount: FIGURE.toHandOver,
  ownerAmount: FIGURE.earned,
  carriedAmount: say('Solde reporté', 'Balance carried over'),
  managementFeeAmount: say('Honoraires de gestion', 'Management fee'),
  managementFeeTvaAmount: say('TVA sur honoraires', 'VAT on the fee'),
  resultAmount: say('Résultat', 'Result'),
  expensesAmount: say('Dépenses payées par la gestion', 'Expenses paid by the management'),
  transferredAmount: FIGURE.handed,
}

/** Enum values as the sheets print them. */
export const WORDS: Readonly<Record<string, Words>> = {
  INVOICE: say('Facture', 'Invoice'),
  CREDIT_NOTE: say('Avoir', 'Credit note'),
  CREDIT_NOTE_WITHDRAWN: say('Avoir retiré', 'Credit note withdrawn'),
  ISSUED: say('Émise', 'Issued'),
  OVERDUE: say('En retard', 'Overdue'),
  PAID: say('Payée', 'Paid'),
  CREDITED: say('Créditée', 'Credited'),
  CANCELLED: say('Annulée', 'Cancelled'),
  NOT_INVOICED: say('Non facturé', 'Not invoiced'),
  CARRIED: say('Solde reporté', 'Balance carried over'),
  EARNED: FIGURE.earned,
  MANAGEMENT_FEE: say('Honoraires de gestion', 'Management fee'),
  MANAGEMENT_FEE_TVA: say('TVA sur honoraires', 'VAT on the fee'),
  EXPENSE: say('Dépense payée par la gestion', 'Expense paid by the management'),
  TRANSFER: FIGURE.handed,
  RECEIVED: say('Reçu des locataires', 'Received from tenants'),
  REFUNDED: say('Remboursé aux locataires', 'Refunded to tenants'),
  SET_OFF: say('Compensé avec d’autres biens', 'Set off against other properties'),
  DEPOSITS_KEPT: FIGURE.depositsKept,
  COST: say('Dépense', 'Expense'),
  WAIVED: say('Remises accordées, sans effet sur le résultat', 'Waived, without effect on the result'),
  TENANT_CREDIT: say('Hausse des avances (ou baisse)', 'Growth of advances (or fall)'),
  REPAIR: say('Réparation', 'Repair'),
  WATER: say('Eau', 'Water'),
  POWER: say('Électricité', 'Electricity'),
  CLEANING: say('Nettoyage', 'Cleaning'),
  GUARD: say('Gardiennage', 'Guard'),
  TAX: say('Impôts et taxes', 'Taxes'),
  INSURANCE: say('Assurance', 'Insurance'),
  FEE: say('Frais et honoraires', 'Fees'),
  OTHER: say('Autre', 'Other'),
  CASH: say('Espèces', 'Cash'),
  MTN_MOMO: say('MTN MoMo', 'MTN MoMo'),
  ORANGE_MONEY: say('Orange Money', 'Orange Money'),
  BANK_TRANSFER: say('Virement', 'Bank transfer'),
  CHEQUE: say('Chèque', 'Cheque'),
  VACANT: say('Vacant', 'Vacant'),
  DAYS_0_30: say('0 à 30 jours', '0 to 30 days'),
  DAYS_31_60: say('31 à 60 jours', '31 to 60 days'),
  DAYS_61_90: say('61 à 90 jours', '61 to 90 days'),
  OVER_90_DAYS: say('plus de 90 jours', 'over 90 days'),
}

export const SHEETS: Readonly<Record<string, Words>> = {
  'rent-roll': say('État locatif', 'Rent roll'),
  arrears: say('Impayés', 'Arrears'),
  collection: say('Recouvrement', 'Collection'),
  occupancy: say('Occupation', 'Occupancy'),
  'tva-journal': say('Journal de TVA', 'VAT journal'),
  'owner-statement': say('Relevé propriétaire', 'Owner statement'),
  'owner-account': say('Compte du propriétaire', 'Account with the owner'),
  'profit-loss': say('Résultat annuel', 'Profit and loss'),
}
/** Of a report whose time is not over. */
export const PROVISIONAL: Words = say('provisoire', 'provisional')
export const TOTAL: Words = say('Total', 'Total')
export const AGES_TITLE: Words = say('Impayés par ancienneté', 'Arrears by age')

/** Says on a paper what its figures are based on. */
export const BASIS: Readonly<
  Record<'rent-roll' | 'arrears' | 'collection' | 'occupancy' | 'tva-journal' | 'owner-account' | 'profit-loss', Words>
> = {
  'rent-roll': say(
    'Factures non annulées dont la période commence dans ce relevé ; payé et solde à ce jour. Avoir : déduit en fin de bail, par une régularisation ou par une remise, ni payé ni dû. Remises : comprises dans les avoirs.',
    'Invoices that are not cancelled and whose period begins within this report; paid and balance as of today. Credited: taken off at the end of the lease, by a regularisation or waived, neither paid nor due. Waived: part of what is credited.',
  ),
  arrears: say(
    'Factures échues avant la date indiquée et non soldées à ce jour ; les jours de retard comptent jusqu’à cette date. Caution détenue\u00a0: celle d’un bail terminé, à déduire de ce qu’il doit en tout.',
    'Invoices that fell due before the date given and are not settled today; days late count up to that date. Deposit held: that of a lease that has ended, to be taken off all that it owes.',
  ),
  collection: say(
    'Factures non annulées par mois de début de leur période : montant facturé, déduction faite des avoirs, et part réglée à ce jour, quel que soit le jour du paiement.',
    'Invoices that are not cancelled, by the month in which their period begins: amount invoiced less credits, and the part paid by today, whenever the money came.',
  ),
  'owner-account': say(
    'Revient au propriétaire : loyers reçus moins remboursements, plus retenues sur cautions, moins la hausse des avances. Le solde est reporté depuis les premiers honoraires du bien.',
    'Earned by the owner: rents received less refunds, plus what was kept of deposits, less the growth of advances. The balance is carried over from the first management fee of the property.',
  ),
  'profit-loss': say(
    'Sommes reçues et dépenses à leur date, TVA comprise. Les avances des locataires et les cautions à rendre n’y comptent pas. Les dépenses sont celles de la gestion et du propriétaire ; les versements au propriétaire n’en sont pas.',
    'Money received and expenses by their dates, with VAT. Advances of tenants and deposits to be returned do not count. Expenses are those of the management and of the owner; what was handed to the owner is none.',
  ),
  occupancy: say(
    'Jours-logements : logements en service multipliés par les jours de la période ; occupés : couverts par un bail.',
    'Unit-days: units in use multiplied by the days of the period; occupied: covered by a lease.',
  ),
  'tva-journal': say(
    'Factures et avoirs de la période, chacun à sa date : ce qui est rendu ou annulé plus tard figure par un avoir dans son propre mois. Deuxième ligne de chaque montant : ce qui est à déclarer.',
    'Invoices and credit notes of the period, each by its date: what is given back or cancelled later has a credit note in its own month. Second line of each amount: what is to be declared.',
  ),
}
