import { isOpenToAll } from '../../../core/addresses.ts'
import { type BodyRule, wrongAt } from '../../../core/body-rules.ts'
import type { Rule, Source, Words } from '../../../core/countries/country.ts'
import { addDays, localDate } from '../../../core/dates.ts'
import type { PAYMENT_METHODS } from '../../../core/money.ts'
import { type Taxed, type TvaChange, tvaOn } from '../../../core/tva.ts'

/** Who needs a second factor at sign-in: nobody, or the organization's ADMIN and MANAGER. */
export const SECOND_FACTOR = ['OFF', 'STAFF'] as const

/** Where rent is paid: a number or account, whose name appears when paying, and what else to know. */
export type PayInstruction = {
  readonly method: (typeof PAYMENT_METHODS)[number]
  readonly number?: string
  readonly holder?: string
  readonly note?: string
}

/** Where rent is paid, and the day on which that changed, if it was in the last 30 days: a tenant asks before paying. */
export type WhereToPay = { readonly payTo: PayInstruction[]; readonly payToChangedOn?: string }
const SAID_DAYS = 30

/** Of changes at these times the local day of the last, if it is to be said still. */
export function saidOn(
  times: readonly (string | null | undefined)[],
  today: string,
  timeZone: string,
): string | undefined {
  const day = localDate(Math.max(...times.map((time) => (time ? Date.parse(time) : 0))), timeZone)
  return day > addDays(today, -SAID_DAYS) ? day : undefined
}

const NO_NUMBER = { en: 'Give the number or account to pay to.', fr: 'Donnez le numéro ou le compte où payer.' }
const NO_WAY = {
  en: 'Nobody pays to a tax withheld at the source.',
  fr: 'Personne ne paie à une retenue à la source.',
}
/** No number nor account has fewer digits, codes of merchants included: a name was typed in its place. */
const FEWEST_DIGITS = 4
/** Tenants can pay where `payTo` says: it names the number or account that the method needs. */
export const payToRule = ({ payTo }: { readonly payTo?: readonly PayInstruction[] | null }): ReturnType<BodyRule> =>
  (payTo ?? []).flatMap(({ method, number }, at) => {
    if (method === 'WITHHOLDING') return wrongAt(NO_WAY, `/payTo/${at}/method`)
    const needsNumber = method === 'MTN_MOMO' || method === 'ORANGE_MONEY' || method === 'BANK_TRANSFER'
    const digits = number?.match(/\d/g)?.length ?? 0
    return needsNumber && digits < FEWEST_DIGITS ? wrongAt(NO_NUMBER, `/payTo/${at}/number`) : []
  })

/**
 * The changes of TVA with one more. It replaces a change to come on the same day; a change to come that alters nothing
 * is left out.
 * @returns undefined if a change after that day is already in force
 */
export function withTvaChange(org: Taxed, from: string, after: number, today: string): TvaChange[] | undefined {
  const all = org.tvaChanges ?? []
  const begun = all.filter((change) => change.from <= today)
  if (begun.some((change) => change.from > from)) return undefined
  const coming = all.filter((change) => change.from > today && change.from !== from)
  const next = [...coming, { from, before: 0, after }].sort((a, b) => (a.from < b.from ? -1 : 1))
  const changes = [...begun]
  for (const change of next) {
    const before = changes.at(-1)?.after ?? all[0]?.before ?? tvaOn(org, from)
    if (before !== change.after) changes.push({ ...change, before })
  }
  return changes
}

type Following = { readonly tvaBasisPoints: number; readonly tvaFollowed: number }
/**
 * The rate of a lease on a day, and how many changes it has followed by then: a change moves the leases at the rate
 * before it, and a registration business premises alone.
 */
export function followTva(
  lease: Following,
  changes: readonly TvaChange[],
  isHome: () => boolean,
  day: string,
): Following {
  let { tvaBasisPoints, tvaFollowed } = lease
  for (const { from, before, after } of changes.slice(tvaFollowed)) {
    if (from > day) break
    tvaFollowed += 1
    if (tvaBasisPoints === before && (before > 0 || !isHome())) tvaBasisPoints = after
  }
  return { tvaBasisPoints, tvaFollowed }
}

