/**
 * Limits on shared resources: messages, guesses, waits. All numbers stand here with their reasons; the handbook's
 * chapter `limits` lists them, which a test compares with these.
 */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** At most `most` within any `ms` milliseconds. */
export type Budget = { readonly ms: number; readonly most: number }
/**
 * After the budget is used up: `quiet` more for quiet sites, then one every `thenEvery` ms for any site that is not
 * loud.
 */
export type Refilled = Budget & { readonly quiet: number; readonly thenEvery: number }

/** One-time codes. A stranger sends no token, and comes from a network where the account never signed in. */
export const CODES = {
  /** Per requester and number: a second code at once helps nobody. */
  againMs: MINUTE,
  /** Guesses per challenge. */
  attempts: 5,
  /**
   * Strangers' guesses per number and purpose within a day, besides the first guess at each code: 25 in a million in
   * all, however many people ask. The account holder's own right code is compared whatever others have guessed. Codes
   * sent after these guesses, or after `shortCodes`, have twelve digits and are compared for everybody who shares them:
   * strangers cannot make a code useless that is on its way.
   */
  guesses: { ms: DAY, most: 8 },
  shortCodes: 3,
  /** Codes that one requester can send to one number. */
  numberAndNetwork: [
    { ms: 10 * MINUTE, most: 3 },
    { ms: DAY, most: 5 },
  ],
  /** Per IPv4 address or IPv6 /64. A mobile carrier puts thousands of people behind one: ten requests keep no one out. */
  network: [
    { ms: HOUR, most: 30 },
    { ms: DAY, most: 100 },
  ],
  /** Per IPv6 /48, which is one customer with 65,536 networks. */
  site: [
    { ms: HOUR, most: 60 },
    { ms: DAY, most: 200 },
  ],
  /**
   * All strangers together, per number and purpose: five, three more from known sites, then one in two hours, which
   * makes 20 a day and outlasts any flood.
   */
  number: { ms: DAY, most: 5, quiet: 3, thenEvery: 2 * HOUR },
  /** A stranger who asks while another stranger's code is valid shares that code; after this time a new one is sent. */
  paceMs: 3 * MINUTE,
  /**
   * Codes of the last hour for strangers of one site (IPv6 /48 or IPv4 /16): below the first number the site is quiet,
   * from the second on loud. A flood from one provider limits only that provider.
   */
  quietBelow: 5,
  loudFrom: 20,
  /** All strangers together, per 10,000 neighbouring numbers: fraudsters who earn by messages own numbers in blocks. */
  prefix: { ms: HOUR, most: 40, quiet: 40, thenEvery: 2 * MINUTE },
  /** All strangers together, for all numbers. */
  strangers: [
    { ms: HOUR, most: 300, quiet: 150, thenEvery: MINUTE },
    { ms: DAY, most: 1500, quiet: 300, thenEvery: 5 * MINUTE },
  ],
  /** All strangers with those of known sites: the rest up to the operator's stop is reserved for known users. */
  strangersAtMost: [
    { ms: HOUR, most: 600 },
    { ms: DAY, most: 2500 },
  ],
  /**
   * The operator's costs: every message handed to the vendor; a code that was used is refunded. At 30 francs a message
   * a flood that lasts all day costs 75,000 francs, and the stop is at 90,000.
   */
  service: [
    { ms: HOUR, most: 800 },
    { ms: DAY, most: 3000 },
  ],
  /** The account at a network where it signed in before, and the account's own purposes: strangers cannot use these up. */
  account: { ms: DAY, most: 5 },
  /** People with a link and no account, all leases of an organization together: numbers that landlords typed. */
  linkHolders: 100,
  /** Signing is limited per lease and person; this limit stops one person who creates a hundred leases for it. */
  signing: { ms: DAY, most: 60 },
} as const satisfies Readonly<Record<string, number | Budget | Refilled | readonly (Budget | Refilled)[]>>

/**
 * Sites where somebody signed in lately. When strangers from elsewhere have used up the shared budget, those of such a
 * site may still ask, until it is loud: a flood from everywhere does not keep out newcomers of the country's carriers. `aDay`:
 * sites that one account makes known in a day; `stored`: the latest ones.
 */
export const KNOWN_SITES = { aDay: 3, stored: 2000 } as const

/** Phone numbers a day that one account may ask to change to, because the answer tells whether a number has an account. */
export const NUMBER_CHANGES = 10

/**
 * Numbers a day (UTC) for which a person, and an organization, may learn that another organization has the account
 * (`member_elsewhere`). After that every number that is new to the organization has to wait: if only some had to, the
 * wait would tell which.
 */
export const ELSEWHERE = { person: 30, organization: 100 } as const

/**
 * Wrong codes of a second factor per account and day, in addition to the waits after wrong passwords. Browsers and
 * networks that have passed the second step have budgets of their own, so a stranger who knows the password locks
 * nobody out. A code has six digits and three are valid at a time: 30 guesses a day find one in 30 years. A recovery
 * code has ten digits and is accepted from another network whatever was guessed elsewhere.
 */
