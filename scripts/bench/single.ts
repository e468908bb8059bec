// The same service with one transaction a request in place of the group commit.

import type { Tx, Write } from '../../db/open.ts'
import { indexing } from '../../db/search-index.ts'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { AppError, CommitThenFail } from '../../src/errors.ts'
import { buffered, createLog } from '../../src/log.ts'
import { buildDeps } from '../../src/wiring.ts'

const log = createLog(
  buffered((line) => void process.stdout.write(line)),
  Date.now,
)
const { deps } = await buildDeps(loadConfig(process.env), log)
const { client } = deps.store
const begin = client.prepare('BEGIN IMMEDIATE')
const commit = client.prepare('COMMIT')
const bump = client.prepare('update organization set version = version + 1 where id = ?')
const index = indexing(client)
const write: Write = async (orgId, fn, { unseen } = {}) => {
  begin.run()
  const value = fn(deps.db as Tx)
  if (value instanceof CommitThenFail) throw new AppError('internal')
  unseen?.(deps.db as Tx, value)
  index()
  if (orgId !== null) bump.run(orgId)
  commit.run()
  return value
}
const app = createApp({ ...deps, write })
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: deps.observer.observed(app.fetch, app.routeOf) })
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`)