/** The default days for reminding a tenant, counted from the due date: before, on the day, after. */
export const REMINDERS: readonly number[] = [-3, 0, 3, 7, 15]

/** Local times, HH:MM, between which nothing that can wait is sent; two equal times mean no quiet hours. */
export type QuietHours = { readonly from: string; readonly to: string }
export const QUIET_HOURS: QuietHours = { from: '20:00', to: '07:00' }

type Settings = {
  readonly reminderSchedule: readonly number[] | null
  readonly quietFrom: string | null
  readonly quietTo: string | null
}
export const remindersOf = ({ reminderSchedule }: Settings): readonly number[] => reminderSchedule ?? REMINDERS
export const quietHoursOf = ({ quietFrom, quietTo }: Settings): QuietHours =>
  quietFrom === null || quietTo === null ? QUIET_HOURS : { from: quietFrom, to: quietTo }

/**
 * Whether a local time, HH:MM, is in the quiet hours: `from` included, `to` excluded, across midnight if `to` is
 * earlier.
 */
export const isQuiet = ({ from, to }: QuietHours, time: string): boolean =>
  from <= to ? time >= from && time < to : time >= from || time < to

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
/** Ms from a local time, HH:MM, until the quiet hours end. */
export const quietMs = ({ to }: QuietHours, time: string): number =>
  ((minutes(to) - minutes(time) + 1440) % 1440) * 60_000

type Sender = { readonly messenger: { readonly mute?: boolean }; readonly config: { readonly publicUrl: string } }
/** What becomes of messages here: whether they leave by themselves, and whether tenants can open their links. */
export const messagingOf = ({ messenger, config }: Sender) => ({
  sends: messenger.mute !== true,
  links: isOpenToAll(config.publicUrl),
})

/** The rules of the law, as people read them. */
export const RULE_NAMES: Readonly<Record<Rule, Words>> = {
  TVA_STANDARD: { en: 'VAT (TVA), standard rate', fr: 'TVA, taux normal' },
  TVA_REDUCED: { en: 'VAT (TVA), reduced rate', fr: 'TVA, taux réduit' },
  WITHHOLDING_RENT: { en: 'Tax withheld on rent', fr: 'Retenue à la source sur les loyers' },
  FORMAL_NOTICE_HOME: { en: 'Formal notice to pay, home', fr: 'Mise en demeure de payer, habitation' },
  FORMAL_NOTICE_BUSINESS: { en: 'Formal notice to pay, business', fr: 'Mise en demeure de payer, local professionnel' },
  NOTICE_HOME_OPEN: { en: 'Notice to leave, home, open-ended', fr: 'Congé, habitation, durée indéterminée' },
  NOTICE_HOME_FIXED: { en: 'Notice to leave, home, fixed term', fr: 'Congé, habitation, durée déterminée' },
  NOTICE_BUSINESS_OPEN: {
    en: 'Notice to leave, business, open-ended',
    fr: 'Congé, local professionnel, durée indéterminée',
  },
  NOTICE_BUSINESS_FIXED: {
    en: 'Request for renewal, business, fixed term',
    fr: 'Demande de renouvellement, local professionnel, durée déterminée',
  },
  RENEWAL_BUSINESS: { en: 'Right to renewal, business', fr: 'Droit au renouvellement, local professionnel' },
  RENT_REVIEW_HOME: { en: 'Limit of rent rises, home', fr: 'Plafond de hausse du loyer, habitation' },
  RENT_REVIEW_BUSINESS: { en: 'Review of the rent, business', fr: 'Révision du loyer, local professionnel' },
  DEPOSIT_MAXIMUM: { en: 'Largest deposit', fr: 'Caution, plafond' },
  RECORDS_KEPT: { en: 'Keeping of papers', fr: 'Conservation des documents' },
  MANDATORY_BUSINESS: { en: 'Mandatory rules, business', fr: 'Règles d’ordre public, local professionnel' },
}

const YEAR = { en: 'finance law', fr: 'loi de finances' } as const
/** `General Tax Code, art. 87, finance law 2026` */
export const sourceText = ({ title, article, year }: Source, locale: 'fr' | 'en'): string =>
  [title[locale], article && `art. ${article}`, year && `${YEAR[locale]} ${year}`].filter(Boolean).join(', ')
