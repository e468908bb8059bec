/** The names that the lists of the service give to places and people beside their ids. */
const NAMES = 'unitLabel propertyName tenantName'
const PROOF =
  'documentId sha256 party userId onBehalf fullName channel maskedNumber signedAt challengeId requestId status'
const PERSON = 'phoneNumber idType idNumber niu address'
const LEASE = 'id orgId bookingId unitId propertyId tenantId tenantUserId'
const EXPENSE = `id orgId propertyId unitId kind amount tvaAmount currency spentOn paidBy supplier note chargeable receiptMediaId status
  recordedBy repeatEvery repeatUntil nextOn repeatOf repeatNumber repairId regularisationId createdAt propertyName unitLabel`
const TRAIL =
  'id actorUserId actor actorName action subjectType subjectId beforeDigest afterDigest details requestId createdAt importedAt'

/**
 * What a person's copy has of each row, by the file's name. A column that is added to a table is given to nobody before it
 * is named here: it may be what a landlord noted for themselves.
 */
const CONTENTS = {
  profile: `id orgId subject username email firstName lastName phoneVerified roles locale status notifications limited
    ${PERSON} organization createdAt updatedAt`,
  consents: 'id orgId userId document documentVersion locale textSha256 acceptedAt',
  tenant: `id orgId fullName kind rccm representativeName representativeRole ${PERSON} locale channel userId createdBy
    createdAt updatedAt`,
  leases: `${LEASE} ${NAMES} startDate endDate rentAmount rentCurrency depositAmount depositCurrency tvaBasisPoints
    noticeMonths dueDay autoRenew billFrom openingBalance locale status requestedBy renewsBookingId terminationReason
    creditAmount notice rentByAgreement trade reviewClause nextRentOn nextRentAmount createdAt submittedAt activatedAt terminatedAt cancelledAt
    openAmount depositHeldAmount coveredUntil signatures`,
  invoices: `${LEASE} ${NAMES} number kind currency periodStart periodEnd dueDate grossAmount netAmount tvaAmount
    tvaBasisPoints status amountPaid creditedAmount lines issuedOn createdAt paidAt cancelledAt`,
  'charge-shares': `id regularisationId bookingId unitId days items amount provisionAmount invoiceId provisions credited
    createdAt periodStart periodEnd issuedOn`,
  'lease-parties': `id bookingId role fullName ${PERSON} createdAt removedAt unitLabel propertyName`,
  'paid-for': 'id bookingId fullName phoneNumber source kiosk createdAt',
  payments: `id orgId bookingId propertyId tenantId ${NAMES} type amount currency method paidOn reference proofMediaId status
    invoiceIds invoiceNumbers unallocatedAmount recordedBy recordedByName decidedBy decidedByName receivedBy receivedByName
    receiverGone note payer documentId counterpartId parts createdAt confirmedAt closedAt`,
  signatures: `id orgId bookingId ${PROOF} voidReason voidedAt signerId createdAt updatedAt`,
  'rent-changes': `id orgId bookingId fromDate rentAmount previousAmount reason status needsAgreement documentId createdBy
    signedBy signedName signedAt channel maskedNumber mediaObjectId declinedAt declinedReason createdAt cancelledAt updatedAt`,
  repairs: `id orgId unitId propertyId bookingId tenantUserId ${NAMES} reportedBy title description category urgency status
    plannedOn doneOn refusalReason closedAt createdAt`,
  'inspection-signatures': `id orgId inspectionId ${PROOF} remarks voidedAt createdAt updatedAt`,
  'repair-messages': 'id orgId repairId kind side authorUserId text plannedOn mediaObjectId createdAt updatedAt',
  documents: `id orgId kind variant bookingId invoiceId paymentId propertyId ${NAMES} number locale issuedOn code status failure
    templateVersion sha256 sizeBytes voidReason voidedAt signedCopyMediaId createdAt renderedAt`,
  properties: `id orgId ownerUserId name addressLine city province quartier latitude longitude amenities type status payTo
    managementFees coverMediaId unitCount vacantCount monthlyRent createdAt`,
  expenses: EXPENSE,
  'expenses-recorded': EXPENSE,
  'owner-transfers': `id orgId propertyId propertyName ownerUserId amount currency method paidOn reference note status
    recordedBy createdAt`,
  verifications: `id orgId kind proofType propertyId propertyName subjectUserId subjectName status assignedTo assignedToName
    reviewedBy reviewedByName reviewNote submittedAt reviewedAt createdAt documents`,
  sessions: 'id signedInAt expiresAt',
  messages: 'id channel purpose text createdAt',
  'done-by-me': TRAIL,
  'done-about-me': TRAIL,
  uploads: `id orgId ownerType ownerId ownerUserId propertyId kind filename contentType sizeBytes sha256 status purgeAt
    position createdAt updatedAt`,
} as const
/** Of a paper of a verification. */
const PAPER = `id orgId caseId mediaObjectId role documentType certifyingAuthority certificateRef certifiedOn expiresOn
  remindOn createdAt`

export type ExportedFile = keyof typeof CONTENTS
type Pick = (row: object) => object
const only = (names: string): Pick => {
  const wanted = new Set(names.split(/\s+/))
  return (row) => Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name)))
}
/** By file: the part of a row that it gives. */
export const partOf = Object.fromEntries(Object.entries(CONTENTS).map(([file, names]) => [file, only(names)])) as {
  readonly [F in ExportedFile]: Pick
}
export const paperPart = only(PAPER)
