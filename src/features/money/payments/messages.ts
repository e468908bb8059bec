// Credit messages of MTN MoMo and Orange Money: what the operator says, apart from what the payer typed.
import { isDate } from '../../../core/dates.ts'
import { MAX_AMOUNT } from '../../../core/money.ts'
import { normalizePhone } from '../../../core/phone.ts'
import { LONGEST_MESSAGE, type Operator, type Unreadable } from './rules.ts'

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

const CURRENCY = '(?:fcfa|f cfa|xaf|cfa|francs?)'
// Digits with blanks, dots or commas between groups of three; decimals, if any, of two.
const NUMBER = '\\d{1,3}(?:[ .,]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?'
// A bare F stands after its number only.
const AMOUNT = `(?:${CURRENCY} ?(${NUMBER})|(${NUMBER}) ?(?:${CURRENCY}|f))(?![\\w])`

// "Vous avez recu un transfert international de 65 000 FCFA", "credited with XAF 120,000".
const RECEIVED = `\\b(?:recu|received|credited with|credite de)\\b(?: (?:une? |an? )?(?:(?:international|instant|merchant|bank|money) ){0,2}(?:transfert|depot|paiement|transfer|deposit|payment|montant|somme|cash in)(?: (?:d.argent|of money|international|inter-?operateurs?|bancaire|marchand)){0,2})?(?: (?:de|d.un montant de|of))? ${AMOUNT}`
// "80 000 FCFA deposited by A", "95 000 FCFA recus de A".
const AMOUNT_FIRST = `${AMOUNT} (?:(?:recus?|received)(?: de la part)? (?:de|du|from)|(?:deposes?|verses?|deposited) (?:par|by)) `
// "Transfert 10000F de A", "Depot recu 3250F de A".
const SHORT = `\\b(?:transfert|transfer|depot|deposit)(?: recu| received)? ${AMOUNT}(?= (?:de|du|from) )`
// "Transfert de A vers B", "Depot effectue par A": the fielded messages of Orange.
const FIELDED = `\\b(transfert|transfer|depot|deposit|cash in)(?: d.argent| of money)?(?: recu| effectue| received| made)? (?:de|par|from|by) (?!${AMOUNT})`
const OPENINGS = [RECEIVED, AMOUNT_FIRST, SHORT, FIELDED].map((source) => new RegExp(source, 'g'))
/** What stands between the amount and the payer. */
const FROM =
  /^\)?(?: ?(?:sur votre|on your|in your|to your)(?: (?:compte|account|mobile|money|momo|orange|wallet))+)?[.,]? ?(?:(?:from|by|par|de la part (?:de|du)|(?:venant|en provenance) (?:de|du)|de|du)(?: ?: ?| )|(?:expediteur|sender) ?: ?)/

const DEBIT =
  /\b(?:vous avez (?:envoye|transfere|paye|retire)|you have (?:sent|transferred|paid|withdrawn)|your payment of|votre paiement de|retrait (?:de|effectue)|withdrawal of)\b/
const UNDONE = /\b(?:echec|echoue|failed|annulee?|cancelled|reversed)\b/
const NOT_YET =
  /\b(?:en attente|pending|en cours|in progress|n.avez pas|have not|vous demande|request(?: to pay|ed)?|pour approuver|to approve)\b/
const NO_RENT = /\b(?:bonus|cashback|gagne[zr]|(?:un|de) pret|loan|mokash|xtracash)\b/
/** A message of another kind, where it begins a line. */
const OTHERWISE = new RegExp(
  `^(?:.{0,40}(?:${DEBIT.source})|(?:retrait|withdrawal|cash out|paiement|payment|recharge|achat)\\b(?! (?:[a-z]+ )?(?:recu|received))|(?:transfert|transfer)(?: (?:de|of))? ${AMOUNT})`,
)

/** The labels under which operators show what the payer typed; a reference is theirs where another id stands. */
const WORDS =
  /(?<![\p{L}\p{N}])(?<!transaction )(?:(?:payer )?message(?: (?:from (?:the )?(?:sender|payer)|de l.(?:expediteur|envoyeur)|du (?:payeur|destinataire)(?: du debit)?))?|(?:payee )?notes?(?: from sender)?|motif(?: du (?:transfert|paiement))?|objet|raison|reason|purpose|remark|remarque|comment(?:aire)?s?|libelle|label|description|communication|memo|narration|ref(?:erence)?s?) ?: ?/u