export const FACTORS = { strangers: 30, network: 20, browser: 20, recovery: 10 } as const

/** Wrong passwords per account. Strangers share one wait; a known browser and a known network have their own. */
export const PASSWORDS = {
  free: 5,
  firstWaitSeconds: 60,
  longestWaitSeconds: 900,
  forgiveSeconds: 12 * 3600,
  /** Wrong attempts a day, 100 in all (NIST SP 800-63B 3.2.2); the reset by code still works afterwards. */
  aDay: { strangers: 50, network: 25, browser: 15, session: 10 },
  /** Known networks and browsers per account; the latest ones are stored. */
  places: 16,
  /** How long a network or a browser stays known after its last sign-in. */
  knownMs: 90 * DAY,
} as const

/** Messages a day (UTC) to tenants and members, caused by actions of users. */
export const NEWS = {
  /** Per tenant: three leases with invoice, reminder and receipt on one day. */
  number: 10,
  /** Per organization and 10,000 neighbouring numbers. */
  prefix: 200,
  /** Per organization: 500 leases with invoice and receipt on one day. */
  organization: 1000,
  /** The operator's limit for all organizations. */
  service: 10_000,
  /** Single messages to one landlord about what tenants do; the rest goes into the digest. */
  singles: 10,
  /** News that waits for one person's digest; what exceeds it is not counted. */
  digest: 200,
  /** Messages beyond the limit are sent a day later, at most this many days. */
  postponedDays: 2,
  /** Characters of a name, label or note inside a message. */
  nameLength: 40,
  noteLength: 160,
} as const

/**
 * Shares of an organization's messages a day, if it has several owners: what the actions of one OWNER or manager of
 * some properties may cause, those of all of them together, and those of one MANAGER of everything. The rest is reserved for the others and for what the service sends by itself, such as reminders.
 */
export const NEWS_SHARE = { one: 0.5, all: 0.75, manager: 0.75 } as const

/**
 * Papers a day (UTC) that people's actions cause; those that the service makes by itself, as on the night of billing, do
 * not count. A landlord of 5,000 units who writes down every rent on one day causes 5,000 receipts, and charges that day
 * 5,000 invoices; an imported file brings 2,000 leases. `redrawn`: contracts out for signing, made anew because what
 * they mention has changed, per owner.
 */
export const PAPERS = { tenant: 100, landlord: 25_000, organization: 50_000, redrawn: 5_000 } as const

const MIB = 1024 * 1024

/** Limits of an imported file, which may have any number of columns and long texts: low enough to read it in about 150 MB of memory. */
export const MAX_COLUMNS = 100
export const MAX_CELLS = 420_000
/** Characters per cell, the same as Excel's limit. */
export const MAX_CELL = 32_767
/** Characters in all cells: 3,000 for each of 2,000 leases. */
export const MAX_CHARACTERS = 6_000_000
/** A spreadsheet: decompressed bytes of the parts that are read at once, number of parts, and of formats. */
export const SPREADSHEET = { unpacked: 48 * MIB, parts: 1_000, formats: 70_000 } as const
/** Reading a file is cancelled when the process has grown by this much; twice what the largest list takes. */
export const IMPORT_MEMORY = 400 * MIB

/**
 * Free disk space, the larger of both: below it uploads and other growing data are refused; payments and sign-in
 * continue.
 */
export const FREE_DISK = { bytes: 1024 * MIB, share: 0.05, most: 0.2 } as const
/** Documents, receipts included, are drawn while this much is free: a hundred thousand of them are 2 GiB. */
export const FREE_FOR_PAPERS = { bytes: 64 * MIB, most: 0.05 } as const

/** Concurrent documents on request (previews, reports as PDF) per caller. */
export const PAPERS_AT_ONCE = 2
/** Concurrent reports as JSON, CSV or XLSX per caller, of eight in all; then the seconds that a report may take. */
export const REPORTS_AT_ONCE = 6
export const REPORT_S = 100

/**
 * Writes through the API, per day, for one person and for their organization: changes (each adds an audit entry and
 * perhaps an Idempotency-Key) and bytes of request bodies. The budget refills evenly over the day. A landlord who
 * enters 10,000 units by a program needs 10,000 changes and 3 MiB; a tenant some twenty. Imports and the service's own
 * jobs do not count.
 */
export const WRITES = {
  tenant: { changes: 300, bytes: 2 * MIB },
  landlord: { changes: 20_000, bytes: 32 * MIB },
  organization: { changes: 100_000, bytes: 128 * MIB },
} as const

/** Requests: tokens refilled each second, and how many may come at once. Addresses count by IPv4, or IPv6 /64. */
export const REQUESTS = {
  user: { perSecond: 20, burst: 60 },
  /** Without a token, or with one that does not hold, so that guessing tokens costs as much as any other request. */
  address: { perSecond: 5, burst: 60 },
  /** Forms that send codes to numbers or take them from strangers. */
  signUp: { perSecond: 1 / 6, burst: 10 },
  /** Codes on papers, typed at /verify. */
  papers: { perSecond: 0.5, burst: 30 },
  /** A page of a home to let has 24 photos, and many people share an address. */
  photos: { perSecond: 20, burst: 240 },
  deliveryReports: { perSecond: 50, burst: 200 },
} as const

