import { createReadStream, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../../../db/files.ts'
import { StoreError } from '../../../db/store-error.ts'
import { readName } from './names.ts'
import type { Place } from './s3.ts'

/** A folder of this machine. `put` renames: the file must lie in it already. */
export const folderPlace = (folder: string): Place => ({
  async put(path, name) {
    if (dirname(path) !== folder) throw new Error(`${path} is not in ${folder}`)
    if (statSync(join(folder, name), { throwIfNoEntry: false }))
      throw new StoreError(73, `There is a backup ${basename(name)} of this second already.`)
    renameSync(path, join(folder, name))
    syncFolder(folder)
  },
  async list() {
    return readdirSync(folder)
      .filter((name) => readName(name))
      .map((name) => ({ name, sizeBytes: statSync(join(folder, name)).size }))
  },
  async read({ name }) {
    return createReadStream(join(folder, name))
  },
  async remove(name) {
    rmSync(join(folder, name), { force: true })
  },
})
