// The triggers and views of a database: those that several tables share, made from one list, and those of triggers.sql.
import guards from './ledger/guards.sql' with { type: 'text' }
import { SEARCHED } from './search-index.ts'
import own from './triggers.sql' with { type: 'text' }

/** Tables whose rows `row_count` counts for each organization. */
const COUNTED = ['property', 'unit', 'tenant', 'booking', 'money_message', 'expense', 'owner_transfer']

const counting = (table: string): string => `CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table}
BEGIN
  INSERT INTO row_count (org_id, kind, n) VALUES (NEW.org_id, '${table}', 1) ON CONFLICT (org_id, kind) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table}
BEGIN
  UPDATE row_count SET n = n - 1 WHERE org_id = OLD.org_id AND kind = '${table}';
END;
`

const searching = (
  table: string,
  columns: readonly string[],
): string => `CREATE TRIGGER ${table}_searched AFTER INSERT ON ${table}
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('${table}', NEW.id, 0);
END;
CREATE TRIGGER ${table}_unsearched AFTER DELETE ON ${table}
BEGIN
  DELETE FROM search WHERE rowid = (SELECT rowid FROM search('keys:' || replace(OLD.id, '-', '')));
END;
CREATE TRIGGER ${table}_search_follows AFTER UPDATE OF ${columns.join(', ')} ON ${table} WHEN ${columns.map((c) => `NEW.${c} IS NOT OLD.${c}`).join(' OR ')}
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('${table}', NEW.id, 1);
END;
INSERT INTO search_due (kind, ref, known) SELECT '${table}', id, 0 FROM ${table};
`

/** Made anew after every migration, when none of them is left; every row is due for the search index then. */
export const triggers = [
  own,
  guards,
  ...COUNTED.map(counting),
  ...Object.entries(SEARCHED).map(([table, columns]) => searching(table, columns)),
].join('')
