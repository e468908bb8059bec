// Written by scripts/generate.ts.
import m0000 from './migrations/0000_initial.sql' with { type: 'text' }
import m0001 from './migrations/0001_overview_and_filters.sql' with { type: 'text' }
import m0002 from './migrations/0002_pay_to.sql' with { type: 'text' }
import m0003 from './migrations/0003_media_position.sql' with { type: 'text' }
import m0004 from './migrations/0004_undelivered.sql' with { type: 'text' }
import m0005 from './migrations/0005_document_owner_kind.sql' with { type: 'text' }
import m0006 from './migrations/0006_document_number.sql' with { type: 'text' }

/** All migrations in order; a migration's place in the list, from 1, is the database's user_version. */
export const migrations: readonly { name: string; sql: string }[] = [
  { name: '0000_initial', sql: m0000 },
  { name: '0001_overview_and_filters', sql: m0001 },
  { name: '0002_pay_to', sql: m0002 },
  { name: '0003_media_position', sql: m0003 },
  { name: '0004_undelivered', sql: m0004 },
  { name: '0005_document_owner_kind', sql: m0005 },
  { name: '0006_document_number', sql: m0006 },
]
