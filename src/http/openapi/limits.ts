import * as budgets from '../../core/budgets.ts'

type Wide<T> = T extends number ? number : { readonly [K in keyof T]: Wide<T[K]> }
export type Budgets = Wide<typeof budgets>

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const
/** `1 hour`, `3 minutes`, `100 seconds`. */
function spell(ms: number): string {
  const [name, unit] = UNITS.find(([, of]) => ms >= of && ms % of === 0) ?? ['millisecond', 1]
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`
}
/** `one a minute`, `one every 2 minutes`. */
const each = (ms: number): string => `one every ${spell(ms)}`.replace('every 1 ', 'a ')
type Budget = { readonly ms: number; readonly most: number; readonly quiet?: number; readonly thenEvery?: number }
const line = ({ ms, most, quiet = 0, thenEvery }: Budget, sites = 'quiet'): string =>
  [
    `${count(most)} in ${spell(ms)}`,
    ...(quiet > 0 ? [`${count(quiet)} more for ${sites} sites`] : []),
    ...(thenEvery === undefined ? [] : [`then ${each(thenEvery)}`]),
  ].join(', ')
const lines = (all: readonly Budget[]): string => all.map((one) => line(one)).join('; ')

const KIB = 1024
/** 1048576 as `1 MiB`. */
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
  ['Requests of a signed-in person', rate(REQUESTS.user)],
  ['Requests from an address (IPv6: its /64) without a token or with an invalid one', rate(REQUESTS.address)],
  ['Sign-up and recovery, from an address', rate(REQUESTS.signUp)],
  ['Requests of `/verify`, from an address', rate(REQUESTS.papers)],
  ['Photos of homes to let, to an address', rate(REQUESTS.photos)],
  ['Delivery reports, from an address', rate(REQUESTS.deliveryReports)],
  ['Codes: the same asker and number', `${each(CODES.againMs)}; ${lines(CODES.numberAndNetwork)}`],
  ['Codes: guesses at one challenge', String(CODES.attempts)],
  [
    'Codes: guesses of all strangers at one number',
    `the first guess at each code, and ${line(CODES.guesses)}; after that, and after ${CODES.shortCodes} codes in a day, a code has 12 digits and is compared for everybody who asked for it`,
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
  ['Codes: all messages handed to the vendor, not counting codes that were used', lines(CODES.service)],
  ['Numbers that one account asks to change to', `${NUMBER_CHANGES} a day, free or not`],
  [
    'Answers that a number belongs to an account elsewhere (409 `member_elsewhere`), a day (UTC), imports included',
    `${b.ELSEWHERE.person} to a person, ${b.ELSEWHERE.organization} to an organization; after that, new numbers are refused until the next day, with or without an account`,
  ],
  [
    'Wrong passwords',
    `from the ${PASSWORDS.free}th in a row a wait of ${PASSWORDS.firstWaitSeconds} s, doubling to ${PASSWORDS.longestWaitSeconds} s; in a day ${PASSWORDS.aDay.strangers} by all strangers, ${PASSWORDS.aDay.network} from known networks, ${PASSWORDS.aDay.browser} from known browsers, ${PASSWORDS.aDay.session} while signed in, each counted apart; forgotten after ${spell(PASSWORDS.forgiveSeconds * 1000)} without a wrong one; the latest ${PASSWORDS.places} networks and browsers of an account are known for ${spell(PASSWORDS.knownMs)}`,
  ],
  [
    'News to tenants and members, a day (UTC)',
    `${NEWS.number} to a tenant's number; to a landlord ${NEWS.singles} single messages, and ${NEWS.digest} entries in a digest; ${NEWS.prefix} to 10,000 neighbouring numbers; ${count(NEWS.organization)} from an organization, ${count(NEWS.service)} in all; the rest is sent up to ${NEWS.postponedDays} days later`,
  ],
  [
    'News caused by the actions of one person, as a share of the organization’s, where it has several owners',
    `${percent(b.NEWS_SHARE.one)} for one OWNER or manager of some properties, ${percent(b.NEWS_SHARE.all)} for all of these together, ${percent(b.NEWS_SHARE.manager)} for one MANAGER of everything; the rest is for the others and for automatic reminders`,
  ],
  [
    'Papers caused by the actions of people, a day (UTC); those that the service makes by itself do not count',
    `${count(b.PAPERS.tenant)} for a tenant, ${count(b.PAPERS.landlord)} for a landlord, ${count(b.PAPERS.organization)} for an organization; ${count(b.PAPERS.redrawn)} contracts made again while out for signing, for an owner`,
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
    `a photo ${size(b.FILE.photo)}, ${count(b.FILE.pixels)} pixels, ${count(b.FILE.side)} along a side, decoded in up to ${count(b.FILE.decoded)} bytes of memory (one that needs more is not encoded anew); a document ${size(b.FILE.document)}`,
  ],
  ['Papers of a verification', String(b.CASE_PAPERS)],
  [
    'Wrong codes of a second factor',
    `waits as for wrong passwords; in a day (UTC) ${b.FACTORS.strangers} by all strangers, ${b.FACTORS.network} from networks and ${b.FACTORS.browser} from browsers that passed it before, each counted apart; recovery codes: ${b.FACTORS.recovery} from a network`,
  ],
  ['Passkeys of an account', String(b.PASSKEYS)],
  ['Open requests for a home by a tenant (409 `too_many_open_requests`)', String(b.OPEN_REQUESTS)],
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
    'Rows entered by people who see only a part of the organization, as a share of its rows (409 `quota_exceeded`)',
    `${percent(b.ROWS_SHARE.landlord)} of each kind for one OWNER or manager of some properties, ${count(ROWS.booking * b.ROWS_SHARE.tenant)} requests for one tenant, ${percent(b.ROWS_SHARE.all)} for all of these together`,
  ],
  [
    'Runs that are kept; the oldest ended ones are removed first',
    `${b.RUNS_KEPT.imports} imports, ${b.RUNS_KEPT.exports} exports`,
  ],
  [
    'A file of rows',
    `${b.MAX_COLUMNS} columns, ${count(b.MAX_CELLS)} cells, ${count(b.MAX_CELL)} characters in a cell, ${count(b.MAX_CHARACTERS)} in all; a spreadsheet: ${size(b.SPREADSHEET.unpacked)} unpacked, ${count(b.SPREADSHEET.parts)} parts, ${count(b.SPREADSHEET.formats)} formats; ${size(b.IMPORT_MEMORY)} of memory while it is read`,
  ],
  ['Previews and reports as PDF that are being made for one caller', String(b.PAPERS_AT_ONCE)],
  ['Other reports that are being made for one caller', String(b.REPORTS_AT_ONCE)],
  ['Time that one report may take', spell(b.REPORT_S * 1000)],
  [
    'The disk',
    `with less than ${free(b.FREE_DISK)} or ${percent(b.FREE_DISK.share)} free, only payments, sign-in and archives of the audit trail are accepted; papers are drawn while ${free(b.FREE_FOR_PAPERS)} are free`,
  ],
  [
    'Sessions of an account',
    `${b.SESSIONS.kept}, then the one used longest ago ends; ${count(b.SESSIONS.rotations)} refresh tokens of each are remembered; a used one is accepted for ${b.SESSIONS.graceSeconds} s more`,
  ],
  [
    'Sign-ins begun and not completed',
    `${count(b.SIGN_INS.kept)} of ${size(b.SIGN_INS.bytes)}; the oldest are removed first`,
  ],
]

