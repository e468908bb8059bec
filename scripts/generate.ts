// `npm run db:generate -- --name add_tenants`: writes the next migration from db/schema, and db/migrations.ts.
// Arguments go on to drizzle-kit (`--custom` makes an empty file to fill by hand). Run it again after deleting a file.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'db/migrations')
const require = createRequire(import.meta.url)

/** Runs a package's command with the present runtime, so that no Node is needed; stops the script when it fails. */
const run = (packageName: string, command: string, args: string[]): void => {
  const file = join(dirname(require.resolve(`${packageName}/package.json`)), command)
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** drizzle-kit cannot express STRICT: SQLite would take the text 'abc' for an integer column. */
export const strict = (sql: string): string => sql.replaceAll(/^(CREATE TABLE [^;]*\n)\);/gm, '$1) STRICT;')

/** The module that lists the migrations in order; text imports work in Bun, Deno and inside the compiled binary. */
export const migrationsModule = (files: readonly string[]): string => {
  const names = files.map((file) => file.replace(/\.sql$/, ''))
  const imports = names.map(
    (name) => `import m${name.slice(0, 4)} from './migrations/${name}.sql' with { type: 'text' }`,
  )
  const rows = names.map((name) => `  { name: '${name}', sql: m${name.slice(0, 4)} },`)
  const list = rows.length === 0 ? '[]' : `[\n${rows.join('\n')}\n]`
  return `// Written by scripts/generate.ts.
${imports.join('\n')}${imports.length === 0 ? '' : '\n\n'}/** All migrations in order; a migration's place in the list, from 1, is the database's user_version. */
export const migrations: readonly { name: string; sql: string }[] = ${list}
`
}

if (import.meta.main) {
  run('drizzle-kit', 'bin.cjs', ['generate', '--config', 'db/drizzle.config.ts', ...process.argv.slice(2)])
  const files = readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
  for (const file of files) {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    const after = strict(before)
    if (after !== before) writeFileSync(path, after)
  }
  writeFileSync(join(root, 'db/migrations.ts'), migrationsModule(files))
  run('@biomejs/biome', 'bin/biome', ['check', '--write', '--log-level=warn', 'db/migrations.ts', 'db/migrations/meta'])
}
