import { openStore } from '../../db/open.ts'
import type { Command } from './command.ts'

/** `loyer migrate`: brings the database up to date and stops. */
export const migrate: Command = async ({ folder }) => {
  const { databaseFile } = folder()
  await openStore(databaseFile).close()
  return `${databaseFile} is up to date.`
}
