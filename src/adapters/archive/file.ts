import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { Readable } from './port.ts'

const reason = (e: unknown): string => (e instanceof Error ? e.message : String(e))

/** A file of this machine, read piece by piece. @throws Error with a sentence where it cannot be opened */
export function openArchive(path: string): Readable & { readonly close: () => void } {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (e) {
    throw new Error(`The file ${path} cannot be read: ${reason(e)}.`)
  }
  const { size } = fstatSync(file)
  return {
    size,
    read(start, end) {
      const piece = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
      let length = 0
      while (length < piece.length) {
        const some = readSync(file, piece, length, piece.length - length, start + length)
        if (some === 0) break
        length += some
      }
      return piece.subarray(0, length)
    },
    close: () => closeSync(file),
  }
}

/** Writes a new file that only its owner can read and removes it when the write fails. @throws Error with a sentence */
export async function saveArchive(path: string, archive: ReadableStream<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600).catch((e: unknown) => {
    throw new Error(`The file ${path} cannot be made: ${reason(e)}.`)
  })
  try {
    for await (const piece of archive) await handle.writeFile(piece)
    await handle.sync()
  } catch (e) {
    await rm(path, { force: true })
    throw e
  } finally {
    await handle.close()
  }
}
