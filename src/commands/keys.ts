import { openStore } from '../../db/open.ts'
import { forgetKeys } from '../adapters/identity/embedded/rows/keys.ts'
import { renewMasterKey } from '../keys.ts'
import type { Command } from './command.ts'
import { expectDatabase } from './folders.ts'

/** `loyer keys new`: replaces the master key and renews everything that the old one sealed. */
export const newKeys: Command = async ({ folder }) => {
  const config = folder()
  // In a folder that a wrong LOYER_DATA names, it would seem that the service has a new key.
  expectDatabase(config)
  const { databaseFile, dataDir } = config
  const store = openStore(databaseFile)
  const file = renewMasterKey(dataDir)
  await store.write(null, forgetKeys)
  await store.close()
  return `${file} is new: everybody signs in again, authenticator apps are set up again, and webhook secrets have changed.`
}
