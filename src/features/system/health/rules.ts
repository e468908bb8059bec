export const CHECKS = [
  'SETTINGS',
  'CLOCK',
  'DISK',
  'PERMISSIONS',
  'INTEGRITY',
  'JOBS',
  'MESSAGING',
  'ISSUER',
  'PROXY',
  'TIME_ZONE',
  'BACKUPS',
] as const
export type Check = (typeof CHECKS)[number]
export const STATES = ['GOOD', 'WARNING', 'BAD'] as const
export type State = (typeof STATES)[number]
/** A sentence in both languages. */
export type Saying = { readonly en: string; readonly fr: string }
export type Finding = { readonly check: Check; readonly state: State; readonly text: Saying }

/** The outcome of a request to another server. */
export type Reply = 'GOOD' | 'UNREACHABLE' | 'WRONG'
/** The facts about a server; a member that was not examined is absent. */
export type Facts = {
  readonly sandbox: boolean
  readonly publicUrl: string
  readonly rateLimits: boolean
  readonly trustsProxies: boolean
  /** A proxy on this machine passes requests on, and is not trusted. */
  readonly untrustedProxy?: boolean | undefined
  readonly folder: string
  readonly timeZone: string
  /** The time now, and the latest time that the service has seen; epoch ms. */
  readonly wall: number
  readonly mark: number
  readonly clock?: 'SET_BACK' | 'LEAPT' | undefined
  /** Bytes. */
  readonly disk?: { readonly free: number; readonly total: number; readonly database: number } | undefined
  readonly writable: boolean
  /** Others on the machine may open the folder. */
  readonly exposed: boolean
  /** What lies in the folder and is another user's, and the line that gives it back. */
  readonly stranger?: { readonly path: string; readonly giveBack: string } | undefined
  /** Why the running service saves nothing now. */
  readonly trouble?: Finding['text'] | undefined
  /** Damage of the database, line by line; undefined before it was checked. */
  readonly damage: readonly string[] | undefined
  readonly failedJobs: number
  /** For how long the oldest work has been due, ms. */
  readonly lateMs: number
  readonly vendor: string
  /** The vendor's breaker is open. */
  readonly vendorPaused?: boolean | undefined
  readonly vendorReply?: Reply | undefined
  readonly external: boolean
  readonly issuerReply?: Reply | undefined
  readonly proxyReply?: Reply | undefined
  /** When the last good backup was made, epoch ms. */
  readonly backupAt?: number | undefined
  /** In how many places its books did not balance. */
  readonly wrong?: number | undefined
}
