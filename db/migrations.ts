// Written by scripts/generate.ts.
import m0000 from './migrations/0000_initial.sql' with { type: 'text' }
import m0001 from './migrations/0001_people_and_papers.sql' with { type: 'text' }
import m0002 from './migrations/0002_signed_copy_of_a_lease.sql' with { type: 'text' }
import m0003 from './migrations/0003_balance_of_messages.sql' with { type: 'text' }
import m0004 from './migrations/0004_webhook_deadline.sql' with { type: 'text' }
import m0005 from './migrations/0005_invoices_of_a_property_by_status.sql' with { type: 'text' }
import m0006 from './migrations/0006_four_eyes.sql' with { type: 'text' }
import m0007 from './migrations/0007_tenants_of_each_owner.sql' with { type: 'text' }
import m0008 from './migrations/0008_marks_of_transfers.sql' with { type: 'text' }
import m0009 from './migrations/0009_budgets.sql' with { type: 'text' }
import m0010 from './migrations/0010_papers_by_turns.sql' with { type: 'text' }
import m0011 from './migrations/0011_undo_of_a_number.sql' with { type: 'text' }
import m0012 from './migrations/0012_second_factor.sql' with { type: 'text' }
import m0013 from './migrations/0013_ends_undone.sql' with { type: 'text' }
import m0014 from './migrations/0014_audit_archives.sql' with { type: 'text' }
import m0015 from './migrations/0015_fewer_indexes_of_invoices.sql' with { type: 'text' }

/** All migrations in order; a migration's place in the list, from 1, is the database's user_version. */
export const migrations: readonly { name: string; sql: string }[] = [
  { name: '0000_initial', sql: m0000 },
  { name: '0001_people_and_papers', sql: m0001 },
  { name: '0002_signed_copy_of_a_lease', sql: m0002 },
  { name: '0003_balance_of_messages', sql: m0003 },
  { name: '0004_webhook_deadline', sql: m0004 },
  { name: '0005_invoices_of_a_property_by_status', sql: m0005 },
  { name: '0006_four_eyes', sql: m0006 },
  { name: '0007_tenants_of_each_owner', sql: m0007 },
  { name: '0008_marks_of_transfers', sql: m0008 },
  { name: '0009_budgets', sql: m0009 },
  { name: '0010_papers_by_turns', sql: m0010 },
  { name: '0011_undo_of_a_number', sql: m0011 },
  { name: '0012_second_factor', sql: m0012 },
  { name: '0013_ends_undone', sql: m0013 },
  { name: '0014_audit_archives', sql: m0014 },
  { name: '0015_fewer_indexes_of_invoices', sql: m0015 },
]
