import type { Schemas } from '../../../shared/api.ts'
import { given, integer } from '../../../shared/form.svelte.ts'
import { phoneOf } from '../../../shared/phone.ts'
import { payBody, payValues } from '../../kit/pay-to.ts'

type Organization = Schemas['Organization']
/** An organization as its form holds it. */
export const valuesOf = (one: Organization) => ({
  name: one.name ?? '',
  address: one.address ?? '',
  phoneNumber: one.phoneNumber ?? '',
  messagesPerDay: one.messagesPerDay === undefined ? '' : String(one.messagesPerDay),
  niu: one.niu ?? '',
  rccm: one.rccm ?? '',
  tvaRegistered: String(one.tvaRegistered),
  dueDay: one.dueDay === undefined ? '' : String(one.dueDay),
  issueDaysBefore: String(one.issueDaysBefore),
  requireProof: String(one.requireProof),
  reminderSchedule: one.reminderSchedule.join(', '),
  quietFrom: one.quietHours.from,
  quietTo: one.quietHours.to,
  locale: one.locale as string,
  timeZone: one.timeZone,
  secondFactor: one.secondFactor as string,
  ...payValues(one.payTo),
})
export type OrganizationValues = ReturnType<typeof valuesOf>

export const bodyOf = (v: OrganizationValues): Schemas['OrganizationPatch'] => ({
  name: given(v.name),
  address: given(v.address),
  phoneNumber: given(phoneOf(v.phoneNumber)),
  messagesPerDay: v.messagesPerDay.trim() === '' ? null : integer(v.messagesPerDay),
  niu: given(v.niu),
  rccm: given(v.rccm),
  tvaRegistered: v.tvaRegistered === 'true',
  dueDay: v.dueDay.trim() === '' ? null : integer(v.dueDay),
  issueDaysBefore: integer(v.issueDaysBefore),
  requireProof: v.requireProof === 'true',
  reminderSchedule: v.reminderSchedule
    .split(/[,;]/)
    .filter((day) => day.trim() !== '')
    .map(Number),
  quietHours: { from: v.quietFrom.trim(), to: v.quietTo.trim() },
  locale: v.locale === 'en' ? 'en' : 'fr',
  timeZone: v.timeZone.trim(),
  secondFactor: v.secondFactor === 'STAFF' ? 'STAFF' : 'OFF',
  payTo: payBody(v),
})
