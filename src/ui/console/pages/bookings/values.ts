import type { Schemas } from '../../../shared/api.ts'
import { today } from '../../../shared/dates.ts'
import { given, integer } from '../../../shared/form.svelte.ts'
import { language } from '../../../shared/words.svelte.ts'

/** A lease as the four steps hold it. */
export const emptyLease = () => ({
  propertyId: '',
  unitId: '',
  phoneNumber: '',
  tenantId: '',
  fullName: '',
  startDate: today(),
  endDate: '',
  rentAmount: '',
  depositAmount: '',
  dueDay: '',
  noticeMonths: '',
  locale: String(language.locale),
  autoRenew: false,
  /** As the kind of the unit has it, yes or no. */
  rentByAgreement: '',
})
export type LeaseValues = ReturnType<typeof emptyLease>

export const whole = (text: string): number | null => (text.trim() === '' ? null : integer(text))
/** What both sides agree on, as the API takes it. */
export const termsOf = (values: LeaseValues) => ({
  startDate: values.startDate,
  endDate: given(values.endDate),
  rentAmount: whole(values.rentAmount),
  depositAmount: whole(values.depositAmount),
  dueDay: whole(values.dueDay),
  noticeMonths: whole(values.noticeMonths),
  locale: values.locale === 'en' ? ('en' as const) : ('fr' as const),
  ...(values.autoRenew && { autoRenew: true }),
  rentByAgreement: values.rentByAgreement === '' ? null : values.rentByAgreement === 'yes',
})

/** A lease that is drawn up already, as the same form holds it. */
export const valuesOf = (lease: Schemas['Booking']): LeaseValues => ({
  ...emptyLease(),
  propertyId: lease.propertyId,
  unitId: lease.unitId,
  tenantId: lease.tenantId,
  startDate: lease.startDate,
  endDate: lease.endDate ?? '',
  rentAmount: String(lease.rentAmount),
  depositAmount: String(lease.depositAmount ?? ''),
  dueDay: String(lease.dueDay ?? ''),
  noticeMonths: String(lease.noticeMonths ?? ''),
  locale: lease.locale,
  autoRenew: lease.autoRenew,
  rentByAgreement: lease.rentByAgreement === undefined ? '' : lease.rentByAgreement ? 'yes' : 'no',
})
/** The terms as a change; an empty field clears its member. */
export const patchOf = (values: LeaseValues) => ({
  ...termsOf(values),
  rentAmount: integer(values.rentAmount),
  autoRenew: values.autoRenew,
})
