// Bringing a database up to date: everything or nothing, and no row is lost on the way.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { migrate } from '../../db/migrate.ts'
import { attach } from '../../db/open.ts'
import { isDamage } from '../../db/store-error.ts'
import { cleaner, modeOf, temporaryFolder } from '../support/folder.ts'
import { dump, fillHouses, openOld, ROOMS_PER_HOUSE, rebuild, release, triggers } from '../support/old-schema.ts'
import { refusal } from '../support/stored.ts'

afterAll(cleaner())

const HOUSES = 40
function oldDatabase() {
  const folder = temporaryFolder()
  const file = join(folder, 'loyer.db')
  const client = openOld(file)
  migrate(client, file, release())
  fillHouses(client, HOUSES)
  return { folder, file, client, backups: join(folder, 'backups') }
}
const one = (client: Database.Database, sql: string) => client.prepare(sql).pluck().get()

test('rebuilding a parent table loses no child, no trigger, no foreign key', () => {
  const { client, file } = oldDatabase()
  migrate(client, file, release(rebuild.join('\n')))
  expect({
    houses: one(client, "select count(*) from house where city = 'Douala'"),
    rooms: one(client, 'select count(*) from room join house on house.id = house_id'),
    triggers: client.prepare("select name from sqlite_master where type = 'trigger' order by 1").pluck().all(),
    version: client.pragma('user_version', { simple: true }),
    keys: client.pragma('foreign_keys', { simple: true }),
  }).toEqual({
    houses: HOUSES,
    rooms: HOUSES * ROOMS_PER_HOUSE,
    triggers: ['house_name_follows', 'room_stays'],
    version: 2,
    keys: 1,
  })
  expect(() => client.exec("insert into room values('x', 'nowhere', 'x')")).toThrow(/FOREIGN KEY/)
})

test('a view on a table that is rebuilt neither stops it nor stays as it was', () => {
  const { client, file } = oldDatabase()
  const view = 'CREATE VIEW named_house AS SELECT name FROM house;'
  migrate(client, file, {
    ...release(),
    triggers: `${triggers}\n${view} CREATE VIEW unwanted AS SELECT id FROM house;`,
  })
  const wanted = `${triggers}\n${view.replace('SELECT name', "SELECT name || ', ' || city AS name")}`
  migrate(client, file, { ...release(rebuild.join('\n')), triggers: wanted })
  expect(client.prepare("select name from sqlite_master where type = 'view'").pluck().all()).toEqual(['named_house'])
  expect(one(client, "select name from named_house where name like 'House 1,%'")).toBe('House 1, Douala')
})

test('the copy made before is whole, private and of the old schema', () => {
  const { client, file, backups } = oldDatabase()
  const before = dump(client)
  migrate(client, file, release(rebuild.join('\n')))
  expect(readdirSync(backups)).toEqual(['before-schema-2.db'])
  const copy = join(backups, 'before-schema-2.db')
  expect([modeOf(backups), modeOf(copy)]).toEqual(['700', '600'])
  expect(dump(new Database(copy, { readonly: true }))).toEqual(before)
})

test('a start that fails again and again keeps one copy, not one each time', () => {
  const { client, file, backups } = oldDatabase()
  for (let i = 0; i < 3; i++) refusal(() => migrate(client, file, release('select nonsense')))
  expect(readdirSync(backups)).toEqual(['before-schema-2.db'])
})

test('damage that the update meets is called damage, and nothing was changed', () => {
  const { client } = oldDatabase()
  const root = Number(one(client, "select rootpage from sqlite_master where name = 'room'"))
  const bytes = client.serialize()
  bytes.fill(0xaa, (root - 1) * 4096, root * 4096)
  // A database in memory has no write-ahead log.
  bytes.fill(1, 18, 20)
  const damaged = new Database(bytes)
  let failed: unknown
  try {
    migrate(damaged, ':memory:', release('create index room_again on room(id)'))
  } catch (e) {
    failed = e
  }
  expect([isDamage(failed), one(damaged, 'pragma user_version')]).toEqual([true, 1])
})

test('of the copies of many updates the last three stay, and nothing else is touched', () => {
  const { client, file, backups } = oldDatabase()
  mkdirSync(backups)
  for (const name of [
    'before-schema-1.db',
    'before-schema-10.db',
    'before-schema-9.db',
    'before-schema-x.db',
    'mine.db',
  ])
    writeFileSync(join(backups, name), '')
  migrate(client, file, release(rebuild.join('\n')))
  expect(readdirSync(backups).sort()).toEqual(
    ['before-schema-10.db', 'before-schema-2.db', 'before-schema-9.db', 'before-schema-x.db', 'mine.db'].sort(),
  )
})

