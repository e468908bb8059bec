// A disk that fills up in a migration, an import or an upload: the old state or the new, nothing acknowledged lost, and it is called a disk.
import { afterAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { factsOf } from '../../db/copy.ts'
import { migrate } from '../../db/migrate.ts'
import { sha256 } from '../support/files.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { dump, fillHouses, openOld, rebuild, release } from '../support/old-schema.ts'
import { freePort, launch, type Server, startServer } from '../support/server.ts'
import { canMount, smallDisk } from './disk.ts'

afterAll(cleaner())

const MB = 2 ** 20
/** A small disk, and a way to leave so many bytes of it. */
function small(size: string) {
  const disk = smallDisk(temporaryFolder('brim'), size)
  if (!disk) throw new Error('no disk')
  const folder = dirname(disk.data)
  const ballast = join(folder, 'ballast')
  const leave = (bytes: number): void => {
    rmSync(ballast, { force: true })
    const { bavail, bsize } = statfsSync(folder)
    try {
      if (Number.isFinite(bytes)) writeFileSync(ballast, Buffer.alloc(Math.max(bavail * bsize - bytes, 0)))
    } catch (e) {
      // The service took some of it meanwhile: the disk is full all the same.
      if (!(e instanceof Error && 'code' in e && e.code === 'ENOSPC')) throw e
    }
  }
  return { ...disk, leave }
}
const filesIn = (data: string) =>
  Object.keys(contents(data)).filter((name) => /^(media|documents)\//.test(name) && !name.endsWith('.lock'))

test.skipIf(!canMount())('a migration: said, unchanged, nothing half copied; with room again it goes well', () => {
  const { data, leave, remove } = small('32m')
  try {
    const file = join(data, 'loyer.db')
    cpSync(oldRelease(), data, { recursive: true })
    const before = withDatabase(file, dump)
    const seen: string[] = []
    for (const bytes of [MB / 8, MB, 2 * MB, 3 * MB, 4 * MB, 5 * MB, 8 * MB]) {
      leave(bytes)
      const said = withDatabase(file, (client) => {
        try {
          return String(migrate(client, file, release(rebuild.join('\n'))))
        } catch (e) {
          return e instanceof Error ? e.message : String(e)
        }
      })
      if (said !== 'undefined') {
        expect([bytes, said]).toEqual([bytes, expect.stringMatching(/ is unchanged: .*(disk is full|no space)/)])
        leave(Number.POSITIVE_INFINITY)
        expect([bytes, withDatabase(file, dump)]).toEqual([bytes, before])
        expect(Object.keys(contents(data)).filter((name) => name.endsWith('.new'))).toEqual([])
      }
      seen.push(said === 'undefined' ? 'new' : (/copied|brought/.exec(said)?.[0] ?? said))
    }
    // The copy before found no room, then the migration itself, then there was enough.
    expect([...new Set(seen)]).toEqual(['copied', 'brought', 'new'])
  } finally {
    remove()
  }
})
function oldRelease(): string {
  const folder = temporaryFolder('old')
  const file = join(folder, 'loyer.db')
  const client = openOld(file)
  migrate(client, file, release())
  fillHouses(client, 10_000)
  client.close()
  return folder
}
function withDatabase<T>(file: string, work: (client: ReturnType<typeof openOld>) => T): T {
  const client = openOld(file)
  try {
    return work(client)
  } finally {
    client.close()
  }
}

test.skipIf(!canMount())(
  'bringing an organization in: said, none of it is left, and with room all of it comes',
  async () => {
    const home = temporaryFolder('home')
    const demo = await startServer({ data: home })
    const { body: me } = await demo.call(await demo.token('ADMIN'), 'GET /api/v1/me')
    await demo.end('SIGTERM')
    const zip = join(temporaryFolder('zip'), 'all.zip')
    const packed = launch({
      data: home,
      command: 'export',
      args: [zip, '--org', String(me.organizationId ?? me.orgId)],
    })
    expect([(await packed.end()).code, packed.output()]).toEqual([0, expect.stringContaining('files ')])
    const { data, leave, remove } = small('64m')
    try {
      const seen: string[] = []
      for (const bytes of [0, 4, 8, 60].map((n) => n * MB)) {
        leave(bytes)
        const bring = launch({ data, command: 'import', args: [zip, '--operator'] })
        const { code } = await bring.end()
        if (code === 0) seen.push('all')
        else {
          expect([bytes, bring.output()]).toEqual([bytes, expect.stringMatching(/disk is full|room on the disk/i)])
          leave(Number.POSITIVE_INFINITY)
          const database = join(data, 'loyer.db')
          const organizations = existsSync(database) ? factsOf(database).rows.organizations : 'no database'
          if (organizations !== 'no database') expect([bytes, filesIn(data), organizations]).toEqual([bytes, [], 0])
          seen.push(organizations === 'no database' ? 'no database' : 'nothing')
        }
        if (code === 0) break
      }
      expect([...new Set(seen)]).toEqual(['no database', 'nothing', 'all'])
      expect(filesIn(data).length).toBeGreaterThan(10)
    } finally {
      remove()
    }
  },
  120_000,
)

test.skipIf(!canMount())(
  'an upload and a file of rows in a running service: 503 that says disk, nothing half, and both go on with room',
  async () => {
    const { data, leave, remove } = small('64m')
    let server: Server | undefined
    try {
      server = await startServer({ data, port: await freePort() })
      const { base, call, token: tokenOf } = server
      const token = await tokenOf()
      const { body: me } = await call(token, 'GET /api/v1/me')
      const bytes = Buffer.alloc(6 * MB, '%PDF-1.7 loyer ')
      bytes.write('%%EOF', bytes.length - 5)
      const { body } = await call(token, 'POST /api/v1/media', {
        ...{ ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: 'a.pdf' },
        ...{ contentType: 'application/pdf', sizeBytes: bytes.length },
      })
      const { url, headers } = body.upload as { url: string; headers: Record<string, string> }
      const { pathname, search } = new URL(url)
      const put = async () => {
        const answer = await fetch(base + pathname + search, { method: 'PUT', headers, body: bytes })
        return `${answer.status} ${await answer.text()}`
      }
      const rows = Array.from({ length: 900 }, (_, i) => `Résidence ${i};Derrière le marché ${i};Douala;Appartement`)
      const csv = `Nom;Adresse;Ville;Type\n${rows.join('\n')}\n`
      const bring = () => call(token, 'POST /api/v1/imports', { kind: 'properties', csv })
      const first = 'GET /api/v1/properties?limit=50'
      const before = await call(token, first)

      leave(2 * MB)
      expect(await put()).toMatch(/^503 .*(disk|disque)/)
      leave(0)
      expect(await put()).toMatch(/^503 .*(disk|disque)/)
      // What lies ready in the log may still take the file itself; its rows then wait.
      const asked = await bring()
      expect([202, 503]).toContain(asked.status)
      if (asked.status === 503) expect(JSON.stringify(asked.body)).toContain('disk')
      await Bun.sleep(1500)
      expect((await call(token, first)).status).toBe(before.status)
      expect(filesIn(data).filter((name) => name.includes(String(body.id)))).toEqual([])

      leave(Number.POSITIVE_INFINITY)
      for (const until = Date.now() + 10_000; Date.now() < until; await Bun.sleep(200))
        if ((await fetch(`${base}/readyz`)).ok) break
      expect(await put()).toStartWith('204')
      expect((await call(token, `POST /api/v1/media/${body.id}/complete`, {})).status).toBe(200)
      const name = filesIn(data).find((one) => one.includes(String(body.id))) ?? ''
      expect(sha256(readFileSync(join(data, name)))).toBe(sha256(bytes))
      const run = asked.status === 202 ? asked : await bring()
      expect(run.status).toBe(202)
      let state = run.body
      for (const until = Date.now() + 60_000; Date.now() < until; await Bun.sleep(300)) {
        state = (await call(token, `GET /api/v1/imports/${run.body.id}`)).body
        if (state.status === 'SUCCEEDED' || state.status === 'FAILED') break
      }
      expect(state).toMatchObject({ status: 'SUCCEEDED', rows: 900, rowsDone: 900, problemCount: 0 })
      expect(readdirSync(join(data, 'media/tmp'))).toEqual([])
      expect((await server.end('SIGTERM')).code).toBe(0)
    } finally {
      await server?.end('SIGKILL')
      remove()
    }
  },
  150_000,
)
