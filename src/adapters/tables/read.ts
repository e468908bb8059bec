import { Unzip, UnzipInflate } from 'fflate'
import Papa from 'papaparse'
import { readSheet } from 'read-excel-file/universal'
import { invalid } from '../../errors.ts'
import type { Zip } from '../archive/port.ts'
import type { ReadTable } from './port.ts'

/** A spreadsheet unpacks to this at most; what is larger is a bomb, or no list of leases. */
const MAX_UNPACKED = 48 * 1024 * 1024
const MAX_PARTS = 200
/** So small that one piece of a bomb, a thousand times as large when unpacked, is no harm. */
const PIECE = 4096
const MAX_COLUMNS = 100

const notRead = (en: string, fr: string) => invalid('/file', en, fr)
const tooMany = (rows: number) =>
  notRead(
    `The file has more than ${rows} rows. Divide it and bring in one part after the other.`,
    `Le fichier a plus de ${rows} lignes. Divisez-le et importez-le en plusieurs parties.`,
  )
const unknownEncoding = () =>
  notRead(
    'The characters of this file cannot be read. Save it as "CSV UTF-8" and try again.',
    'Les caractères de ce fichier sont illisibles. Enregistrez-le au format « CSV UTF-8 » et réessayez.',
  )
const broken = () =>
  notRead('This is no CSV or XLSX file, or it is damaged.', "Ce n'est pas un fichier CSV ou XLSX, ou il est abîmé.")

/** UTF-8, UTF-16 with its mark, or what Excel for Windows writes in French; anything else is refused. */
function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  const decode = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(bytes)
  try {
    if (a === 0xff && b === 0xfe) return decode('utf-16le')
    if (a === 0xfe && b === 0xff) return decode('utf-16be')
    if (bytes.includes(0)) throw new TypeError('no text')
    try {
      return decode('utf-8')
    } catch {
      const text = decode('windows-1252')
      // Bytes that Windows-1252 does not know come out as control characters.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
      if (/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)) throw new TypeError('no text')
      return text
    }
  } catch {
    throw unknownEncoding()
  }
}

/** What divides the headings: they hold none of the three, while cells may hold all. */
function delimiterOf(text: string): string {
  const line = /^[\ufeff\r\n]*([^\r\n]*)/.exec(text)?.[1]?.replace(/"[^"]*"/g, '') ?? ''
  const times = (d: string): number => line.split(d).length
  return [';', '\t', ','].reduce((best, d) => (times(d) > times(best) ? d : best))
}

function csvRows(bytes: Uint8Array, maxRows: number): string[][] {
  // A first line that names the delimiter is for spreadsheet programs, which show the next one as the first.
  const whole = textOf(bytes)
  const [mark = '', named] = /^\ufeff?sep=([;,\t])\r?\n/i.exec(whole) ?? []
  const text = whole.slice(mark.length)
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: named ?? delimiterOf(text), preview: maxRows + 2 })
  if (errors.some((e) => e.type === 'Quotes')) throw broken()
  return data
}

/** Unpacks the parts that hold text, counting every byte. */
async function parts(bytes: Uint8Array<ArrayBuffer>, rest: () => Promise<void>) {
  const found: { name: string; chunks: Uint8Array[] }[] = []
  let size = 0
  let failure: unknown
  const unzip = new Unzip((file) => {
    const part = { name: file.name, chunks: [] as Uint8Array[] }
    if (!/\.(xml|rels)$/.test(file.name)) return
    found.push(part)
    file.ondata = (error, chunk) => {
      size += chunk?.byteLength ?? 0
      if (error) failure ??= error
      else if (size <= MAX_UNPACKED) part.chunks.push(chunk)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.byteLength)
    if (size > MAX_UNPACKED || found.length > MAX_PARTS)
      throw notRead('The file unpacks to too much.', 'Le fichier décompressé est trop volumineux.')
    if (failure) throw broken()
    await rest()
  }
  return found
}

const cellText = (cell: unknown): string =>
  cell instanceof Date ? cell.toISOString().slice(0, 10) : cell === null || cell === undefined ? '' : String(cell)

async function xlsxRows(zip: Zip, bytes: Uint8Array<ArrayBuffer>, rest: () => Promise<void>) {
  const safe = await parts(bytes, rest)
  const files = safe.map(({ name, chunks }) => ({ name, content: chunks, stored: true }))
  const repacked = await new Response(zip(files, new Date('2000-01-01T00:00:00Z'))).blob()
  const rows = await readSheet(repacked)
  return rows.map((row) => row.slice(0, MAX_COLUMNS).map(cellText))
}

/** The rows of a file, its kind told by its first bytes. */
export const reader =
  (zip: Zip): ReadTable =>
  async (bytes, maxRows, rest) => {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
    let rows: string[][]
    try {
      rows = isZip ? await xlsxRows(zip, bytes, rest) : csvRows(bytes, maxRows)
    } catch (e) {
      if (e instanceof Error && e.name === 'AppError') throw e
      throw broken()
    }
    // The end of the last line begins no row.
    while (rows.at(-1)?.every((cell) => cell === '')) rows.pop()
    if (rows.length > maxRows + 1) throw tooMany(maxRows)
    return rows
  }