const REFERENCE = /^ref/
const ORANGE_ID = '[a-z]{2}\\d{6}\\.\\d{4}\\.[a-z]?\\d{4,8}'
const ID = `(${ORANGE_ID}|\\d{6,20}(?=frais|solde|ref|\\b)|(?=[a-z0-9-]*\\d{4})[a-z0-9][a-z0-9-]{5,39})`
const NOT_EXTERNAL = '(?<!extern(?:al|e) )\\b'
const FINANCIAL_ID = `\\bfinancial transaction id ?[:#.-]* ?${ID}`
const TRANSACTION_ID = `${NOT_EXTERNAL}(?:(?:id|identifiant|n[o°]|numero|ref(?:erence)?)\\.?(?: de)?(?: la)? (?:transaction|operation)(?: financiere)?|trans(?:action)?\\.? ?(?:id|no|number|ref(?:erence)?)|txn? ?id|tid) ?[:#.n°-]* ?${ID}`
const BARE_ID = `(?<!transaction )${NOT_EXTERNAL}id ?[:#] ?${ID}`
/** "TxId: 9034411275. You have received". */
const ID_BEFORE = new RegExp(`(?:${FINANCIAL_ID}|${TRANSACTION_ID})[ .,;:*-]*(?:vous avez |you have )?$`)
// "Reference PP260305.1630.C98322": the operator's where nothing else is, and no telephone number.
const REFERENCE_ID = new RegExp(
  `\\bref(?:erence)?(?: no)?\\.? ?(?:[:#]|n°)? ?(${ORANGE_ID}|(?!(?:237)?6\\d{8}\\b)\\d{9,20})(?![\\w])`,
)
const BALANCE = `\\b(?:solde|balance)(?: (?:momo|om|courant|actuel|disponible|restant))?(?: est(?: de)?| is)? ?:? ?(?:${CURRENCY} ?)?(${NUMBER})(?!\\d)`
// Only the sender pays a fee: a message with a fee is the sender's copy.
const FEE = `\\b(?:frais|fees?) ?:? ?${AMOUNT}`
const NET = `\\b(?:montant net|net amount)(?: du credit)? ?:? ?${AMOUNT}`
const LABELLED = `\\b(?:montant(?: de)?(?: la)? transaction|transaction amount|montant recu|amount received|montant|amount) ?:? ?${AMOUNT}`
const EXTERNAL = '\\b(?:external (?:transaction )?id|id (?:de )?(?:la )?(?:transaction )?externe) ?:? ?[a-z0-9-]+'
const COMMISSION = `\\bcommission ?:? ?${AMOUNT}`
/** What may follow the payer's words, each once. */
const FIELDS = [
  `${FINANCIAL_ID}|${TRANSACTION_ID}|${BARE_ID}|\\b(?:ref(?:erence)? )?${ORANGE_ID}\\b`,
  BALANCE,
  FEE,
  NET,
  COMMISSION,
  EXTERNAL,
].map((source) => new RegExp(source, 'g'))
const BETWEEN_FIELDS = new RegExp(
  `^ ?(?:${CURRENCY}|f)?[ .,;*#()-]*(?:(?:votre|your|ton) )?(?:(?:nouveau|new|current) )?$`,
)
// A stop parts what the operator adds from what the payer typed.
const STOP = /[.,;] *(?:(?:votre|your|ton) )?(?:(?:nouveau|new|current) )?$/

const DAY = '(?:(\\d{4})[/-](\\d{2})[/-](\\d{2})|(\\d{2})[/.-](\\d{2})[/.-](\\d{4}|\\d{2}))\\b'
const CLOCK = '([01]\\d|2[0-3])[:h]([0-5]\\d)(?::([0-5]\\d))?\\b'
const DAYS = new RegExp(`(?<!\\d)${DAY}`, 'g')
const DAY_AND_CLOCK = new RegExp(`(?<!\\d)${DAY}(?:t|,? ?(?:a |at |- )?)${CLOCK}`, 'g')
const CLOCK_AND_DAY = new RegExp(`(?<!\\d)${CLOCK},? ?(?:le |on |du )?${DAY}`, 'g')
const MOBILE = /(?<![\d*])(?:\+?237[ .-]?|00237[ .-]?)?6(?:[ .-]?\d){8}(?!\d)/g
const ABROAD = /(?<![\d*])(?:\+|00)(?!237)[1-9]\d{7,14}(?!\d)/g

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

