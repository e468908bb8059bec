import Database from 'better-sqlite3'
import type { Target } from '../../db/migrate.ts'

/** A made-up first release: houses with rooms, and a trigger of the one that names the other. */
const first = `CREATE TABLE house (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE room (
  id TEXT PRIMARY KEY NOT NULL,
  house_id TEXT NOT NULL REFERENCES house(id) ON DELETE CASCADE,
  label TEXT NOT NULL
) STRICT;
CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;`

/** Its second: the parent is rebuilt the way drizzle-kit writes it, statement by statement. */
export const rebuild = [
  'PRAGMA foreign_keys=OFF;--> statement-breakpoint',
  "CREATE TABLE __new_house (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, city TEXT DEFAULT 'Douala' NOT NULL) STRICT;",
  'INSERT INTO __new_house(id, name) SELECT id, name FROM house;--> statement-breakpoint',
  'DROP TABLE house;--> statement-breakpoint',
  'ALTER TABLE __new_house RENAME TO house;--> statement-breakpoint',
  'PRAGMA foreign_keys=ON;',
]
export const triggers = `DROP TRIGGER IF EXISTS house_name_follows;
CREATE TRIGGER house_name_follows AFTER UPDATE OF name ON house BEGIN
  UPDATE room SET label = NEW.name WHERE house_id = NEW.id;
END;
CREATE TRIGGER room_stays BEFORE DELETE ON room BEGIN SELECT RAISE(ABORT, 'rooms stay'); END;`

export const release = (...later: string[]): Target => ({
  migrations: [first, ...later].map((sql) => ({ sql })),
  triggers,
})

export const ROOMS_PER_HOUSE = 3
export const fillHouses = (client: Database.Database, houses: number): void => {
  client.exec(`insert into house with recursive n(i) as (values(1) union all select i + 1 from n where i < ${houses})
    select 'h' || i, 'House ' || i from n;
    insert into room select id || '.' || n, id, 'Room ' || n from house, (select 1 n union select 2 union select 3);
    insert into note values(1, 'keep me');`)
}

/** Everything a database holds and how it is made, to be compared. */
export const dump = (client: Database.Database) => {
  const all = (sql: string) => client.prepare(sql).all() as Record<string, unknown>[]
  const schema = all('select type, name, sql from sqlite_master order by name')
  return {
    schema,
    version: client.pragma('user_version', { simple: true }),
    rows: schema
      .filter(({ type }) => type === 'table')
      .map(({ name }) => [name, all(`select * from "${String(name)}" order by 1`)]),
  }
}

/** A database of the first release, with foreign keys on as the service has them. */
export const openOld = (file: string): Database.Database => {
  const client = new Database(file)
  client.pragma('journal_mode = WAL')
  client.pragma('foreign_keys = ON')
  return client
}
