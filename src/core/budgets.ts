/**
 * What anybody may spend of what all share: messages, guesses, waits. Every number of it stands here, with its reason;
 * the table of limits in the API's document is made from these numbers.
 */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** At most `most` within any `ms` milliseconds. */
export type Budget = { readonly ms: number; readonly most: number }
/** Once it is spent: `quiet` more for quiet sites, then one every `thenEvery` ms for any site that is not loud. */
export type Refilled = Budget & { readonly quiet: number; readonly thenEvery: number }

/** One-time codes. A stranger is who asks without a token, from a network where the account never signed in. */
export const CODES = {
  /** One asker and number: two codes at once help nobody. */
  againMs: MINUTE,
  /** Guesses at one challenge. */
  attempts: 5,
  /**
   * Strangers' guesses at one number and purpose within a day: the first one of each code that was sent, and these: 25 of
   * a million, however many ask. The right code of one's own asking is compared whatever others have guessed.
   */
  guesses: { ms: DAY, most: 8 },
  /** What one asker can make one number receive. */
  numberAndNetwork: [
    { ms: 10 * MINUTE, most: 3 },
    { ms: DAY, most: 5 },
  ],
  /** An IPv4 address or an IPv6 /64; lenient, for a mobile carrier puts thousands behind one. */
  network: [
    { ms: HOUR, most: 10 },
    { ms: DAY, most: 30 },
  ],
  /** An IPv6 /48 is one customer with 65,536 networks. */
  site: [
    { ms: HOUR, most: 20 },
    { ms: DAY, most: 60 },
  ],
  /** Strangers together, for one number and purpose: five, then one in two hours: 17 a day, and no flood outlasts itself. */
  number: { ms: DAY, most: 5, quiet: 0, thenEvery: 2 * HOUR },
  /** Who asks while a stranger's code is under way shares that code; asking again sends another after this time. */
  paceMs: 3 * MINUTE,
  /**
   * Codes in the last hour for strangers of one site, an IPv6 /48 or IPv4 /16: below the first it is quiet, from the second
   * on loud. A flood from one provider stays its own.
   */
  quietBelow: 5,
  loudFrom: 20,
  /** Strangers together, for 10,000 neighbouring numbers: who earns by messages has them in blocks. */
  prefix: { ms: HOUR, most: 20, quiet: 20, thenEvery: 3 * MINUTE },
  /** Strangers together, for everybody: the rest up to the stop is kept for those who are known. */
  strangers: [
    { ms: HOUR, most: 80, quiet: 60, thenEvery: 2 * MINUTE },
    { ms: DAY, most: 1000, quiet: 200, thenEvery: 3 * MINUTE },
  ],
  /** The operator's bill: everything handed to the vendor; a code that was used is given back. */
  service: [
    { ms: HOUR, most: 200 },
    { ms: DAY, most: 2000 },
  ],
  /** The account at a network where it signed in before, and the account's own purposes: no stranger spends these. */
  account: { ms: DAY, most: 5 },
  /** Signing is bounded for each lease and person; this is what keeps one person from a hundred leases made for it. */
  signing: { ms: DAY, most: 60 },
} as const satisfies Readonly<Record<string, number | Budget | Refilled | readonly (Budget | Refilled)[]>>

/** Numbers a day that one account may ask to change to: the answer tells whether somebody has them. */
export const NUMBER_CHANGES = 10

/** Wrong passwords, for each account. Strangers share a wait; a known browser and a known network have their own. */
export const PASSWORDS = {
  free: 5,
  firstWaitSeconds: 60,
  longestWaitSeconds: 900,
  forgiveSeconds: 12 * 3600,
  /** Wrong tries a day, 100 in all (NIST SP 800-63B 3.2.2); who runs out still has the reset by code. */
  aDay: { strangers: 50, network: 25, browser: 15, session: 10 },
  /** Networks and browsers that an account is known at: the latest so many. */
  places: 16,
  /** How long a network or a browser stays known without a sign-in. */
  knownMs: 90 * DAY,
} as const