/** Without accents and in lower case; as long as the original, so that places agree. */
const plain = (text: string): string =>
  [...text].map((c) => (c.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()[0] ?? '').padEnd(c.length)).join('')

const first = (source: string, text: string): string | undefined =>
  new RegExp(source).exec(text)?.slice(1).find(Boolean)

/** Where a message begins to say that money came: the earliest of its openings. */
function openingOf(
  low: string,
): { at: number; end: number; amount: string | undefined; kind?: string | undefined } | undefined {
  const all = OPENINGS.flatMap((pattern, i) => {
    const [match] = low.matchAll(pattern)
    if (!match) return []
    const fielded = i === OPENINGS.length - 1
    const said = { at: match.index, end: match.index + match[0].length }
    return [fielded ? { ...said, amount: undefined, kind: match[1] } : { ...said, amount: match[1] ?? match[2] }]
  })
  return all.sort((a, b) => a.at - b.at)[0]
}

/** What ends a payer's name where no number in brackets does. */
const AFTER_NAME =
  /\.(?:\s|$)|[,;:\n]|\b(?:sur votre|on your|vers|to|le compte|message|date|nouveau|new)\b|\s(?:le|at|on|a|à) \d|\s\d{4}-\d\d-\d\d|\s\d\d\/\d\d\/|\s[\p{L}.]+ ?:|\b(?:a (?:été |ete )?|has )?(?:réussi|reussi|successful|en attente|pending|en cours|annulée?|annulee?|cancelled|échoué|echoue|failed|reversed)e?\b(?=\s*(?:[.,;:]|$))/iu

