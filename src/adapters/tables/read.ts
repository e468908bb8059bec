import { csvRows } from './csv-read.ts'
import type { ReadTable } from './port.ts'
import { broken } from './refusals.ts'
import { xlsxRows } from './xlsx-read.ts'

/** The rows of a file, its kind told by its first bytes. */
export const readTable: ReadTable = async (bytes, maxRows, rest) => {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  let rows: string[][]
  try {
    rows = isZip ? await xlsxRows(bytes, maxRows, rest) : csvRows(bytes, maxRows)
  } catch (e) {
    if (e instanceof Error && e.name === 'AppError') throw e
    throw broken()
  }
  // The end of the last line begins no row.
  while (rows.at(-1)?.every((cell) => cell === '')) rows.pop()
  return rows
}
