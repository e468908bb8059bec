import * as budgets from '../../core/budgets.ts'

type Wide<T> = T extends number ? number : { readonly [K in keyof T]: Wide<T[K]> }
export type Budgets = Wide<typeof budgets>

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
const line = ({ ms, most, quiet = 0, thenEvery }: Budget, sites = 'quiet'): string =>
  [
    `${most} in ${spell(ms)}`,
    ...(quiet > 0 ? [`${quiet} more for ${sites} sites`] : []),
    ...(thenEvery === undefined ? [] : [`then one every ${spell(thenEvery)}`]),
  ].join(', ')
const lines = (all: readonly Budget[]): string => all.map((one) => line(one)).join('; ')

const KIB = 1024
/** `1,048,576` as `1 MiB`. */
const size = (bytes: number): string =>
  bytes % (KIB * KIB) === 0
    ? `${count(bytes / KIB / KIB)} MiB`
    : bytes % KIB === 0
      ? `${bytes / KIB} KiB`
      : `${bytes} bytes`
const count = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`
const free = ({ bytes, most }: { readonly bytes: number; readonly most: number }): string =>
  `${size(bytes)} (of a small disk ${percent(most)})`
type Written = { readonly changes: number; readonly bytes: number }
const written = ({ changes, bytes }: Written): string => `${count(changes)} changes, ${size(bytes)}`
type Share = { readonly objects: number; readonly bytes: number; readonly pending: number; readonly arrived: number }
const share = ({ objects, bytes, pending, arrived }: Share): string =>
  `${count(objects)} files of ${size(bytes)}, ${pending} uploads open, ${size(arrived)} sent a day`

type Rate = { readonly perSecond: number; readonly burst: number }
const rate = ({ perSecond, burst }: Rate): string =>
  `${burst} at once, ${perSecond < 1 ? `${Math.round(perSecond * 600) / 10} a minute` : `${perSecond} a second`}`

const rowsOf = ({
  REQUESTS,
  CODES,
  NEWS,
  NUMBER_CHANGES,
  PASSWORDS,
  WRITES,
  FILES,
  ROWS,
  ...b
}: Budgets): readonly (readonly [what: string, most: string])[] => [
  ['Requests of a person', rate(REQUESTS.user)],
  ['Requests of an address (IPv6: its /64) without a token, or with one that does not hold', rate(REQUESTS.address)],
  ['Forms of sign-up and recovery, an address', rate(REQUESTS.signUp)],
  ['Looks at `/verify`, an address', rate(REQUESTS.papers)],
  ['Photos of homes to let, an address', rate(REQUESTS.photos)],
  ['Delivery reports, an address', rate(REQUESTS.deliveryReports)],
  ['Codes: the same asker and number', `one every ${spell(CODES.againMs)}; ${lines(CODES.numberAndNetwork)}`],
  ['Codes: guesses at one challenge', String(CODES.attempts)],
  [
    'Codes: guesses of all strangers at one number',
    `the first at each code sent, and ${line(CODES.guesses)}; then, and after ${CODES.shortCodes} codes in a day, a code has 12 digits, which all who asked may use`,
  ],
  ['Codes without a token: an address (IPv6: its /64)', lines(CODES.network)],
  ['Codes without a token: an IPv6 /48', lines(CODES.site)],
  ['Codes without a token: all strangers, for one number and purpose', line(CODES.number, 'known')],
  ['Codes without a token: all strangers, for 10,000 neighbouring numbers', line(CODES.prefix)],
  [
    'Codes without a token: all strangers',
    `${lines(CODES.strangers)}; with those of known sites, which go on, ${lines(CODES.strangersAtMost)}`,
  ],
  [
    'Codes for the signed-in account, or to one at a network where it signed in before',
    `${line(CODES.account)} for each purpose`,
  ],
  ['Codes to sign with', `${line(CODES.account)} for each lease and person; ${line(CODES.signing)} for each person`],
  [
    'Codes to sign with by a link, without an account: all leases of an organization',
    `${CODES.linkHolders} a day (UTC)`,
  ],
  ['Codes: everything handed to the vendor, less the codes that were used', lines(CODES.service)],
  ['New numbers asked for by one account', `${NUMBER_CHANGES} a day, whether they were free or not`],
  [
    'Numbers told to be of an account of another organization (409 `member_elsewhere`), a day (UTC), imports included',
    `${b.ELSEWHERE.person} to a person, ${b.ELSEWHERE.organization} to an organization; then new numbers wait, whether they have an account or not`,
  ],
  [
    'Wrong passwords',
    `from the ${PASSWORDS.free}th in a row a wait of ${PASSWORDS.firstWaitSeconds} s, doubling to ${PASSWORDS.longestWaitSeconds} s; a day: ${PASSWORDS.aDay.strangers} of all strangers, ${PASSWORDS.aDay.network} at known networks, ${PASSWORDS.aDay.browser} in known browsers, ${PASSWORDS.aDay.session} signed in; each counted apart; forgotten after ${spell(PASSWORDS.forgiveSeconds * 1000)} without one; an account knows its latest ${PASSWORDS.places} networks and browsers for ${spell(PASSWORDS.knownMs)}`,
  ],
  [
    'News to tenants and members, a day (UTC)',
    `${NEWS.number} to a number, of those who let ${NEWS.singles} single ones and ${NEWS.digest} in a digest, ${NEWS.prefix} to 10,000 neighbouring numbers, ${NEWS.organization} of an organization, ${NEWS.service} in all; what is more goes out up to ${NEWS.postponedDays} days later`,
  ],
  [
    'News that a person’s own actions cause, of their organization’s of a day, where others own something in it',
    `${percent(b.NEWS_SHARE.one)} for one OWNER or manager of some properties, ${percent(b.NEWS_SHARE.all)} for all of them, ${percent(b.NEWS_SHARE.manager)} for one MANAGER of everything; the others and the service’s own reminders have the rest`,
  ],
  [
    'Papers that people’s actions make, a day (UTC); not those that the service makes by itself',
    `${count(b.PAPERS.tenant)} for a tenant, ${count(b.PAPERS.landlord)} for a landlord, ${count(b.PAPERS.organization)} for an organization; ${count(b.PAPERS.redrawn)} contracts out for signing made anew, for an owner`,
  ],
  ['Changes and bytes of request bodies, a day: a tenant', written(WRITES.tenant)],
  ['Changes and bytes of request bodies, a day: a landlord', written(WRITES.landlord)],
  ['Changes and bytes of request bodies, a day: an organization', written(WRITES.organization)],
  [
    'Answers kept for `Idempotency-Key`, a day (UTC)',
    `${size(b.KEPT_ANSWERS.person)} for a person, ${size(b.KEPT_ANSWERS.organization)} for an organization`,
  ],
  [
    'Open event streams',
    `${b.STREAMS.person} for a person, ${count(b.STREAMS.all)} in all; beyond, \`Retry-After: ${b.STREAMS.retryAfter}\``,
  ],
  ['Resets of a demo, `POST /sandbox/reset`', line(b.RESETS)],
  ['The JSON body of a request (413)', size(b.BODY)],
  [
    'One file',
    `a photo ${size(b.FILE.photo)}, ${count(b.FILE.pixels)} pixels, ${count(b.FILE.side)} along a side, decoded within ${count(b.FILE.decoded)} bytes of memory or else kept as it is coded; a document ${size(b.FILE.document)}`,
  ],
  ['Papers of a verification', String(b.CASE_PAPERS)],
  [
    'Wrong codes of a second factor',
    `waits as for wrong passwords; a day (UTC): ${b.FACTORS.strangers} of all strangers, ${b.FACTORS.network} at networks and ${b.FACTORS.browser} in browsers that passed it before, each counted apart; recovery codes: ${b.FACTORS.recovery} from a network`,
  ],
  ['Passkeys of an account', String(b.PASSKEYS)],
  ['Open requests for a home, a tenant (409 `too_many_open_requests`)', String(b.OPEN_REQUESTS)],
  ['Files of an organization', `${count(FILES.organization.objects)} of ${size(FILES.organization.bytes)}`],
  ['Files of a tenant', share(FILES.tenant)],
  ['Files of an OWNER', share(FILES.owner)],
  ['Files of a MANAGER or ADMIN', share(FILES.all)],
  [
    'Rows of an organization (409 `quota_exceeded`)',
    `${count(ROWS.property)} properties, ${count(ROWS.unit)} units, ${count(ROWS.tenant)} tenants, ${count(ROWS.booking)} leases in any status, ${count(ROWS.money_message)} messages of payments, ${count(ROWS.expense)} expenses, ${count(ROWS.owner_transfer)} transfers to owners, ${b.WEBHOOK_ENDPOINTS} webhook endpoints, ${b.CLAUSE_VERSIONS} versions of the clauses of a kind of lease`,
  ],
  [
    'Records of one thing, closed and cancelled ones included (409 `quota_exceeded`)',
    `${count(b.RECORDS.deposit)} entries of a deposit, and one more that leaves nothing held; ${count(b.RECORDS.meter)} readings of a meter; ${count(b.RECORDS.repairs.LANDLORD)} requests for repairs of a lease, or of a unit outside leases, of which a tenant opens none after ${count(b.RECORDS.repairs.TENANT)}; ${count(b.RECORDS.charges)} invoices of charges of a lease, those of regularisations with them; ${count(b.RECORDS.reminders)} reminders by hand of a lease; ${b.RECORDS.leaving.TENANT} notices to leave of a lease, of which a landlord gives none after ${b.RECORDS.leaving.LANDLORD}; a lease that ended is not taken up again after ${b.RECORDS.statements} statements; an inspection goes out for signing ${b.RECORDS.inspection} times; ${count(b.RECORDS.archives)} archives of an audit trail`,
  ],
  [
    'Rows that those may have entered who reach a part of an organization, of its rows (409 `quota_exceeded`)',
    `${percent(b.ROWS_SHARE.landlord)} of each kind for one OWNER or manager of some properties, ${count(ROWS.booking * b.ROWS_SHARE.tenant)} requests for one tenant, ${percent(b.ROWS_SHARE.all)} for all of them`,
  ],
  [
    'Runs that are kept; the oldest that have ended give way',
    `${b.RUNS_KEPT.imports} imports, ${b.RUNS_KEPT.exports} exports`,
  ],
  [
    'A file of rows',
    `${b.MAX_COLUMNS} columns, ${count(b.MAX_CELLS)} cells, ${count(b.MAX_CELL)} characters in a cell, ${count(b.MAX_CHARACTERS)} in all; a spreadsheet: ${size(b.SPREADSHEET.unpacked)} unpacked, ${count(b.SPREADSHEET.parts)} parts, ${count(b.SPREADSHEET.formats)} formats; ${size(b.IMPORT_MEMORY)} of memory while it is read`,
  ],
  ['Papers made on request (previews, reports as PDF) that one caller has in hand', String(b.PAPERS_AT_ONCE)],
  ['Other reports that one caller has in hand', String(b.REPORTS_AT_ONCE)],
  ['Time of one report', spell(b.REPORT_S * 1000)],
  ['Time of one list', spell(b.LIST_S * 1000)],
  [
    'The disk',
    `below ${free(b.FREE_DISK)} or ${percent(b.FREE_DISK.share)} free only payments, sign-in and archives of the audit trail are taken in; papers are drawn down to ${free(b.FREE_FOR_PAPERS)}`,
  ],
  [
    'Sessions of an account',
    `${b.SESSIONS.kept}; the one used longest ago ends; ${count(b.SESSIONS.rotations)} refresh tokens of each are remembered; a used one is accepted for ${b.SESSIONS.graceSeconds} s more`,
  ],
  ['Sign-ins begun and not completed', `${count(b.SIGN_INS.kept)} of ${size(b.SIGN_INS.bytes)}; the oldest give way`],
]

