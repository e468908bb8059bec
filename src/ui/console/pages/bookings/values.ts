import type { Schemas } from '../../../shared/api.ts'
import { decimal } from '../../../shared/counts.ts'
import { today } from '../../../shared/dates.ts'
import { integer, orNull } from '../../../shared/form.svelte.ts'
import { formats, language } from '../../../shared/words.svelte.ts'

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
  /** In per cent, as it is typed: 19,25; empty: that of the kind of unit. */
  tvaBasisPoints: '',
  billFrom: '',
  openingBalance: '',
  /** As the kind of the unit has it, yes or no. */
  rentByAgreement: '',
  trade: '',
  reviewFormula: '',
  reviewFrom: '',
})
export type LeaseValues = ReturnType<typeof emptyLease>

export const whole = (text: string): number | null => (text.trim() === '' ? null : integer(text))
/** 19,25 per cent are 1925; what is no number stays as typed, for the server to judge. */
function basisPoints(text: string): number {
  const percent = decimal(text.replace('%', ''))
  return typeof percent === 'number' ? Math.round(percent * 100) : percent
}
/** The rate as the API takes it, left out where none was typed. */
export const tvaOf = ({ tvaBasisPoints: typed }: LeaseValues) =>
  typed.trim() === '' ? {} : { tvaBasisPoints: basisPoints(typed) }
/** What both sides agree on, as the API takes it. */
export const termsOf = (values: LeaseValues) => ({
  startDate: values.startDate,
  endDate: orNull(values.endDate),
  rentAmount: whole(values.rentAmount),
  depositAmount: whole(values.depositAmount),
  dueDay: whole(values.dueDay),
  noticeMonths: whole(values.noticeMonths),
  openingBalance: whole(values.openingBalance),
  locale: values.locale === 'en' ? ('en' as const) : ('fr' as const),
  ...(values.autoRenew && { autoRenew: true }),
  rentByAgreement: values.rentByAgreement === '' ? null : values.rentByAgreement === 'yes',
  trade: orNull(values.trade),
  reviewClause:
    values.reviewFormula.trim() === '' && values.reviewFrom === ''
      ? null
      : { formula: values.reviewFormula, from: values.reviewFrom },
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
  tvaBasisPoints: formats().number(lease.tvaBasisPoints / 100, 2),
  billFrom: lease.billFrom ?? '',
  openingBalance: String(lease.openingBalance ?? ''),
  locale: lease.locale,
  autoRenew: lease.autoRenew,
  rentByAgreement: lease.rentByAgreement === undefined ? '' : lease.rentByAgreement ? 'yes' : 'no',
  trade: lease.trade ?? '',
  reviewFormula: lease.reviewClause?.formula ?? '',
  reviewFrom: lease.reviewClause?.from ?? '',
})
/**
 * The terms as a change; an empty field clears its member. A rate or a first day of billing that stays is not sent: what
 * nobody gave goes on following the settings and the start of the lease.
 */
export const patchOf = (values: LeaseValues, before: Schemas['Booking']) => ({
  ...termsOf(values),
  ...(values.tvaBasisPoints !== valuesOf(before).tvaBasisPoints && {
    tvaBasisPoints: basisPoints(values.tvaBasisPoints),
  }),
  ...(values.billFrom !== (before.billFrom ?? '') && { billFrom: orNull(values.billFrom) }),
  rentAmount: integer(values.rentAmount),
  autoRenew: values.autoRenew,
})
