/** A text in the languages of the product. */
export type Words = { readonly fr: string; readonly en: string }

const say = (fr: string, en: string): Words => ({ fr, en })

/** Headings of the sheets, by member. */
export const HEADINGS: Readonly<Record<string, Words>> = {
  propertyName: say('Bien', 'Property'),
  unitLabel: say('Logement', 'Unit'),
  tenantName: say('Locataire', 'Tenant'),
  tenantPhoneNumber: say('Téléphone', 'Phone'),
  tenantNiu: say('NIU du locataire', "Tenant's NIU"),
  rentAmount: say('Loyer mensuel HT', 'Monthly rent, net'),
  invoiceNumber: say('Facture', 'Invoice'),
  issuedOn: say('Émise le', 'Issued on'),
  cancelledOn: say('Annulée le', 'Cancelled on'),
  periodStart: say('Période du', 'Period from'),
  periodEnd: say('au', 'to'),
  dueDate: say('Échéance', 'Due'),
  netAmount: say('Montant HT', 'Net'),
  tvaBasisPoints: say('Taux de TVA', 'TVA rate'),
  tvaAmount: say('TVA', 'TVA'),
  grossAmount: say('Montant TTC', 'Gross'),
  amountPaid: say('Payé', 'Paid'),
  balanceAmount: say('Solde', 'Balance'),
  creditedAmount: say('Avoir', 'Credited'),
  standingNetAmount: say('HT après avoir', 'Net after credit'),
  standingTvaAmount: say('TVA après avoir', 'TVA after credit'),
  standingGrossAmount: say('TTC après avoir', 'Gross after credit'),
  status: say('Statut', 'Status'),
  daysLate: say('Jours de retard', 'Days late'),
  age: say('Ancienneté', 'Age'),
  month: say('Mois', 'Month'),
  invoices: say('Factures', 'Invoices'),
  invoicedAmount: say('Facturé', 'Invoiced'),
  collectedAmount: say('Encaissé', 'Collected'),
  collectionRate: say('Taux de recouvrement', 'Collection rate'),
  units: say('Logements', 'Units'),
  unitDays: say('Jours-logements', 'Unit-days'),
  occupiedDays: say('Jours occupés', 'Days occupied'),
  vacantDays: say('Jours vacants', 'Days vacant'),
  occupancyRate: say("Taux d'occupation", 'Occupancy rate'),
  receivedAmount: say('Reçu', 'Received'),
  withheldAmount: say('Retenue à la source', 'Withheld'),
  refundedAmount: say('Remboursé', 'Refunded'),
  depositReceivedAmount: say('Cautions reçues', 'Deposits received'),
  depositDeductedAmount: say('Retenu sur cautions', 'Kept of deposits'),
  depositReturnedAmount: say('Cautions rendues', 'Deposits returned'),
  depositHeldAmount: say('Cautions détenues', 'Deposits held'),
  ownerAmount: say('Revient au propriétaire', 'Due to the owner'),
}

/** Words of the closed lists, as the sheets print them. */
export const WORDS: Readonly<Record<string, Words>> = {
  ISSUED: say('Émise', 'Issued'),
  OVERDUE: say('En retard', 'Overdue'),
  PAID: say('Payée', 'Paid'),
  CANCELLED: say('Annulée', 'Cancelled'),
  NOT_INVOICED: say('Non facturé', 'Not invoiced'),
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
  'tva-journal': say('Journal de TVA', 'TVA journal'),
  'owner-statement': say('Relevé propriétaire', 'Owner statement'),
}
export const TOTAL: Words = say('Total', 'Total')
