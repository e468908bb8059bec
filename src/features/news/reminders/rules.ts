import { createHmac } from 'node:crypto'
import { addDays } from '../../../core/dates.ts'
import { idOfToken, linkToken as tokenOf } from '../../../core/link-token.ts'

/**
 * The ladder: the rent is called when the invoice is issued; reminded before it is due, on the day and after; FINAL is
 * the last that goes out by itself, FORMAL_NOTICE (mise en demeure) is only ever sent by somebody.
 */
export const STEPS = ['RENT_CALL', 'UPCOMING', 'DUE', 'REMINDER', 'FINAL', 'FORMAL_NOTICE'] as const
export type Step = (typeof STEPS)[number]
/** What somebody can send by hand. */
export const MANUAL_STEPS = ['UPCOMING', 'DUE', 'REMINDER', 'FINAL', 'FORMAL_NOTICE'] as const

/** What a day of the schedule is called, counted from the due date. */
export function stepAt(offset: number, schedule: readonly number[]): Step {
  if (offset < 0) return 'UPCOMING'
  if (offset === 0) return 'DUE'
  const late = schedule.filter((day) => day > 0)
  return late.length > 1 && offset === Math.max(...late) ? 'FINAL' : 'REMINDER'
}

/** The latest day of the schedule that fell after `since`, up to and including `today`: what was missed is not made up for. */
export function offsetDue(
  schedule: readonly number[],
  dueDate: string,
  since: string,
  today: string,
): number | undefined {
  const due = schedule.filter((offset) => {
    const on = addDays(dueDate, offset)
    return on > since && on <= today
  })
  return due.length > 0 ? Math.max(...due) : undefined
}

/** The step that comes next when somebody reminds without naming one; a formal notice is always named. */
export function nextStep(dueDate: string, today: string, sent: readonly Step[]): (typeof MANUAL_STEPS)[number] {
  if (today < dueDate) return 'UPCOMING'
  if (today === dueDate) return 'DUE'
  return sent.includes('REMINDER') || sent.includes('FINAL') ? 'FINAL' : 'REMINDER'
}

/**
 * What a formal notice gives to pay. The law sets no time for a home; eight days is what demands for rent commonly give,
 * long enough for money to arrive. What a bailiff serves later runs by its own.
 */
export const LETTER_DAYS = 8
type Letter = {
  readonly id: string
  readonly locale: 'fr' | 'en'
  readonly number: string
  readonly sha256: string | null
}
const LETTERS = { fr: 'mise-en-demeure', en: 'formal-notice' } as const
/** `mise-en-demeure-N-2026-000001.pdf` */
const letterName = ({ locale, number }: Letter): string => `${LETTERS[locale]}-${number}.pdf`
/** The name that a letter's file is kept under, and the one it is handed out with. */
export const letterFile = (row: Letter) => {
  const { id, sha256 } = row
  return { name: `${id}.${sha256}`, filename: letterName(row), sha256 }
}

/** How long the link of a message opens its invoice, days. */
export const LINK_DAYS = 60

const keyOf = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('loyer invoice links v1').digest()

/** The token of a notice's link. */
export const linkToken = (masterKey: Uint8Array, noticeId: string): string => tokenOf(keyOf(masterKey), noticeId)

/** The notice that a token was made for, or undefined. */
export const noticeOfToken = (masterKey: Uint8Array, token: string): string | undefined =>
  idOfToken(keyOf(masterKey), token)

/** Why news is not sent: a number outside of the operator's prefixes, or more than a day's messages for days on end. */
export const WITHHELD = ['NUMBER_NOT_ALLOWED', 'BUDGET_SPENT'] as const
export type Withheld = (typeof WITHHELD)[number]
