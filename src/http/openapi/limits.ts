import { CODES, NEWS, NUMBER_CHANGES, PASSWORDS } from '../../core/budgets.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** `1 hour`, `3 minutes`. */
function spell(ms: number): string {
  const [name, unit] = UNITS.find(([, of]) => ms >= of && ms % of === 0) ?? ['ms', 1]
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`
}
type Budget = { readonly ms: number; readonly most: number; readonly quiet?: number; readonly thenEvery?: number }
const line = ({ ms, most, quiet = 0, thenEvery }: Budget): string =>
  [
    `${most} in ${spell(ms)}`,
    ...(quiet > 0 ? [`${quiet} more for quiet sites`] : []),
    ...(thenEvery === undefined ? [] : [`then one every ${spell(thenEvery)}`]),
  ].join(', ')
const lines = (budgets: readonly Budget[]): string => budgets.map(line).join('; ')

const rows: readonly (readonly [what: string, most: string])[] = [
  ['Codes: the same asker and number', `one every ${spell(CODES.againMs)}; ${lines(CODES.numberAndNetwork)}`],
  ['Codes: guesses at one challenge', String(CODES.attempts)],
  ['Codes: guesses of all strangers at one number', `the first at each code sent, and ${line(CODES.guesses)}`],
  ['Codes without a token: an address (IPv6: its /64)', lines(CODES.network)],
  ['Codes without a token: an IPv6 /48', lines(CODES.site)],
  ['Codes without a token: all strangers, for one number and purpose', line(CODES.number)],
  ['Codes without a token: all strangers, for 10,000 neighbouring numbers', line(CODES.prefix)],
  ['Codes without a token: all strangers', lines(CODES.strangers)],
  [
    'Codes for the signed-in account, or to one at a network where it signed in before',
    `${line(CODES.account)} for each purpose`,
  ],
  ['Codes to sign with', `${line(CODES.account)} for each lease and person; ${line(CODES.signing)} for each person`],
  ['Codes: everything handed to the vendor, less the codes that were used', lines(CODES.service)],
  ['New numbers asked for by one account', `${NUMBER_CHANGES} a day, whether they were free or not`],
  [
    'Wrong passwords',
    `from the ${PASSWORDS.free}th in a row a wait of ${PASSWORDS.firstWaitSeconds} s, doubling to ${PASSWORDS.longestWaitSeconds} s; a day: ${PASSWORDS.aDay.strangers} of all strangers, ${PASSWORDS.aDay.network} at known networks, ${PASSWORDS.aDay.browser} in known browsers, ${PASSWORDS.aDay.session} signed in; each counted apart`,
  ],
  [
    'News to tenants and members, a day (UTC)',
    `${NEWS.number} to a number, ${NEWS.prefix} to 10,000 neighbouring numbers, ${NEWS.organization} of an organization, ${NEWS.service} in all; what is more goes out up to ${NEWS.postponedDays} days later`,
  ],
]

/** What anybody may spend of what all share, as a table in Markdown. */
export const LIMITS = `## Limits

Beside the requests of a minute (429, \`Retry-After\`) these hold, so that nobody is kept out by what others do:

| what | at most |
| --- | --- |
${rows.map(([what, most]) => `| ${what} | ${most} |`).join('\n')}

A quiet site is an IPv6 /48 or IPv4 /16 whose strangers had fewer than ${CODES.quietBelow} codes in the last hour; what comes one at a time is for sites with fewer than ${CODES.loudFrom}. A stranger is who asks without a token, from a network where the account never signed in. Whoever asks for a code while one that another stranger asked for is under way gets a challenge of their own for that same code, and no second message; asking again after ${spell(CODES.paceMs)} sends another. The same asker gets the same challenge with a new code; another's challenge neither ends nor spends it. Numbers without account and codes that no vendor takes cost nobody anything. A password reset answers alike in all of this.

News goes to numbers within the operator's prefixes and to verified numbers of members; a notice that was held back says so in \`withheld\`, one that waits in \`sendAfter\`. Names and labels stand in messages quoted, cut to ${NEWS.nameLength} characters, without links or numbers to call.`
