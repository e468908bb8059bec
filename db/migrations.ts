// Written by scripts/generate.ts.
import m0000 from './migrations/0000_initial.sql' with { type: 'text' }
import m0001 from './migrations/0001_overview_search_pages.sql' with { type: 'text' }
import m0002 from './migrations/0002_runs_listed.sql' with { type: 'text' }
import m0003 from './migrations/0003_news_and_contact.sql' with { type: 'text' }
import m0004 from './migrations/0004_repairs_inspections.sql' with { type: 'text' }
import m0005 from './migrations/0005_deposits_credit_notes.sql' with { type: 'text' }
import m0006 from './migrations/0006_types_parties_caretakers.sql' with { type: 'text' }
import m0007 from './migrations/0007_rent_changes.sql' with { type: 'text' }
import m0008 from './migrations/0008_expenses_owner_transfers.sql' with { type: 'text' }
import m0009 from './migrations/0009_months_by_owner.sql' with { type: 'text' }
import m0010 from './migrations/0010_inspection_papers.sql' with { type: 'text' }
import m0011 from './migrations/0011_owner_transfer_key.sql' with { type: 'text' }
import m0012 from './migrations/0012_messages_per_day.sql' with { type: 'text' }
import m0013 from './migrations/0013_corrected_leases.sql' with { type: 'text' }
import m0014 from './migrations/0014_periods_invoiced_again.sql' with { type: 'text' }
import m0015 from './migrations/0015_charges_regularised.sql' with { type: 'text' }
import m0016 from './migrations/0016_set_offs.sql' with { type: 'text' }
import m0017 from './migrations/0017_shared_costs.sql' with { type: 'text' }
import m0018 from './migrations/0018_notes_by_reason.sql' with { type: 'text' }
import m0019 from './migrations/0019_deposits_plain.sql' with { type: 'text' }
import m0020 from './migrations/0020_fewer_invoice_indexes.sql' with { type: 'text' }
import m0021 from './migrations/0021_news_by_property.sql' with { type: 'text' }
import m0022 from './migrations/0022_messages_about_rent.sql' with { type: 'text' }
import m0023 from './migrations/0023_event_types.sql' with { type: 'text' }
import m0024 from './migrations/0024_former_secrets.sql' with { type: 'text' }
import m0025 from './migrations/0025_audit_changes.sql' with { type: 'text' }
import m0026 from './migrations/0026_recoveries.sql' with { type: 'text' }
import m0027 from './migrations/0027_co_tenant_phones.sql' with { type: 'text' }
import m0028 from './migrations/0028_transfers.sql' with { type: 'text' }
import m0029 from './migrations/0029_unused_indexes.sql' with { type: 'text' }
import m0030 from './migrations/0030_lease_payers.sql' with { type: 'text' }
import m0031 from './migrations/0031_countries.sql' with { type: 'text' }
import m0032 from './migrations/0032_waivers.sql' with { type: 'text' }
import m0033 from './migrations/0033_payers.sql' with { type: 'text' }
import m0034 from './migrations/0034_ledger.sql' with { type: 'text' }
import m0035 from './migrations/0035_messages_by_hand.sql' with { type: 'text' }
import m0036 from './migrations/0036_account_numbers.sql' with { type: 'text' }
import m0037 from './migrations/0037_business_leases.sql' with { type: 'text' }
import m0038 from './migrations/0038_imports_read.sql' with { type: 'text' }
import m0039 from './migrations/0039_unattributed.sql' with { type: 'text' }

/** All migrations in order; a migration's place in the list, from 1, is the database's user_version. */
export const migrations: readonly { name: string; sql: string }[] = [
  { name: '0000_initial', sql: m0000 },
  { name: '0001_overview_search_pages', sql: m0001 },
  { name: '0002_runs_listed', sql: m0002 },
  { name: '0003_news_and_contact', sql: m0003 },
  { name: '0004_repairs_inspections', sql: m0004 },
  { name: '0005_deposits_credit_notes', sql: m0005 },
  { name: '0006_types_parties_caretakers', sql: m0006 },
  { name: '0007_rent_changes', sql: m0007 },
  { name: '0008_expenses_owner_transfers', sql: m0008 },
  { name: '0009_months_by_owner', sql: m0009 },
  { name: '0010_inspection_papers', sql: m0010 },
  { name: '0011_owner_transfer_key', sql: m0011 },
  { name: '0012_messages_per_day', sql: m0012 },
  { name: '0013_corrected_leases', sql: m0013 },
  { name: '0014_periods_invoiced_again', sql: m0014 },
  { name: '0015_charges_regularised', sql: m0015 },
  { name: '0016_set_offs', sql: m0016 },
  { name: '0017_shared_costs', sql: m0017 },
  { name: '0018_notes_by_reason', sql: m0018 },
  { name: '0019_deposits_plain', sql: m0019 },
  { name: '0020_fewer_invoice_indexes', sql: m0020 },
  { name: '0021_news_by_property', sql: m0021 },
  { name: '0022_messages_about_rent', sql: m0022 },
  { name: '0023_event_types', sql: m0023 },
  { name: '0024_former_secrets', sql: m0024 },
  { name: '0025_audit_changes', sql: m0025 },
  { name: '0026_recoveries', sql: m0026 },
  { name: '0027_co_tenant_phones', sql: m0027 },
  { name: '0028_transfers', sql: m0028 },
  { name: '0029_unused_indexes', sql: m0029 },
  { name: '0030_lease_payers', sql: m0030 },
  { name: '0031_countries', sql: m0031 },
  { name: '0032_waivers', sql: m0032 },
  { name: '0033_payers', sql: m0033 },
  { name: '0034_ledger', sql: m0034 },
  { name: '0035_messages_by_hand', sql: m0035 },
  { name: '0036_account_numbers', sql: m0036 },
  { name: '0037_business_leases', sql: m0037 },
  { name: '0038_imports_read', sql: m0038 },
  { name: '0039_unattributed', sql: m0039 },
]
