export type Words = { readonly en: string; readonly fr: string }

/** What the law of a country settles for rent. HOME and BUSINESS: by what is let; OPEN and FIXED: by the term of the lease. */
export const RULES = [
  'TVA_STANDARD',
  'TVA_REDUCED',
  'WITHHOLDING_RENT',
  'FORMAL_NOTICE_HOME',
  'FORMAL_NOTICE_BUSINESS',
  'NOTICE_HOME_OPEN',
  'NOTICE_HOME_FIXED',
  'NOTICE_BUSINESS_OPEN',
  'NOTICE_BUSINESS_FIXED',
  'RENEWAL_BUSINESS',
  'RENT_REVIEW_HOME',
  'RENT_REVIEW_BUSINESS',
  'DEPOSIT_MAXIMUM',
  'RECORDS_KEPT',
  'MANDATORY_BUSINESS',
] as const
export type Rule = (typeof RULES)[number]
export const UNITS = ['BASIS_POINTS', 'DAYS', 'MONTHS', 'YEARS'] as const

/** The text that a rule stands in; `title` is whole, `short` as clauses cite it. */
export type Source = {
  readonly title: Words
  readonly short?: string
  readonly article?: string
  /** The year of the finance law that brought the value. */
  readonly year?: number
}

/** A rule as it holds from a day on. */
export type LegalValue = {
  readonly rule: Rule
  /** Its first day, YYYY-MM-DD; null: older than this table. */
  readonly from: string | null
  /** A whole number of `unit`; null where the law sets none. */
  readonly value: number | null
  readonly unit: (typeof UNITS)[number]
  /** null: no text was found, so a lawyer has to check it. */
  readonly source: Source | null
  readonly note?: Words
  /** The values that an organization may set for itself. */
  readonly own?: { readonly least: number; readonly most: number }
}

export type PhonePlan = {
  /** The country's code, without a plus sign. */
  readonly code: string
  /** A number without the code, as it is dialled from abroad. */
  readonly national: RegExp
  /** What precedes the number inside the country alone. */
  readonly trunk?: string
  /** How many digits are read out together. */
  readonly groups: readonly number[]
}

export type Country = {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly name: Words
  /** As in "the law of …". */
  readonly law: Words
  readonly currency: 'XAF'
  readonly timeZone: string
  readonly phone: PhonePlan
  /** The operators of mobile money. */
  readonly mobileMoney: readonly string[]
  /** The numbers that papers print of a taxpayer and of a company. */
  readonly taxNumbers: { readonly taxpayer: string; readonly company: string }
  readonly values: readonly LegalValue[]
}

/** The row of a rule on a day; undefined before its first. */
export const valueOn = ({ values }: Country, rule: Rule, day: string): LegalValue | undefined =>
  values.findLast((one) => one.rule === rule && (one.from === null || one.from <= day))

/** The number of a rule that the law of the country has on every day. @throws RangeError where it sets none */
export function numberOn(country: Country, rule: Rule, day: string): number {
  const value = valueOn(country, rule, day)?.value
  if (value == null) throw new RangeError(`${country.code} sets no ${rule} on ${day}`)
  return value
}
