import { foreignFormat } from '../../core/sheet-formats.ts'
import { csvRows } from './csv-read.ts'
import type { ReadFile, ReadTable } from './port.ts'
import { broken, foreign } from './refusals.ts'
import { xlsxSheet } from './xlsx-read.ts'

/** A sheet of a file, its kind told by its first bytes. */
export const readTable: ReadTable = async (bytes, maxRows, rest, { isWanted = () => true, linesAbove = 0 } = {}) => {
  const format = foreignFormat(bytes)
  if (format) throw foreign(format)
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  let file: ReadFile
  try {
    file = isZip
      ? await xlsxSheet(bytes, maxRows + linesAbove, rest, isWanted)
      : ofText(csvRows(bytes, maxRows, linesAbove))
  } catch (e) {
    if (e instanceof Error && e.name === 'AppError') throw e
    throw broken()
  }
  // The end of the last line begins no row.
  while (file.rows.at(-1)?.every((cell) => cell === '')) file.rows.pop()
  return file
}

const ofText = (rows: string[][]): ReadFile => ({
  rows,
  isHidden: false,
  hiddenLines: new Set(),
  merged: [],
  uncomputed: new Set(),
  others: [],
})