/** Messages that somebody's act makes the service send to tenants and members, a day (UTC). */
export const NEWS = {
  /** A tenant with three leases: called, reminded and receipted on one day. */
  number: 10,
  /** An organization's messages to 10,000 neighbouring numbers. */
  prefix: 200,
  /** An organization: 500 leases called and receipted on one day. */
  organization: 1000,
  /** The operator's ceiling, for all organizations. */
  service: 10_000,
  /** What does not fit goes out a day later, at most this many days. */
  postponedDays: 2,
  /** Characters of a name, label or note within a message. */
  nameLength: 40,
  noteLength: 160,
} as const

const MIB = 1024 * 1024

/** A file of rows: what a list of 20,000 leases never meets, and what keeps its reading near 150 MB of memory. */
export const MAX_COLUMNS = 100
export const MAX_CELLS = 420_000
/** Characters of one cell, as many as Excel itself takes. */
export const MAX_CELL = 32_767
/** A spreadsheet: bytes of the parts that are read once unpacked, its parts, its formats, and characters in all. */
export const SPREADSHEET = { unpacked: 48 * MIB, parts: 1_000, formats: 70_000, characters: 6_000_000 } as const
/** The reading of files of rows ends when the process has grown by so much while it ran; twice what the largest list takes. */
export const IMPORT_MEMORY = 400 * MIB

/** What is left free of the disk: below the larger of both nothing is taken in that only grows; payments and sign-in go on. */
export const FREE_DISK = { bytes: 1024 * MIB, share: 0.05, most: 0.2 } as const
/** Papers, receipts of payments among them, are drawn while so much is free: a hundred thousand of them are 2 GiB. */
export const FREE_FOR_PAPERS = { bytes: 64 * MIB, most: 0.05 } as const

/** Papers made on request (previews, reports as PDF) that one caller has in hand at once. */
export const PAPERS_AT_ONCE = 2

/**
 * What is written through the API, each day and by one person, then by their whole organization: changes (each leaves a line
 * of the audit trail and may leave an Idempotency-Key) and bytes of request bodies. A day's budget comes back evenly over the
 * day. A landlord who enters 10,000 units by a program needs 10,000 changes and 3 MiB; a tenant some twenty. Imports and what
 * the service does by itself spend none of it.
 */
export const WRITES = {
  tenant: { changes: 300, bytes: 2 * MIB },
  landlord: { changes: 20_000, bytes: 32 * MIB },
  organization: { changes: 100_000, bytes: 128 * MIB },
} as const

/** Files: what an organization keeps, announced ones included, and what one person may have of it by their role. */
export const FILES = {
  organization: { objects: 5_000, bytes: 2 * 1024 * MIB },
  tenant: { objects: 60, bytes: 100 * MIB, pending: 50, arrived: 200 * MIB },
  owner: { objects: 2_500, bytes: 1024 * MIB, pending: 50, arrived: 2 * 1024 * MIB },
  all: { objects: 5_000, bytes: 2 * 1024 * MIB, pending: 50, arrived: 4 * 1024 * MIB },
} as const

/**
 * Rows of an organization. One with 10,000 units and 20,000 leases, all of them renewed for ten years, has at most 200,000
 * leases; properties may have one unit each, and units be entered twice by mistake.
 */
export const ROWS = {
  property: 20_000,
  unit: 50_000,
  tenant: 100_000,
  booking: 250_000,
  money_message: 500_000,
} as const
/** Runs of imports and exports that are kept; the oldest that have ended give way. One import keeps up to 400 KB. */
export const RUNS_KEPT = { imports: 200, exports: 200 } as const
export const WEBHOOK_ENDPOINTS = 10

/** Bytes of answers kept a day for Idempotency-Keys: 200 units by labels are 60 KB, 10,000 units one by one 4 MiB. */
export const KEPT_ANSWERS = { person: 32 * MIB, organization: 128 * MIB } as const

/** Versions of an organization's own clauses of a kind of lease. */
export const CLAUSE_VERSIONS = 500

/** Sign-ins that nobody has signed in to yet: bytes that one keeps, and how many are kept; the oldest give way. */
export const SIGN_INS = { bytes: 1024, kept: 20_000 } as const
