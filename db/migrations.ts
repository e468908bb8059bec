// Written by scripts/generate.ts.
import m0000 from './migrations/0000_initial.sql' with { type: 'text' }
import m0001 from './migrations/0001_webhooks.sql' with { type: 'text' }
import m0002 from './migrations/0002_money.sql' with { type: 'text' }
import m0003 from './migrations/0003_users.sql' with { type: 'text' }
import m0004 from './migrations/0004_reports.sql' with { type: 'text' }
import m0005 from './migrations/0005_messages.sql' with { type: 'text' }
import m0006 from './migrations/0006_reminders.sql' with { type: 'text' }
import m0007 from './migrations/0007_documents.sql' with { type: 'text' }
import m0008 from './migrations/0008_transfers.sql' with { type: 'text' }
import m0009 from './migrations/0009_exports.sql' with { type: 'text' }
import m0010 from './migrations/0010_payment_proof.sql' with { type: 'text' }
import m0011 from './migrations/0011_signing.sql' with { type: 'text' }

/** All migrations in order; a migration's place in the list, from 1, is the database's user_version. */
export const migrations: readonly { name: string; sql: string }[] = [
  { name: '0000_initial', sql: m0000 },
  { name: '0001_webhooks', sql: m0001 },
  { name: '0002_money', sql: m0002 },
  { name: '0003_users', sql: m0003 },
  { name: '0004_reports', sql: m0004 },
  { name: '0005_messages', sql: m0005 },
  { name: '0006_reminders', sql: m0006 },
  { name: '0007_documents', sql: m0007 },
  { name: '0008_transfers', sql: m0008 },
  { name: '0009_exports', sql: m0009 },
  { name: '0010_payment_proof', sql: m0010 },
  { name: '0011_signing', sql: m0011 },
]
