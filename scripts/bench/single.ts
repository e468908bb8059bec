// The same service with one transaction a request in place of the group commit.

import type { Tx, Write } from '../../db/open.ts'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { buildDeps } from '../../src/deps.ts'
import { AppError, CommitThenFail } from '../../src/errors.ts'
import { silentLog } from '../../src/log.ts'

const { deps } = await buildDeps(loadConfig(process.env), silentLog)
const { client } = deps.store
const begin = client.prepare('BEGIN IMMEDIATE')
const commit = client.prepare('COMMIT')
const bump = client.prepare('update organization set version = version + 1 where id = ?')
const write: Write = async (orgId, fn) => {
  begin.run()
  const value = fn(deps.db as Tx)
  if (value instanceof CommitThenFail) throw new AppError('internal')
  if (orgId !== null) bump.run(orgId)
  commit.run()
  return value
}
const app = createApp({ ...deps, write })
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`)
