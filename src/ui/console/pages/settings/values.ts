import type { Schemas } from '../../../shared/api.ts'
import { integer, orNull } from '../../../shared/form.svelte.ts'
import { phoneOf } from '../../../shared/phone.ts'
import { payChanged, payValues } from '../../kit/pay-to.ts'

type Organization = Schemas['Organization']
/** An organization as its form holds it. */
export const valuesOf = (one: Organization) => ({
  name: one.name ?? '',
  address: one.address ?? '',
  phoneNumber: one.phoneNumber ?? '',
  messagesPerDay: one.messagesPerDay === undefined ? '' : String(one.messagesPerDay),
  formalNoticeDays: one.formalNoticeDays === undefined ? '' : String(one.formalNoticeDays),
  niu: one.niu ?? '',
  rccm: one.rccm ?? '',
  tvaRate: '',
  tvaFrom: '',
  dueDay: one.dueDay === undefined ? '' : String(one.dueDay),
  issueDaysBefore: String(one.issueDaysBefore),
  requireProof: String(one.requireProof),
  confirmCash: String(one.confirmCash),
  reminderSchedule: one.reminderSchedule.join(', '),
  quietFrom: one.quietHours.from,
  quietTo: one.quietHours.to,
  locale: one.locale as string,
  timeZone: one.timeZone,
  secondFactor: one.secondFactor as string,
  ...payValues(one.payTo),
})
export type OrganizationValues = ReturnType<typeof valuesOf>

/** 19,25 or 19.25 percent: 1925. */
const basisPoints = (percent: string): number =>
  percent.trim() === '' ? Number.NaN : Math.round(Number(percent.trim().replace('%', '').replace(',', '.')) * 100)

export const bodyOf = (v: OrganizationValues, now: Schemas['Organization']): Schemas['OrganizationPatch'] => ({
  name: orNull(v.name),
  address: orNull(v.address),
  phoneNumber: orNull(phoneOf(v.phoneNumber)),
  messagesPerDay: v.messagesPerDay.trim() === '' ? null : integer(v.messagesPerDay),
  formalNoticeDays: v.formalNoticeDays.trim() === '' ? null : integer(v.formalNoticeDays),
  niu: orNull(v.niu),
  rccm: orNull(v.rccm),
  ...(v.tvaRate.trim() === '' && v.tvaFrom === ''
    ? {}
    : { tvaChange: { from: v.tvaFrom, basisPoints: basisPoints(v.tvaRate) } }),
  dueDay: v.dueDay.trim() === '' ? null : integer(v.dueDay),
  issueDaysBefore: integer(v.issueDaysBefore),
  requireProof: v.requireProof === 'true',
  confirmCash: v.confirmCash === 'true',
  reminderSchedule: v.reminderSchedule
    .split(/[,;]/)
    .filter((day) => day.trim() !== '')
    .map(Number),
  quietHours: { from: v.quietFrom.trim(), to: v.quietTo.trim() },
  locale: v.locale === 'en' ? 'en' : 'fr',
  timeZone: v.timeZone.trim(),
  secondFactor: v.secondFactor === 'STAFF' ? 'STAFF' : 'OFF',
  ...payChanged(v, now.payTo),
})
