// A look into the database with another program takes the log away from a service that lost its locks, and with it all acknowledged later.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { startServer } from '../support/server.ts'

afterAll(cleaner())

const LOCKS = '/proc/locks'

test.skipIf(!existsSync(LOCKS))(
  'the locks of the database and of its lock file are held, whatever the service is asked',
  async () => {
    const data = temporaryFolder('locks')
    const server = await startServer({ data })
    const admin = await server.token('ADMIN')
    const files = ['loyer.db', 'loyer.db.lock'].map((name) => join(data, name))
    const held = () => {
      const lines = readFileSync(LOCKS, 'utf8').split('\n')
      return files.map((file) => lines.some((line) => line.includes(`:${statSync(file).ino} `)))
    }
    const csv = 'Nom;Adresse;Ville;Type\nTour;Rue 2;Yaoundé;Bureau\n'
    const asked: [line: string, status: number, body?: object][] = [
      ['GET /readyz', 200],
      ['GET /healthz', 200],
      ['GET /metrics', 200],
      ['POST /api/v1/properties', 201, { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }],
      ['POST /api/v1/imports', 202, { kind: 'properties', csv }],
      ['POST /api/v1/exports', 202, {}],
      ['GET /api/v1/reports/rent-roll?from=2026-01-01&to=2026-06-30', 200],
      ['GET /api/v1/account/export', 200],
    ]
    for (const [line, status, body] of asked) {
      expect([line, (await server.call(admin, line, body)).status]).toEqual([line, status])
      expect([line, held()]).toEqual([line, [true, true]])
    }
    await Bun.sleep(1000)
    expect(held()).toEqual([true, true])
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  60_000,
)
