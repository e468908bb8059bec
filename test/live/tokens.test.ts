// reliability T-01 over real sockets: the twenty bad tokens on every secured route of the running service.
import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTestApp, uuid } from '../support/app.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { fill, securedRoutes } from '../support/routes.ts'
import { freePort, startServer } from '../support/server.ts'
import { createIssuer, createKey, startKeyServer } from '../support/tokens.ts'

afterAll(cleaner())
const routes = securedRoutes(createTestApp().app).map(({ line }) => line)
const BINARY = join(import.meta.dirname, '../../dist/loyer')

async function matrix(program?: string): Promise<void> {
  const key = createKey('live')
  const keys = await startKeyServer([key.jwk])
  const auth = keys.url.replace('/certs', '')
  const port = await freePort()
  const server = await startServer({
    ...{ data: temporaryFolder('tokens'), command: 'serve', port, env: { AUTH_URL: auth } },
    ...(program === undefined ? {} : { program }),
  })
  const { mint, badTokens } = createIssuer(`${auth}/realms/svc`, Date.now, key)
  const good = await server.call(mint(), 'GET /api/v1/me')
  expect(good.status).toBe(200)
  const wrong: string[] = []
  let asked = 0
  for (const { name, header, query, live } of badTokens())
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (const line of routes.filter((_, i) => i % 4 === lane)) {
          const [method = '', path = ''] = fill(line, uuid('anything')).split(' ')
          const authorization = query ? `Bearer ${mint()}` : header
          const answer = await fetch(`${server.base}${path}${query ? `?${query}` : ''}`, {
            method,
            headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
            ...(method === 'GET' ? {} : { body: '{}' }),
          })
          asked += 1
          const text = await answer.text()
          const expected = live ?? 401
          const challenged =
            expected !== 401 || answer.headers.get('www-authenticate')?.startsWith('Bearer realm="svc"')
          if (answer.status !== expected || !challenged)
            wrong.push(`${name} · ${line}: ${answer.status} ${text.slice(0, 80)}`)
        }
      }),
    )
  expect(wrong).toEqual([])
  expect(asked).toBe(20 * routes.length)
  expect((await server.end('SIGTERM')).code).toBe(0)
  await keys.close()
}

test('from source', () => matrix(), 120_000)
test.skipIf(!existsSync(BINARY))('the binary, where it is built', () => matrix(BINARY), 120_000)
