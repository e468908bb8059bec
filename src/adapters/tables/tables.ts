import type { Zip } from '../archive/port.ts'
import { csv } from './csv.ts'
import type { Tables } from './port.ts'
import { xlsx } from './xlsx.ts'

export const createTables = (zip: Zip): Tables => ({
  csv,
  xlsx: (sheet, at, rest) => xlsx(zip, sheet, at, rest),
  // The parsers are loaded with the first file: they would slow down every start.
  read: async (...file) => (await import('./read.ts')).readTable(...file),
})