const failures: { name: string; sql: string; says: RegExp }[] = [
  ...rebuild.map((_, i) => ({
    name: `a bad statement after step ${i + 1} of the rebuild`,
    sql: [...rebuild.slice(0, i + 1), 'SELECT nonsense FROM nowhere;', ...rebuild.slice(i + 1)].join('\n'),
    says: /nowhere/,
  })),
  { name: 'a syntax error', sql: 'CREATE TABL x (a);', says: /syntax error/ },
  { name: 'rows deleted without a word', sql: 'DELETE FROM note WHERE id = 1;', says: /rows of note would be lost/ },
  { name: 'a table dropped without a word', sql: 'DROP TABLE note;', says: /rows of note would be lost/ },
  { name: 'a similar word is no permission', sql: '-- changes: notes\nDROP TABLE note;', says: /rows of note/ },
  {
    name: 'children left without a parent',
    sql: "-- changes: house\nDELETE FROM house WHERE id = 'h1';",
    says: /rows of room would refer to rows that are gone/,
  },
]
for (const { name, sql, says } of failures)
  test(`nothing is half done: ${name}`, () => {
    const { client, file } = oldDatabase()
    const before = dump(client)
    const { exitCode, message } = refusal(() => migrate(client, file, release(sql)))
    expect({ exitCode, message }).toEqual({ exitCode: 70, message: expect.stringMatching(says) })
    expect(message).toContain('is unchanged')
    expect(dump(client)).toEqual(before)
    expect({ open: client.inTransaction, keys: client.pragma('foreign_keys', { simple: true }) }).toEqual({
      open: false,
      keys: 1,
    })
    // The next program, in order again, is not held up by what failed.
    migrate(client, file, release(rebuild.join('\n')))
    expect(one(client, 'select count(*) from room')).toBe(HOUSES * ROOMS_PER_HOUSE)
  })

test('several files run as one: the last failing undoes the first', () => {
  const { client, file } = oldDatabase()
  const before = dump(client)
  refusal(() =>
    migrate(client, file, release(rebuild.join('\n'), 'CREATE TABLE fine (a TEXT) STRICT;', 'DROP TABLE x')),
  )
  expect(dump(client)).toEqual(before)
})

test('a migration that says so may remove rows', () => {
  const { client, file } = oldDatabase()
  migrate(client, file, release('-- changes: note\nDROP TABLE note;'))
  expect(one(client, "select count(*) from sqlite_master where name = 'note'")).toBe(0)
})

test('without room for the copy nothing is migrated', () => {
  const { client, file, backups } = oldDatabase()
  writeFileSync(backups, 'a file where the folder should be')
  const before = dump(client)
  const { exitCode, message } = refusal(() => migrate(client, file, release(rebuild.join('\n'))))
  expect({ exitCode, message }).toEqual({
    exitCode: 70,
    message: expect.stringMatching(/could not be copied.*Make room/),
  })
  expect(dump(client)).toEqual(before)
})

test('a disk that fills up in the middle undoes all of it', () => {
  const { client, file } = oldDatabase()
  const before = dump(client)
  const pages = client.pragma('page_count', { simple: true }) as number
  client.pragma(`max_page_count = ${pages + 2}`)
  const grow = 'CREATE TABLE big AS SELECT hex(randomblob(4000)) h FROM room;'
  expect(refusal(() => migrate(client, file, release(grow))).message).toMatch(/full.*|unchanged/)
  expect(client.inTransaction).toBe(false)
  client.pragma('max_page_count = 1000000')
  expect(dump(client)).toEqual(before)
})

test('a newer database is refused and not copied', () => {
  const { client, file, backups } = oldDatabase()
  client.pragma('user_version = 3')
  const before = dump(client)
  expect(refusal(() => migrate(client, file, release(rebuild.join('\n')))).exitCode).toBe(65)
  expect(dump(client)).toEqual(before)
  expect(existsSync(backups)).toBe(false)
})

test('up to date means untouched: no copy, no write', () => {
  const { client, file, backups } = oldDatabase()
  const schema = client.pragma('schema_version', { simple: true })
  migrate(client, file, release())
  expect(client.pragma('schema_version', { simple: true })).toBe(schema)
  expect(existsSync(backups)).toBe(false)
})

test('changed triggers reach a database whose tables did not change, and old ones go', () => {
  const { client, file, backups } = oldDatabase()
  const changed = triggers
    .replace('SET label = NEW.name', "SET label = NEW.name || '!'")
    .replace(/CREATE TRIGGER room_.*/, '')
  migrate(client, file, { ...release(), triggers: changed })
  client.exec("update house set name = 'Villa' where id = 'h1'")
  expect(one(client, "select group_concat(distinct label) from room where house_id = 'h1'")).toBe('Villa!')
  expect(one(client, "select count(*) from sqlite_master where type = 'trigger'")).toBe(1)
  expect(existsSync(backups)).toBe(false)
})

test("this program's own schema is up to date after one run", () => {
  const { client } = attach(new Database(':memory:'))
  const schema = client.pragma('schema_version', { simple: true })
  migrate(client, ':memory:')
  expect(client.pragma('schema_version', { simple: true })).toBe(schema)
})

test('a migration that was changed after it was applied: the start is refused and changes nothing; an old database gets its digests', async () => {
  const settings = 'CREATE TABLE setting (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;'
  const folder = temporaryFolder()
  const file = join(folder, 'loyer.db')
  const client = openOld(file)
  const noted = () => String(one(client, "select value from setting where key = 'migrations'")).split(' ')
  migrate(client, file, release(settings))
  const first = noted()
  expect(first).toHaveLength(2)
  // As one that an older program left.
  client.exec("delete from setting where key = 'migrations'")
  migrate(client, file, release(settings))
  expect(noted()).toEqual(first)

  const another = 'CREATE TABLE more (id TEXT PRIMARY KEY NOT NULL) STRICT;'
  const before = dump(client)
  for (const later of [[], [another]]) {
    const changed = release(`${settings}\n-- another word`, ...later)
    const refused = refusal(() => migrate(client, file, changed))
    expect([refused.exitCode, refused.message]).toEqual([65, expect.stringContaining('another step 2 than')])
    expect(dump(client)).toEqual(before)
  }
  migrate(client, file, release(settings, another))
  expect([noted().length, noted().slice(0, 2)]).toEqual([3, first])
})