/** The JSON body of a request, bytes. */
export const BODY = 64 * 1024
/**
 * One file: bytes by kind, the pixels of a photo in all and along a side, and the memory to decode one: a camera's
 * JPEG of 25 megapixels, a PNG of 22, a WebP of 12. Larger ones are kept as they are coded.
 */
export const FILE = {
  photo: 10 * MIB,
  document: 20 * MIB,
  pixels: 50_000_000,
  side: 12_000,
  decoded: 100 * 1_000_000,
} as const
/** Papers of one verification. */
export const CASE_PAPERS = 20
/** Passkeys of an account. */
export const PASSKEYS = 10
/** Requests for a home that a tenant may have open. */
export const OPEN_REQUESTS = 5

/** Files: storage of an organization, announced uploads included, and the share of one person by role. */
export const FILES = {
  organization: { objects: 5_000, bytes: 2 * 1024 * MIB },
  tenant: { objects: 60, bytes: 100 * MIB, pending: 50, arrived: 200 * MIB },
  owner: { objects: 2_500, bytes: 1024 * MIB, pending: 50, arrived: 2 * 1024 * MIB },
  all: { objects: 5_000, bytes: 2 * 1024 * MIB, pending: 50, arrived: 4 * 1024 * MIB },
} as const

/**
 * Rows per organization. One with 10,000 units and 20,000 leases, all renewed for ten years, has at most 200,000
 * leases; properties may have one unit each, and units may be entered twice by mistake.
 */
export const ROWS = {
  property: 20_000,
  unit: 50_000,
  tenant: 100_000,
  booking: 250_000,
  money_message: 500_000,
  expense: 500_000,
  owner_transfer: 250_000,
} as const
/**
 * Of these rows, what one person may have entered who reaches a part of the organization only, and all of them together:
 * OWNERs, managers of some properties, tenants who ask for homes (1,000 requests). Rows of repeating expenses count
 * for the person who began them.
 */
export const ROWS_SHARE = { tenant: 0.004, landlord: 0.5, all: 0.75 } as const
/**
 * Records that are never deleted, of one thing. Of a lease: invoices of charges (one a week for forty years), entries of its
 * deposit, reminders by hand, and statements, after which its end is not undone again; notices to leave, of which a landlord
 * gives fewer, so that the tenant's are never used up. Readings of a meter (one a day for ten years); requests for repairs of
 * a lease, or of a unit outside leases, by who asks; how often an inspection goes out for signing; archives of an audit trail.
 */
export const RECORDS = {
  charges: 2_000,
  deposit: 500,
  inspection: 100,
  leaving: { LANDLORD: 50, TENANT: 100 },
  reminders: 2_000,
  statements: 200,
  meter: 4_000,
  repairs: { TENANT: 300, LANDLORD: 1_000 },
  archives: 1_000,
} as const
/** Stored runs of imports and exports; the oldest finished ones are deleted. One import stores up to 400 KB. */
export const RUNS_KEPT = { imports: 200, exports: 200 } as const
/** Entries of a list without pages: the newest are shown. A lease has a few of each in ten years. */
export const LISTED = 500
export const WEBHOOK_ENDPOINTS = 10
/** Test events to one endpoint. */
export const TEST_EVENTS = { ms: HOUR, most: 20 } as const
/** What ADMINs may ask for to let one other ADMIN back in: the person is told of each. */
export const RECOVERIES = { ms: DAY, most: 4 } as const
/** Resets of a demo that visitors may ask for, in a window of `ms`. */
export const RESETS = { ms: 60 * MINUTE, most: 6 } as const
/** Open streams of changes, and seconds until one more may be tried. */
export const STREAMS = { person: 4, all: 2_000, retryAfter: 30 } as const

/** Bytes of responses stored per day for Idempotency-Keys: 200 units by labels are 60 KB, 10,000 single units 4 MiB. */
export const KEPT_ANSWERS = { person: 32 * MIB, organization: 128 * MIB } as const

/** Stored versions of an organization's own clauses per kind of lease. */
export const CLAUSE_VERSIONS = 500
/** Of the clauses of a lease in one language: drawing takes a second at the most, while other papers wait. */
export const CLAUSES = { paragraphs: 1000, placeholders: 1000 } as const

/**
 * Sessions of an account, and used refresh tokens of a session, by which a stolen copy is noticed; the oldest are deleted.
 * `graceSeconds`: how long a used one is still accepted, for a phone that lost the response and retries.
 */
export const SESSIONS = { stored: 200, rotations: 1_000, graceSeconds: 10 } as const
/** Unfinished sign-ins: bytes of each, and how many are stored; the oldest are deleted. */
export const SIGN_INS = { bytes: 1024, stored: 20_000 } as const
