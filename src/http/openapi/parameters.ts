import { singular } from './schemas.ts'
import { WORDS } from './words.ts'
import { CHARGE_WORDS } from './words-charges.ts'
import { LEASE_WORDS } from './words-lease.ts'
import { REPORT_WORDS } from './words-reports.ts'

/** Default descriptions of parameters; `operation.?name` overrides `?name`. */
const PARAMETERS: Readonly<Record<string, string>> = {
  '?status': 'Only those with this status; several are separated by commas.',
  '?kind': 'Only those of this kind.',
  '?type': 'Only those of this type.',
  '?city': 'Only those in this town.',
  '?q': 'Only those whose name contains these words.',
  '?role': 'Only those with this role.',
  '?phoneNumber': 'Only those with this number.',
  '?propertyId': 'Only those of this property.',
  '?unitId': 'Only those of this unit.',
  '?meterId': 'Only those of this meter.',
  '?tenantId': 'Only those of leases of this tenant.',
  '?method': 'Only those paid in this way.',
  '?tenantUserId': "Only those of this user's leases.",
  '?bookingId': 'Only those of this lease.',
  '?invoiceId': 'Only those of this invoice.',
  '?from': 'Only those of this day or later.',
  '?to': 'Only those of this day or earlier.',
  'sandboxMessages.?to': 'Only those to this number.',
  '?dueFrom': 'Only those due on this day or later.',
  '?dueTo': 'Only those due on this day or earlier.',
  '?ownerType': 'Only those that belong to this kind of object.',
  '?ownerId': 'Only those that belong to this object.',
  '?assignedTo': 'Only those of this reviewer.',
  '?subjectId': 'Only changes of this object.',
  '?actorUserId': 'Only changes by this user.',
  '?action': 'Only this action, such as booking.terminate.',
  '?category': 'Only those of this kind of work.',
  '?urgency': 'Only those of this urgency.',
  '?format': 'csv if omitted.',
  '?document': '`terms` or `privacy`.',
  '?version': 'A version, as `GET /legal/versions` has it.',
  'legalText.?locale': 'The language of the text; that of Accept-Language if omitted.',
  '?session': 'The id of the session.',
  '?photo': 'The id of the photo.',
  'getLeaseTemplate.?kind': 'The template: for homes, or for business premises.',
  'putLeaseTemplate.?kind': 'The template: for homes, or for business premises.',
  'previewLeaseTemplate.?kind': 'The template: for homes, or for business premises.',
  'getImportTemplate.?kind': 'The kind of rows.',
}

const MEMBERS = { ...WORDS, ...REPORT_WORDS, ...LEASE_WORDS, ...CHARGE_WORDS }

/** The description of a member, or of a parameter if `member` begins with a question mark. */
export const descriptionOf = (owner: string, member: string): string | undefined => {
  const words = member.startsWith('?') ? PARAMETERS : MEMBERS
  return words[`${owner}.${member}`] ?? words[member]
}

/** What the id in a path identifies. */
export function idOf(path: string): string {
  const [noun = ''] = /[\w-]+(?=\/\{)/.exec(path) ?? []
  return `The id of the ${singular(noun.replaceAll('-', ' '))}.`
}