type Payer = Pick<Credit, 'payerNumber' | 'payerName'> & { readonly end: number }
/** The payer from a place on, and where the operator's words go on. */
function payerIn(text: string, from: number): Payer {
  const rest = text.slice(from)
  const bracketed = /^(?!\+?\d)([^():\n]{0,100}?) ?\((\+?[\d*•x][\d*•x .-]{3}[^()]{0,80})\)/i.exec(rest)
  const end = rest.search(AFTER_NAME)
  const part = bracketed ? (bracketed[1] ?? '') : end === -1 ? rest.slice(0, 80) : rest.slice(0, end)
  const numbers = [MOBILE, ABROAD].flatMap((pattern) => [...part.matchAll(pattern)])
  const [one, ...others] = numbers.sort((a, b) => a.index - b.index)
  // A number that the name itself holds is nobody's.
  const number = bracketed
    ? /^\+?\d[\d .-]*/.exec(bracketed[2] ?? '')?.[0]
    : one && (others.length === 0 || one.index === 0)
      ? one[0]
      : ''
  const name = [MOBILE, ABROAD]
    .reduce((left, pattern) => left.replace(pattern, ' '), part)
    .replace(/[^\p{L}'’. -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return {
    payerNumber: number ? phoneOf(number) : undefined,
    payerName: name.length >= 2 ? name.slice(0, 100) : undefined,
    end: from + (bracketed ? bracketed[0].length : part.length),
  }
}

/** Operators leave out the plus sign of numbers abroad too. */
function phoneOf(number: string): string | undefined {
  const digits = number.replace(/\D+$/, '')
  return normalizePhone(digits) ?? (/^[1-9]\d{10,14}$/.test(digits) ? normalizePhone(`+${digits}`) : undefined)
}

function payeeIn(rest: string): string | undefined {
  const match = /\b(?:vers|to) /i.exec(rest)
  const [number] = match ? rest.slice(match.index, match.index + 40).matchAll(MOBILE) : []
  return number ? normalizePhone(number[0]) : undefined
}

type Parts = {
  /** The operator's words before the payer's. */
  readonly head: string
  readonly words: string
  /** The operator's fields after the payer's words: the last unbroken run, as the payer may have typed others. */
  readonly tail: string
  /** What the operator adds: thanks, advertisements. */
  readonly after: string
}
/** Cuts the payer's words off. */
function partsOf(rest: string): Parts {
  const label = WORDS.exec(rest)
  const start = label ? label.index + label[0].length : 0
  const fields = FIELDS.flatMap((pattern, kind) =>
    [...rest.slice(start).matchAll(pattern)].map(({ 0: { length }, index }) => ({
      kind,
      at: start + index,
      end: start + index + length,
    })),
  ).sort((a, b) => b.end - a.end || a.at - b.at)
  const end = fields[0]?.end ?? rest.length
  if (!label) return { head: rest.slice(0, end), words: '', tail: '', after: rest.slice(end) }
  let at = end
  const kinds = new Set<number>()
  for (const field of fields) {
    // A label may lie within another: "Financial Transaction Id" holds "Transaction Id".
    if (field.at >= at) continue
    if (field.end > at && kinds.size > 0) continue
    if (kinds.has(field.kind) || !BETWEEN_FIELDS.test(rest.slice(field.end, at))) break
    kinds.add(field.kind)
    at = field.at
  }
  // One field that no stop parts from the payer's words is theirs.
  if (kinds.size === 1 && !STOP.test(rest.slice(0, at))) at = rest.length
  const head = rest.slice(0, label.index)
  return { head, words: rest.slice(label.index, at), tail: rest.slice(at, end), after: rest.slice(Math.max(at, end)) }
}

/** The id that the operator's labels name, `inconsistent` where they name two. */
function idIn(text: string): string | undefined {
  for (const source of [FINANCIAL_ID, TRANSACTION_ID, BARE_ID, `\\b(${ORANGE_ID})\\b`]) {
    const ids = new Set([...text.matchAll(new RegExp(source, 'g'))].map(([, id = '']) => id))
    if (ids.size > 1) return 'inconsistent'
    for (const id of ids) return id
  }
  return undefined
}

/** The day next to a clock, else the only day there is; `inconsistent` where there are two, or none such. */
function timeIn(head: string): { date?: string | undefined; time?: string | undefined } | 'inconsistent' {
  const pieces = (match: RegExpMatchArray, from: number): string | undefined =>
    match[from]
      ? day(match[from] ?? '', match[from + 1] ?? '', match[from + 2] ?? '')
      : day(match[from + 5] ?? '', match[from + 4] ?? '', match[from + 3] ?? '')
  const clock = (match: RegExpMatchArray, from: number): string =>
    match
      .slice(from, from + 3)
      .filter(Boolean)
      .join(':')
  const clocked = [
    ...[...head.matchAll(DAY_AND_CLOCK)].map((m) => ({ date: pieces(m, 1), time: clock(m, 7) })),
    ...[...head.matchAll(CLOCK_AND_DAY)].map((m) => ({ date: pieces(m, 4), time: clock(m, 1) })),
  ]
  const days =
    clocked.length > 0 ? clocked : [...head.matchAll(DAYS)].map((m) => ({ date: pieces(m, 1), time: undefined }))
  const [one] = days
  if (days.some(({ date }) => date === undefined || date !== one?.date)) return 'inconsistent'
  const [alone] = head.matchAll(new RegExp(CLOCK, 'g'))
  return { date: one?.date, time: one?.time ?? (alone && clock(alone, 1)) }
}

/** A message that a chat puts a date and a name before. */
const CHAT =
  /^[\u200e\u200f]?\[?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? (?:à |at )?\d{1,2}[:h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?\]?(?: -)? [^:\n]{1,60}: /gim
const flat = (text: string): string => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim()

/**
 * Reads a credit message of MTN MoMo or Orange Money, French or English, as it was forwarded or copied. What the payer
 * typed, their name too, is cut off before anything is read. A message does not prove that money has arrived: the
 * landlord checks the account for it.
 */
export function readCredit(original: string): Credit | Unreadable {
  const text = flat(original.normalize('NFC').replace(CHAT, ''))
  const low = plain(text)
  const opening = openingOf(low)
  if (!opening) return 'not_credit'
  const before = low.slice(0, opening.at)
  const fielded = opening.amount === undefined
  const from = opening.end + (fielded ? 0 : (FROM.exec(low.slice(opening.end))?.[0].length ?? 0))
  const named = fielded || from > opening.end || low[opening.end - 1] === ' '
  const { end: payerEnd, ...payer } = named
    ? payerIn(text, from)
    : { payerNumber: undefined, payerName: undefined, end: from }
  const { head, words, tail, after } = partsOf(low.slice(payerEnd))
  // A name without a number may be none: "500 FCFA de bonus MoMo".
  const name = payer.payerNumber ? '' : low.slice(from, payerEnd)
  const said = `${before}${low.slice(opening.at, from)}\n${name}\n${head}`
  if ([DEBIT, UNDONE, NOT_YET, NO_RENT].some((refused) => refused.test(said)) || UNDONE.test(after)) return 'not_credit'
  // Another message's payer wrote "received".
  if (new RegExp(`${AMOUNT}.*${WORDS.source}`, 'u').test(before)) return 'not_credit'

  const labelled = first(LABELLED, fielded ? `${head}\n${tail}` : head)
  const amounts = [opening.amount, labelled].flatMap((n) => (n === undefined ? [] : [readAmount(n)]))
  const [amount] = amounts
  if (amount === undefined || amounts.includes(undefined)) return 'no_amount'
  const sums = (source: string): number[] => [first(source, head) ?? []].flat().map(numberOf)
  if (
    opening.kind?.startsWith('transfer') &&
    [...sums(FEE).filter((fee) => fee > 0), ...sums(NET).filter((net) => net !== amount)].length > 0
  )
    return 'not_credit'
  // A second message would lend the first one its id, and so would words of whoever forwards it.
  const again = openingOf(`${low.slice(from, payerEnd)}\n${head}`)?.amount
  if (amounts.some((a) => a !== amount) || isRunTogether(words) || (again && readAmount(again) !== amount))
    return 'inconsistent'

  const own = idIn(head) ?? idIn(tail)
  const id =
    own ??
    ID_BEFORE.exec(before)?.slice(1).find(Boolean) ??
    REFERENCE_ID.exec(REFERENCE.test(words) ? `${head}\n${words}` : head)?.[1]
  if (id === undefined) return 'no_transaction'
  const [, stamp = '', clock = ''] = /^[a-z]{2}(\d{6})\.(\d{4})\./.exec(id) ?? []
  const stamped = day(stamp.slice(0, 2), stamp.slice(2, 4), stamp.slice(4, 6))
  const written = timeIn(head)
  // Orange's transaction id contains the date: a mismatch shows that the message was edited.
  if (id === 'inconsistent' || written === 'inconsistent' || (stamp && !stamped)) return 'inconsistent'
  if (stamped && written.date && stamped !== written.date) return 'inconsistent'
  const signed = `${before}${low.slice(opening.at, opening.end)}\n${head}\n${after}`
  const orange = stamp !== '' || (/\borange\b/.test(signed) && !/\bmtn\b|\bmomo\b/.test(signed))
  const balance = first(BALANCE, head) ?? [...tail.matchAll(new RegExp(BALANCE, 'g'))].at(-1)?.[1]
  return {
    operator: orange ? 'ORANGE_MONEY' : 'MTN_MOMO',
    amount,
    transactionId: id.toUpperCase(),
    ...payer,
    payeeNumber: fielded ? payeeIn(text.slice(payerEnd)) : undefined,
    balance: balance && String(numberOf(balance)),
    paidOn: written.date ?? stamped,
    time: written.time ?? (clock ? `${clock.slice(0, 2)}:${clock.slice(2)}` : undefined),
  }
}

/** Whether the payer's words hold an id and, after it, the opening of a message: one more message, or a trap. */
function isRunTogether(words: string): boolean {
  const opening = openingOf(words)
  return opening !== undefined && idIn(words.slice(0, opening.at)) !== undefined
}

/** The messages of a paste, in their order; a paste that cannot be divided is one. */
export function messagesIn(original: string): string[] {
  const text = original
    .normalize('NFC')
    .replace(CHAT, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\n\s+/g, '\n')
  const low = plain(text)
  const messages: string[] = []
  let from = 0
  for (const { index } of low.matchAll(/(?<=[.!] |\n)\S/g)) {
    const newLine = low[index - 1] === '\n'
    const [line = ''] = low.slice(index, index + 200).split('\n', 1)
    const opening = openingOf(flat(line))
    // What the payer typed may read like a message, but begins no line.
    const begins = opening ? opening.at < (newLine ? 60 : 1) : newLine && OTHERWISE.test(flat(line))
    if (!begins) continue
    const part = flat(low.slice(from, Math.min(index, from + LONGEST_MESSAGE)))
    const isWhole = (openingOf(part) !== undefined || OTHERWISE.test(part)) && idIn(part) !== undefined
    if (!isWhole || (!newLine && WORDS.test(part))) continue
    messages.push(text.slice(from, index).trim())
    from = index
  }
  return [...messages, text.slice(from).trim()]
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
