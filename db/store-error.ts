/** Why the store cannot be opened, in a sentence that says what to do, with the process exit code (sysexits). */
export class StoreError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.name = 'StoreError'
    this.exitCode = exitCode
  }
}