/** All budgets that callers share, as a table in Markdown. */
export const limits = (b: Budgets): string => `## Limits

These hold (429 with \`Retry-After\` where nothing else is said), so that nobody is kept out by what others do:

| what | at most |
| --- | --- |
${rowsOf(b)
  .map(([what, most]) => `| ${what} | ${most} |`)
  .join('\n')}

A quiet site is an IPv6 /48 or IPv4 /16 whose strangers had fewer than ${b.CODES.quietBelow} codes in the last hour; what comes one at a time is for sites with fewer than ${b.CODES.loudFrom}. A known site is one where somebody signed in within ${spell(b.PASSWORDS.knownMs)}: below ${b.CODES.loudFrom} codes an hour it does not wait for what strangers elsewhere have spent. An account makes at most ${b.KNOWN_SITES.aDay} sites known in a day, and the latest ${count(b.KNOWN_SITES.kept)} are kept. A stranger is who asks without a token, from a network where the account never signed in. Whoever asks for a code while one that another stranger asked for is under way gets a challenge of their own for that same code, and no second message; asking again after ${spell(b.CODES.paceMs)} sends another. The same asker gets the same challenge with a new code; another's challenge neither ends nor spends it. Numbers without account and codes that no vendor takes cost nobody anything. A password reset answers alike in all of this.

News goes to numbers within the operator's prefixes and to verified numbers of members; a notice that was held back says so in \`withheld\`, one that waits in \`sendAfter\`. Names and labels stand in messages quoted, cut to ${b.NEWS.nameLength} characters, notes to ${b.NEWS.noteLength}, without links or numbers to call.`

/** The table of the budgets in force. */
export const LIMITS = limits(budgets)
