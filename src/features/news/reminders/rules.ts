import { createHmac } from 'node:crypto'
import { countryOf } from '../../../core/countries/countries.ts'
import { numberOn } from '../../../core/countries/country.ts'
import { addDays, addMonths, daysBetween, maxDate } from '../../../core/dates.ts'
import { idOfToken, type ToOf, linkToken as tokenOf } from '../../../core/link-token.ts'
import { typedPlain } from '../../../core/message-text.ts'
import { METHOD_NAMES } from '../../../core/payment-methods.ts'
import { formatPhone, normalizePhone } from '../../../core/phone.ts'

/**
 * The steps in order: the rent call when the invoice is issued, reminders before the due date, on it and after. FINAL
 * is the last automatic one; a FORMAL_NOTICE (mise en demeure) is only sent by hand.
 */
export const STEPS = ['RENT_CALL', 'UPCOMING', 'DUE', 'REMINDER', 'FINAL', 'FORMAL_NOTICE'] as const
export type Step = (typeof STEPS)[number]
/**
 * What a person did with a message that was not sent from here: its text was opened in WhatsApp, it was sent as they say, or
 * it is not to be sent.
 */
export const HANDLINGS = ['OPENED', 'SENT_BY_HAND', 'SKIPPED'] as const
export type Handling = (typeof HANDLINGS)[number]
/** For how many days a prepared message waits to be sent. */
export const OUTBOX_DAYS = 14
/** The messages that an outbox answers at once. */
export const MOST_IN_OUTBOX = 100
/** The longest text that WhatsApp opens with on old phones. */
const LONGEST = 1_500
/** Several messages to one person as one: as many whole ones as fit, the first in any case. */
export const joined = (texts: readonly string[]): string =>
  texts.reduce((all, text) => (all.length + text.length + 2 > LONGEST ? all : `${all}\n\n${text}`))
/** WhatsApp opened on a chat with a text. */
export const whatsApp = (phoneNumber: string, text: string): string =>
  `https://wa.me/${phoneNumber.slice(1)}?text=${encodeURIComponent(text)}`

/** The steps that can be sent by hand. */
export const MANUAL_STEPS = ['UPCOMING', 'DUE', 'REMINDER', 'FINAL', 'FORMAL_NOTICE'] as const

/** The step for a day of the schedule, counted from the due date. */
export function stepAt(offset: number, schedule: readonly number[]): Step {
  if (offset < 0) return 'UPCOMING'
  if (offset === 0) return 'DUE'
  const late = schedule.filter((day) => day > 0)
  return late.length > 1 && offset === Math.max(...late) ? 'FINAL' : 'REMINDER'
}

type Due = { readonly dueDate: string; readonly issuedOn: string }
/**
 * The latest scheduled day after `since`, up to and including `today`; missed days before it are skipped. For an
 * invoice that was already late when it was issued, as that of an imported lease, later days count from its issue.
 */
export function offsetDue(
  schedule: readonly number[],
  { dueDate, issuedOn }: Due,
  since: string,
  today: string,
): number | undefined {
  const from = maxDate(dueDate, issuedOn)
  const due = schedule.filter((offset) => {
    const on = addDays(from, offset)
    return on > since && on <= today && (offset > 0 || from === dueDate)
  })
  return due.length > 0 ? Math.max(...due) : undefined
}

/** The next step if a reminder by hand names none; it is never a formal notice. */
export function nextStep(dueDate: string, today: string, sent: readonly Step[]): (typeof MANUAL_STEPS)[number] {
  if (today < dueDate) return 'UPCOMING'
  if (today === dueDate) return 'DUE'
  return sent.includes('REMINDER') || sent.includes('FINAL') ? 'FINAL' : 'REMINDER'
}

type Place = { readonly country: string; readonly formalNoticeDays: number | null }
/** The time that a formal notice gives to pay, and its last day: days for a home, months for business premises. */
export function letterTime(home: boolean, on: string, { country, formalNoticeDays }: Place) {
  const law = countryOf(country)
  if (home) {
    const days = formalNoticeDays ?? numberOn(law, 'FORMAL_NOTICE_HOME', on)
    return { use: 'HOME', days, payBefore: addDays(on, days) } as const
  }
  const payBefore = addMonths(on, numberOn(law, 'FORMAL_NOTICE_BUSINESS', on))
  return { use: 'BUSINESS', days: daysBetween(on, payBefore), payBefore } as const
}

type Letter = {
  readonly id: string
  readonly locale: 'fr' | 'en'
  readonly number: string
  readonly sha256: string | null
}
const LETTERS = { fr: 'mise-en-demeure', en: 'formal-notice' } as const
/** `mise-en-demeure-N-2026-000001.pdf` */
const letterName = ({ locale, number }: Letter): string => `${LETTERS[locale]}-${number}.pdf`
/** A letter's file: its stored name, and its name for downloads. */
export const letterFile = (row: Letter) => {
  const { id, sha256 } = row
  return { name: `${id}.${sha256}`, filename: letterName(row), sha256 }
}

/** Days for which the link in a message shows its invoice. */
export const LINK_DAYS = 60

const keyOf = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('loyer invoice links v1').digest()

/** The token of a message's link, which holds while `to` is the tenant's number. */
export const linkToken = (masterKey: Uint8Array, messageId: string, to?: string | null): string =>
  tokenOf(keyOf(masterKey), messageId, to)

/** The id of the message that a token belongs to; undefined if it is invalid. */
export const messageOfToken = (masterKey: Uint8Array, token: string, toOf?: ToOf): string | undefined =>
  idOfToken(keyOf(masterKey), token, toOf)

const BY_PHONE: readonly string[] = ['MTN_MOMO', 'ORANGE_MONEY']
const HOLDER_LENGTH = 30
type Way = { readonly method: string; readonly number?: string; readonly holder?: string }
/**
 * The first way to pay by phone, short enough for a message: `MTN MoMo 677 12 34 56 (Agence Owona)`. A number that is
 * no phone number is left out: a message must not carry whatever was typed.
 */
export function wayToPay(ways: readonly Way[]): string | undefined {
  for (const { method, number = '', holder } of ways) {
    const phone = BY_PHONE.includes(method) ? normalizePhone(number) : undefined
    if (phone === undefined) continue
    const name = holder === undefined ? '' : ` (${typedPlain(holder, HOLDER_LENGTH)})`
    return `${METHOD_NAMES.fr[method === 'MTN_MOMO' ? 'MTN_MOMO' : 'ORANGE_MONEY']} ${formatPhone(phone).replace(/^\+237\s/, '')}${name}`
  }
  return undefined
}
