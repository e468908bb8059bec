import { join } from 'node:path'
import { removeAll, temporaryFolder } from '../db/files.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { silentLog } from './log.ts'
import { buildDeps } from './wiring.ts'

/** What GET /openapi.json answers with these settings, without listening and without touching the data folder. */
export async function openApiDocument(config: Config): Promise<Record<string, unknown>> {
  const dataDir = temporaryFolder('loyer-openapi-')
  try {
    // No token is signed here, and an ES256 key is a hundred times faster to make.
    const settings: Config = {
      ...config,
      dataDir,
      databaseFile: join(dataDir, 'loyer.db'),
      signingAlg: 'ES256',
    }
    const { deps, close } = await buildDeps(settings, silentLog)
    try {
      const response = await createApp({ ...deps, setup: undefined }).handle(
        new Request('http://localhost/openapi.json'),
      )
      return (await response.json()) as Record<string, unknown>
    } finally {
      await close()
    }
  } finally {
    removeAll(dataDir)
  }
}
