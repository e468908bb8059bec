import { existsSync, writeFileSync } from 'node:fs'
import { confirmationIn } from '../time.ts'
import { type Command, UsageError } from './command.ts'

/** `loyer clock confirm`: tells the running service that the clock is right although it went ahead by months. */
export const confirmClock: Command = ({ folder }) => {
  const { dataDir, databaseFile } = folder()
  if (!existsSync(databaseFile)) throw new UsageError(`${dataDir} holds no database.`)
  writeFileSync(confirmationIn(dataDir), '', { mode: 0o600 })
  return `It is ${new Date().toISOString()}: within a minute of this the service goes on by its calendar.`
}
