// `npm run db:keep`: keeps a database of today's schema and what its people see, for test/storage/upgrade.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { migrations } from '../../db/migrations.ts'
import { createTestApp } from '../support/app.ts'
import { LISTS } from '../support/lists.ts'
import { world } from '../support/world.ts'

const folder = join(import.meta.dirname, 'schemas')
const t = createTestApp()
const w = await world(t)
const seen: unknown[] = []
for (const { line, of, who } of LISTS)
  for (const name of who) {
    const asked = `${line.replace(':id', of?.(w) ?? '')}?limit=200`
    const { body } = await t.call(w.as[name], asked)
    seen.push({ as: w.as[name], line: asked, body })
  }
const name = migrations.at(-1)?.name ?? ''
mkdirSync(folder, { recursive: true })
t.deps.store.client.exec('vacuum')
writeFileSync(join(folder, `${name}.db.gz`), gzipSync(t.deps.store.client.serialize(), { level: 9 }))
writeFileSync(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(seen), { level: 9 }))
process.exit(0)
