import { isDate } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'
import { MAX_AMOUNT } from '../../../core/money.ts'
import { normalizePhone } from '../../../core/phone.ts'

export const PAYMENT_STATUS = ['PENDING', 'CONFIRMED', 'REJECTED', 'REVERSED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUS)[number]
const MOBILE_MONEY: readonly string[] = ['MTN_MOMO', 'ORANGE_MONEY']
/** A reference as it is kept: transaction ids in one spelling, however they were copied (`id: pp260305 1630 c98322`). */
export function referenceOf(method: string, reference: string): string {
  if (!MOBILE_MONEY.includes(method)) return reference
  const bare = reference
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^[\p{L}\s.°]+[:#]\s*|^(?:[\p{L}\s]*\s)?(?:ID|REF)\.?\s+/u, '')
    .replace(/[\s\u200b]+/g, '')
  const signs = bare.replace(/[^\p{L}\p{N}]/gu, '')
  if (/^\d{6,20}$/.test(signs)) return signs
  const [, day, time, count] = /^([A-Z]{2}\d{6})(\d{4})([A-Z]?\d{4,8})$/.exec(signs) ?? []
  return day ? `${day}.${time}.${count}` : bare || reference
}

/** Ways to pay of which neither an operator nor a bank knows. */
const UNTRACED: readonly string[] = ['CASH', 'WITHHOLDING', 'OTHER']
export const isUntraced = (method: string): boolean => UNTRACED.includes(method)
/** Whether nobody else can confirm a payment: an operator or a bank finds one by its reference alone. */
export const leavesNoTrace = ({ method, reference }: { readonly method: string; readonly reference?: string | null }) =>
  isUntraced(method) || !reference?.trim()

export type PaymentAction = 'confirm' | 'reject' | 'withdraw' | 'reverse'

export const paymentMoves: Transitions<PaymentStatus, PaymentAction> = {
  confirm: { from: ['PENDING'], to: 'CONFIRMED' },
  reject: { from: ['PENDING'], to: 'REJECTED' },
  // The tenant takes the declaration back.
  withdraw: { from: ['PENDING'], to: 'REJECTED' },
  reverse: { from: ['CONFIRMED'], to: 'REVERSED' },
}

/** Payments of a lease: those of ten years paid daily, and as many declared ones as a landlord looks through. */
export const MOST_OF_LEASE = 5_000
export const MOST_WAITING = 30

export const MESSAGE_STATUS = ['UNMATCHED', 'MATCHED', 'DISMISSED'] as const
export const OPERATORS = ['MTN_MOMO', 'ORANGE_MONEY'] as const
export type Operator = (typeof OPERATORS)[number]

/** What a credit message says. */
export type Credit = {
  readonly operator: Operator
  readonly amount: number
  readonly transactionId: string
  /** E.164, where the message shows the whole number. */
  readonly payerNumber: string | undefined
  readonly payerName: string | undefined
  /** By the message's own clock, `YYYY-MM-DD` and `HH:MM[:SS]`. */
  readonly paidOn: string | undefined
  readonly time: string | undefined
  /** What the account held afterwards, as a plain number: `312500` or `28056.4`. */
  readonly balance: string | undefined
  /** Who got it, where the message names both sides: the sender's copy reads the same. */
  readonly payeeNumber: string | undefined
}
/** Why a message is not taken. */
export type Unreadable = 'not_credit' | 'no_amount' | 'no_transaction' | 'inconsistent'

const CURRENCY = '(?:fcfa|f cfa|xaf|cfa|francs?)'
// Digits with blanks, dots or commas between groups of three; decimals, if any, of two.
const NUMBER = '\\d{1,3}(?:[ .,]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?'
const AMOUNT = `(?:${CURRENCY} ?(${NUMBER})|(${NUMBER}) ?${CURRENCY})(?![\\w])`
const RECEIVED = new RegExp(
  `\\b(?:recu|received|credited with|credite de)\\b(?: (?:un |une |a |an )?(?:transfert|depot|paiement|transfer|deposit|payment|montant|somme|cash in))?(?: (?:de|d.un montant de|of))? ${AMOUNT}`,
)
// "80 000 FCFA deposited by A", "95 000 FCFA recus de A".
const AMOUNT_FIRST = new RegExp(
  `${AMOUNT} (?:(?:recus?|received)(?: de la part)? (?:de|du|from)|(?:deposes?|verses?|deposited) (?:par|by)) `,
)
const LABELLED = new RegExp(
  `\\b(?:montant(?: de)?(?: la)? transaction|transaction amount|montant recu|amount received|montant|amount) ?:? ?${AMOUNT}`,
)
// "Transfert de A vers B", "Depot effectue par A": the fielded messages of Orange.
const FIELDED =
  /\b(transfert|transfer|depot|deposit|cash in)(?: d.argent| of money)?(?: recu| effectue| received| made)? (?:de|par|from|by) /
// Only the sender pays a fee: a message with a fee is the sender's copy.
const FEE = new RegExp(`\\b(?:frais|fees?) ?:? ?${AMOUNT}`)
const NET = new RegExp(`\\b(?:montant net|net amount)(?: du credit)? ?:? ?${AMOUNT}`)
const BALANCE = new RegExp(
  `\\b(?:solde|balance)(?: momo| om)?(?: est de| is)? ?:? ?(?:${CURRENCY} ?)?(${NUMBER})(?!\\d)`,
)
const DEBIT =
  /\b(?:vous avez (?:envoye|transfere|paye|retire)|you have (?:sent|transferred|paid|withdrawn)|your payment of|votre paiement de|retrait (?:de|effectue)|withdrawal of)\b/
const NOT_DONE =
  /\b(?:echec|echoue|failed|annulee?|cancelled|reversed|en attente|pending|en cours|in progress|n.avez pas|have not|vous demande|request(?: to pay|ed)?|pour approuver|to approve)\b/
const NO_RENT = /\b(?:bonus|cashback|gagne[zr]|(?:un|de) pret|loan|mokash|xtracash)\b/
/** The part that the payer typed; it proves nothing. */
const WORDS_OF_PAYER = /\b(?:message(?: from sender)?|motif|reason|raison) ?: ?.*?(?=\. |, |$)/g
const ORANGE_ID = /\b([a-z]{2}(\d{6})\.(\d{4})\.[a-z]?\d{4,8})\b/
// Try this first: the payer's own text may contain another id.
const MTN_ID = /\bfinancial transaction id ?[:#.-]* ?(\d{6,20})\b/
const LABELLED_ID =
  /\b(?:(?:financial )?transaction id|id(?: de)?(?: la)? transaction(?: financiere)?|id transaction|trans(?:action)?\.? ?id|txn? ?id|tid|ref(?:erence)?(?: no)?|id) ?[:#.n°-]* ?([a-z0-9][a-z0-9.-]{5,39})/g
const NUMERIC_DAY = /\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{2})[/.-](\d{2})[/.-](\d{4}|\d{2})\b/
const CLOCK = /\b([01]\d|2[0-3])[:h]([0-5]\d)(?::([0-5]\d))?\b/
const MOBILE = /(?<![\d*])(?:\+?237[ .-]?|00237[ .-]?)?6(?:[ .-]?\d){8}(?!\d)/

/** Francs from digits as operators write them: 150 000, 150,000, 150.000, 150000.00; undefined for parts of a franc. */
export function readAmount(text: string): number | undefined {
  const match = /^(\d{1,3}(?:[ .,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(text)
  if (!match || Number(match[2] ?? 0) !== 0) return undefined
  const amount = Number((match[1] ?? '').replace(/\D/g, ''))
  return amount >= 1 && amount <= MAX_AMOUNT ? amount : undefined
}

/** A number as operators write it, parts of a franc too: 28,056.4. */
function numberOf(text: string): number {
  const [, whole = '', part = '0'] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  return Number(`${whole.replace(/\D/g, '')}.${part}`)
}

const day = (y: string, m: string, d: string): string | undefined => {
  const date = `${y.length === 2 ? `20${y}` : y}-${m}-${d}`
  return isDate(date) ? date : undefined
}

/** Without accents and in lower case, one blank between words; as long as the original, so that places agree. */
const plain = (text: string): string =>
  [...text].map((c) => (c.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()[0] ?? '').padEnd(c.length)).join('')

function payerIn(text: string, from: number): Pick<Credit, 'payerNumber' | 'payerName'> {
  const rest = text.slice(from)
  const end = rest.search(
    /\.(?:\s|$)|[,;:\n]|\b(?:sur votre|on your|vers|to|reussi|successful|le compte|message|date|nouveau|new)\b|\s(?:le|at|on|a|à) \d/i,
  )
  const part = end === -1 ? rest.slice(0, 80) : rest.slice(0, end)
  const number = MOBILE.exec(part)?.[0]
  const name = part
    .replace(MOBILE, ' ')
    .replace(/[^\p{L}'’. -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return {
    payerNumber: number === undefined ? undefined : normalizePhone(number),
    payerName: name.length >= 2 ? name.slice(0, 100) : undefined,
  }
}

function payeeIn(rest: string): string | undefined {
  const match = /\b(?:vers|to) /i.exec(rest)
  const number = match && MOBILE.exec(rest.slice(match.index, match.index + 40))?.[0]
  return number ? normalizePhone(number) : undefined
}

/**
 * Reads a credit message of MTN MoMo or Orange Money, French or English, as it was forwarded or copied.
 * A message does not prove that money has arrived: the landlord checks the account for it.
 */
export function readCredit(original: string): Credit | Unreadable {
  const text = original
    .normalize('NFC')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .trim()
  const low = plain(text)
  const withoutPayer = low.replace(WORDS_OF_PAYER, ' ')
  if ([DEBIT, NOT_DONE, NO_RENT].some((words) => words.test(withoutPayer))) return 'not_credit'
  const received = RECEIVED.exec(low) ?? AMOUNT_FIRST.exec(low)
  const fielded = received ? null : FIELDED.exec(low)
  if (!received && !fielded) return 'not_credit'
  const labelled = LABELLED.exec(low)
  const amounts = [received, labelled].flatMap((m) => (m ? [readAmount(m[1] ?? m[2] ?? '')] : []))
  const [amount] = amounts
  if (amount === undefined || amounts.includes(undefined)) return 'no_amount'
  const sums = (pattern: RegExp): number[] => {
    const match = pattern.exec(low)
    return match ? [numberOf(match[1] ?? match[2] ?? '')] : []
  }
  if (
    fielded?.[1]?.startsWith('transfer') &&
    [...sums(FEE).filter((fee) => fee > 0), ...sums(NET).filter((net) => net !== amount)].length > 0
  )
    return 'not_credit'
  if (amounts.some((a) => a !== amount)) return 'inconsistent'

  const orange = ORANGE_ID.exec(low)
  const labels = [...low.matchAll(LABELLED_ID)].map(([, id = '']) => id.replace(/[.-]+$/, ''))
  const id = orange?.[1] ?? MTN_ID.exec(low)?.[1] ?? labels.find((label) => /\d{4}/.test(label))
  if (id === undefined) return 'no_transaction'
  const operator: Operator =
    orange || (/\borange\b/.test(low) && !/\bmtn\b|\bmomo\b/.test(low)) ? 'ORANGE_MONEY' : 'MTN_MOMO'

  const date = NUMERIC_DAY.exec(low)
  const written =
    date && (date[1] ? day(date[1], date[2] ?? '', date[3] ?? '') : day(date[6] ?? '', date[5] ?? '', date[4] ?? ''))
  const [, , stamp = '', clock = ''] = orange ?? []
  const stamped = orange ? day(stamp.slice(0, 2), stamp.slice(2, 4), stamp.slice(4, 6)) : undefined
  // Orange's transaction id contains the date: a mismatch shows that the message was edited.
  if ((orange && !stamped) || (date && !written) || (stamped && written && stamped !== written)) return 'inconsistent'
  const time = CLOCK.exec(low)
  const balance = BALANCE.exec(low)?.[1]
  const payerAt = received ? received.index + received[0].length : (fielded?.index ?? 0) + (fielded?.[0].length ?? 0)
  return {
    operator,
    amount,
    transactionId: id.toUpperCase(),
    ...payerIn(
      text,
      payerAt + (received ? (/^\)? ?(?:from|de la part de|du|de|par) /i.exec(low.slice(payerAt))?.[0].length ?? 0) : 0),
    ),
    payeeNumber: fielded ? payeeIn(text.slice(payerAt)) : undefined,
    balance: balance && String(numberOf(balance)),
    paidOn: written ?? stamped,
    time: time ? time.slice(1).filter(Boolean).join(':') : clock ? `${clock.slice(0, 2)}:${clock.slice(2)}` : undefined,
  }
}

type Event = {
  readonly transactionId: string
  readonly amount: number
  readonly paidOn: string | undefined
  readonly time: string | null | undefined
  readonly balance: string | null | undefined
}
const oneSignApart = (a: string, b: string): boolean =>
  a.length === b.length && [...a].filter((sign, i) => sign !== b[i]).length === 1

/**
 * Whether two messages of one payer, with different transaction ids, tell of the same event: one of them was changed. Ids
 * that differ in one digit, the same amount twice in a second, or the same balance twice in a minute are no coincidence.
 */
export function sameEvent(a: Event, b: Event): boolean {
  const sameBalance = a.balance && b.balance ? a.balance === b.balance : undefined
  const same = a.amount === b.amount || sameBalance === true
  if (same && oneSignApart(a.transactionId, b.transactionId)) return true
  if (a.paidOn !== b.paidOn || !a.time || !b.time || a.time.slice(0, 5) !== b.time.slice(0, 5)) return false
  const exact = a.time.length === 8 && b.time.length === 8
  if (exact && a.time !== b.time) return false
  // Two real payments within a minute leave different balances.
  return sameBalance === true || (a.amount === b.amount && (exact || sameBalance === undefined))
}

/** Whether two names mean the same person: every word of the shorter one (of two words at least) is in the longer. */
export function sameName(a: string, b: string): boolean {
  const words = (name: string): string[] =>
    plain(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((w) => w.length > 1)
  const [short = [], long = []] = [words(a), words(b)].sort((x, y) => x.length - y.length)
  return short.length >= 2 && short.every((word) => long.includes(word))
}
