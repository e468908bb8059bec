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
})
