import type { Zip } from '../archive/port.ts'
import { csv } from './csv.ts'
import type { Tables } from './port.ts'
import { xlsx } from './xlsx.ts'

export const createTables = (zip: Zip): Tables => ({
  csv,
  xlsx: (sheet, at, rest) => xlsx(zip, sheet, at, rest),
  // The parsers are loaded when a file comes: every start would wait for them.
  read: async (...file) => (await import('./read.ts')).readTable(...file),
})