/** All budgets that callers share, as a table in Markdown. */
export const limits = (b: Budgets): string => `## Limits

Beyond a limit the answer is 429 with \`Retry-After\`, where the table names no other. Limits are counted apart, so that nobody is kept out by what others do.

| what | at most |
| --- | --- |
${rowsOf(b)
  .map(([what, most]) => `| ${what} | ${most} |`)
  .join('\n')}

The words of the table, for codes:

- A *stranger* asks without a token, from a network where the account never signed in.
- A *site* is an IPv6 /48 or an IPv4 /16. It is *quiet* while its strangers had fewer than ${b.CODES.quietBelow} codes in the last hour; a site with ${b.CODES.loudFrom} or more gets none of the codes that come one at a time.
- A *known* site is one where somebody signed in within ${spell(b.PASSWORDS.knownMs)}. With fewer than ${b.CODES.loudFrom} codes an hour it does not wait for what strangers elsewhere have used up. An account makes at most ${b.KNOWN_SITES.aDay} sites known in a day; the latest ${count(b.KNOWN_SITES.kept)} are remembered.
- A stranger who asks while another stranger's code is under way gets a challenge of their own for that same code, and no second message; after ${spell(b.CODES.paceMs)} a new code is sent. Asking again yourself returns your challenge with a new code. Nobody else's challenge ends or uses up yours.
- Numbers without an account, and codes that no vendor accepts, count against nobody. A password reset answers the same in all these cases.

News is sent to numbers with the operator's prefixes and to verified numbers of members. A message about rent that was not sent says why in \`withheld\`; one that waits has \`sendAfter\`. In messages, names and labels are quoted and cut to ${b.NEWS.nameLength} characters, notes to ${b.NEWS.noteLength}; links and telephone numbers in them are left out.`

/** The table of the budgets in force. */
export const LIMITS = limits(budgets)
