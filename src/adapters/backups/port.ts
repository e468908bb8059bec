/** One backup at its place. */
export type Backup = {
  readonly name: string
  readonly sizeBytes: number
  /** ISO time of its copy of the database. */
  readonly createdAt: string
  readonly encrypted: boolean
}
export type CreatedBackup = Backup & {
  /** The folder or s3:// address where it lies, without its name. */
  readonly place: string
  /** Hex, of the whole file. */
  readonly sha256: string
  readonly seconds: number
  /** The s3:// address of media and papers; they are then not in the backup. */
  readonly filesAt?: string
  /** In how many places its books do not balance, if in any. */
  readonly wrong?: number
}
/** What is known of backups: kept in a file, because a restored database would know of older ones only. */
export type BackupState = {
  /** The last one that was made, opened and checked. */
  readonly last?: CreatedBackup
  /** The last try, if it failed. */
  readonly failed?: { readonly at: string; readonly reason: string }
  /** What lies at the place of the settings, the newest first, as of the last backup. */
  readonly backups: readonly Backup[]
}

/** Backups of the service, made in a thread beside it. */
export type Backups = {
  readonly state: () => BackupState
  /** Whether one is being made. */
  readonly running: () => boolean
  /** Makes one, checks it, and removes those that are no longer kept. A second call waits for the first. */
  readonly run: () => Promise<CreatedBackup>
  /** Breaks off the one that is being made, and removes what it wrote. */
  readonly close: () => Promise<void>
}
