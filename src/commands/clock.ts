import { writeFileSync } from 'node:fs'
import { confirmationIn } from '../time.ts'
import type { Command } from './command.ts'
import { expectDatabase } from './folders.ts'

/** `loyer clock confirm`: tells the running service that the clock is right although it went ahead by months. */
export const confirmClock: Command = ({ folder }) => {
  const settings = folder()
  expectDatabase(settings)
  writeFileSync(confirmationIn(settings.dataDir), '', { mode: 0o600 })
  return `It is ${new Date().toISOString()}: within a minute of this the service goes on by its calendar.`
}
