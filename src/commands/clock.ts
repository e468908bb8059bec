import { writeFileSync } from 'node:fs'
import { confirmationIn } from '../time.ts'
import type { Command } from './command.ts'
import { expectDatabase } from './folders.ts'

/** `loyer clock confirm`: tells the running service that the clock is right although it went ahead by months. */
export const confirmClock: Command = ({ folder }) => {
  const settings = folder()
  expectDatabase(settings)
  writeFileSync(confirmationIn(settings.dataDir), '', { mode: 0o600 })
  return `Confirmed: it is ${new Date().toISOString()}. Within a minute the service resumes billing, reminders and other dated work.`
}
