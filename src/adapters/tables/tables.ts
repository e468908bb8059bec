import type { Zip } from '../archive/port.ts'
import { csv } from './csv.ts'
import type { Tables } from './port.ts'
import { reader } from './read.ts'
import { xlsx } from './xlsx.ts'

export const createTables = (zip: Zip): Tables => ({
  csv,
  xlsx: (sheet, at, rest) => xlsx(zip, sheet, at, rest),
  read: reader(zip),
})
