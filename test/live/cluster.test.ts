// Several machines on one log of changes: whichever node answers, the service is one. Over a real libSQL server.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { sqld, startCluster } from '../support/cluster.ts'
import { cleaner } from '../support/folder.ts'
import { PASSWORD, PHONE, type Realm, refresh, signInForTokens } from '../support/oidc.ts'
import { launch, type Server } from '../support/server.ts'

const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }
const POST = 'POST /api/v1/properties'
type Cluster = Awaited<ReturnType<typeof startCluster>>

async function until(holds: () => boolean | Promise<boolean>, ms = 60_000): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late; await Bun.sleep(25))
    if (await holds()) return true
  return false
}
const ready = async ({ base }: Server) =>
  (await (await fetch(`${base}/readyz`)).json()) as { primary?: string; lagMs?: number }
async function account(
  cluster: Cluster,
  phone: string,
  role: string,
  ...more: string[]
): Promise<Record<string, string>> {
  const args = ['--phone', phone, '--role', role, '--first-name', 'Awa', '--last-name', 'Ngo', ...more]
  const made = launch({ data: cluster.dataOf('a'), command: 'user create', args, env: cluster.env })
  expect((await made.end()).code).toBe(0)
  return Object.fromEntries(
    made
      .output()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
}
const idsOf = async (server: Server, token: string): Promise<string[]> => {
  const found: string[] = []
  let path: string | undefined = '/api/v1/properties?limit=100'
  while (path !== undefined) {
    const answer: Response = await fetch(server.base + path, { headers: { authorization: `Bearer ${token}` } })
    found.push(...((await answer.json()) as { id: string }[]).map(({ id }) => id))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    path = next?.slice(next.indexOf('/api/'))
  }
  return found
}
/** All rows of a node that has ended; without what each node has for itself. */
async function rowsOf(data: string): Promise<Record<string, unknown[]>> {
  const copy = `${data}.read`
  cpSync(join(data, 'loyer.db'), join(copy, 'loyer.db'))
  const store = openStore(join(copy, 'loyer.db'), undefined, 'joining')
  const tables = store.client
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not in ('setting', 'search_idx', 'search_docsize', 'search_data', 'search_content', 'search_config', 'search')",
    )
    .pluck()
    .all() as string[]
  const found = Object.fromEntries(
    tables.map((t) => [t, store.client.prepare(`select * from "${t}" order by rowid`).all()]),
  )
  await store.close()
  rmSync(copy, { recursive: true })
  return found
}

afterAll(cleaner())

describe.skipIf(sqld === undefined)('two nodes and a primary (not here: no libSQL server)', () => {
  let cluster: Cluster
  let a: Server
  let b: Server
  let admin: string
  let owner: Record<string, string>
  beforeAll(async () => {
    cluster = await startCluster()
    const first = await account(cluster, PHONE, 'OWNER,ADMIN', '--password', PASSWORD)
    owner = await account(cluster, '+237670000002', 'OWNER', '--org', first.organization ?? '')
    a = await cluster.node('a')
    b = await cluster.node('b')
    admin = String(
      (await a.call('', 'POST /api/v1/sandbox/token', { username: PHONE, password: PASSWORD })).body.access_token,
    )
  }, 180_000)

  test('say that they are nodes', async () => {
    for (const node of [a, b]) {
      const { primary, lagMs = 99_999 } = await ready(node)
      expect({ primary, soon: lagMs < 10_000 }).toEqual({ primary: 'REACHED', soon: true })
      const metrics = await (await fetch(`${node.base}/metrics`)).text()
      expect(metrics).toContain('loyer_cluster_primary_reached 1\n')
      expect(metrics).not.toMatch(/^# HELP \S+ $/m)
    }
  })

  test('what one writes the other shows at once by its id, and in lists soon', async () => {
    const { body } = await a.call(admin, POST, VILLA)
    const one = await b.call(admin, `GET /api/v1/properties/${body.id}`)
    expect(one.status).toBe(200)
    const same = await a.call(admin, `GET /api/v1/properties/${body.id}`)
    expect(one.headers.get('etag')).toBe(same.headers.get('etag'))
    const second = await a.call(admin, POST, VILLA)
    // Half a second on a quiet machine.
    expect(await until(async () => (await idsOf(b, admin)).includes(String(second.body.id)), 10_000)).toBe(true)
  })

  test('a stale ETag is refused by the other; a conflict too', async () => {
    const { body, headers } = await a.call(admin, POST, VILLA)
    const line = `PATCH /api/v1/properties/${body.id}`
    const match = { 'if-match': headers.get('etag') ?? '' }
    expect((await b.call(admin, line, { name: 'Neu' }, match)).status).toBe(200)
    expect((await a.call(admin, line, { name: 'Alt' }, match)).status).toBe(412)
    expect((await b.call(admin, `POST /api/v1/properties/${body.id}/archive`)).status).toBe(200)
    expect((await a.call(admin, `POST /api/v1/properties/${body.id}/publish`)).body).toMatchObject({
      code: 'invalid_state',
    })
    const both = await a.call(admin, POST, VILLA)
    const tag = { 'if-match': both.headers.get('etag') ?? '' }
    const rivals = await Promise.all(
      [a, b].map((node) => node.call(admin, `PATCH /api/v1/properties/${both.body.id}`, { name: 'X' }, tag)),
    )
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('an Idempotency-Key holds on both, also at the same moment', async () => {
    const key = { 'idempotency-key': 'the-same-key-of-both' }
    const answers = await Promise.all(
      [a, b, a, b].map((node) => node.call(admin, POST, { ...VILLA, name: 'Once' }, key)),
    )
    const later = await b.call(admin, POST, { ...VILLA, name: 'Once' }, key)
    expect(later.headers.get('idempotency-replayed')).toBe('true')
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set([...made, later].map(({ body }) => body.id)).size).toBe(1)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  })

  test('a sign-in begun on one ends on the other, and so does its refresh; a code is used once', async () => {
    let turn = 0
    const issuer = `${cluster.env.PUBLIC_URL}/realms/svc`
    /** Each request goes to the node whose turn it is. */
    const realm: Realm = {
      issuer,
      fetch: (request) => {
        turn += 1
        const { base } = turn % 2 ? a : b
        const url = request.url.replace(cluster.env.PUBLIC_URL, base)
        return fetch(new Request(url, request), { redirect: 'manual' })
      },
    }
    const tokens = await signInForTokens(realm)
    for (const node of [a, b]) expect((await node.call(tokens.access_token, 'GET /api/v1/me')).status).toBe(200)
    const next = await refresh(realm, tokens.refresh_token)
    expect(next.status).toBe(200)
    for (const node of [a, b]) expect((await node.call(next.body.access_token, 'GET /api/v1/me')).status).toBe(200)
    expect(turn).toBeGreaterThan(5)

    const phoneNumber = '+237677000333'
    const { body } = await a.call('', 'POST /api/v1/registration/otp', { phoneNumber })
    const inbox = async (node: Server) =>
      (await (await fetch(`${node.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phoneNumber)}`)).json()) as {
        code?: string
      }[]
    expect(await until(async () => (await inbox(a)).length > 0)).toBe(true)
    const given = { challengeId: body.challengeId, code: (await inbox(a))[0]?.code }
    const verified = await Promise.all(
      [a, b].map((node) => node.call('', 'POST /api/v1/registration/otp/verify', given)),
    )
    expect(verified.filter(({ status }) => status === 200)).toHaveLength(1)
    // Both nodes look for work: the message left once.
    expect(await until(async () => (await inbox(b)).length > 0)).toBe(true)
    await Bun.sleep(1500)
    for (const node of [a, b]) expect(await inbox(node)).toHaveLength(1)
  }, 180_000)

  test('a role taken away on one counts on the other, and an account that is disabled', async () => {
    const given = { username: '+237670000002', password: owner.password }
    const token = String((await b.call('', 'POST /api/v1/sandbox/token', given)).body.access_token)
    expect((await b.call(token, 'GET /api/v1/reports/rent-roll')).status).toBe(200)
    const line = `PATCH /api/v1/admin/users/${owner.user}`
    expect((await a.call(admin, line, { roles: ['TENANT'] })).status).toBe(200)
    expect(await until(async () => (await b.call(token, 'GET /api/v1/reports/rent-roll')).status === 403, 10_000)).toBe(
      true,
    )
    expect((await a.call(admin, line, { status: 'DISABLED' })).status).toBe(200)
    // A change asks first: it meets the new state at once.
    expect((await b.call(token, POST, VILLA)).status).toBe(401)
    expect(await until(async () => (await b.call(token, 'GET /api/v1/me')).status === 401, 10_000)).toBe(true)
  })

  test('both number at once: no gap, no double, and both databases are the same', async () => {
    const before = await idsOf(a, admin)
    const made = await Promise.all(
      Array.from({ length: 400 }, (_, i) => [a, b][i % 2]?.call(admin, POST, { ...VILLA, name: `N${i}` })),
    )
    expect(made.every((answer) => answer?.status === 201)).toBe(true)
    expect(new Set(made.map((answer) => answer?.body.id)).size).toBe(400)
    const all = async (node: Server) => (await idsOf(node, admin)).length === before.length + 400
    for (const node of [a, b]) expect(await until(() => all(node))).toBe(true)
  }, 180_000)

  // The last of these: both end.
  test('one that is killed leaves its work to the other; what was answered stays, and all are the same', async () => {
    const answered: string[] = []
    let over = false
    const client = async (node: Server): Promise<void> => {
      for (let i = 0; !over; i++) {
        const made = await node.call(admin, POST, { ...VILLA, name: `K${i}` }).catch(() => undefined)
        if (made?.status === 201) answered.push(String(made.body.id))
        else await Bun.sleep(20)
      }
    }
    const clients = Promise.all([a, a, b, b].map(client))
    await Bun.sleep(700)
    await a.end('SIGKILL')
    await Bun.sleep(700)
    over = true
    await clients
    const there = await idsOf(b, admin)
    expect(answered.filter((id) => !there.includes(id))).toEqual([])
    expect(answered.length).toBeGreaterThan(0)
    // What a sends from now on is sent by b, once a's time is over.
    const phoneNumber = '+237677000444'
    await b.call('', 'POST /api/v1/registration/otp', { phoneNumber })
    const inbox = async () =>
      (await fetch(`${b.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phoneNumber)}`)).json() as Promise<
        object[]
      >
    expect(await until(async () => (await inbox()).length === 1)).toBe(true)

    const again = await cluster.node('a')
    expect(await idsOf(again, admin)).toHaveLength(there.length)
    for (const node of [again, b]) await node.end('SIGTERM')
    // The one that ended first catches up at its next start.
    const last = await cluster.node('a')
    await last.end('SIGTERM')
    const final = await cluster.node('b')
    await final.end('SIGTERM')
    const [one, two] = [await rowsOf(cluster.dataOf('a')), await rowsOf(cluster.dataOf('b'))]
    expect(Object.keys(one).length).toBeGreaterThan(40)
    for (const table of Object.keys(one))
      if (table !== 'job') expect({ [table]: one[table] }).toEqual({ [table]: two[table] ?? [] })
  }, 180_000)

  test('a newer program waits until the others have ended, and a node that missed too much begins from a copy', async () => {
    const sql = async (text: string): Promise<void> => {
      const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: text } }, { type: 'close' }] })
      const answer = await fetch(`http://127.0.0.1:${cluster.primary.port}/v2/pipeline`, { method: 'POST', body })
      expect(await answer.text()).not.toContain('"error"')
    }
    const older = 'update cluster set schema = schema - 1'
    const first = await cluster.node('a')
    await first.call(admin, POST, { ...VILLA, name: 'Before' })
    await sql(older)
    await until(async () => (await first.call(admin, POST, VILLA)).status === 201)
    // A node that was killed counts as running for ten seconds after it last said so.
    await Bun.sleep(10_500)
    const early = launch({ data: cluster.dataOf('b'), command: 'serve', port: b.port, env: cluster.env })
    expect((await early.end()).code).toBe(75)
    expect(early.output()).toContain('stop them all')
    await first.end('SIGTERM')
    // Each makes a copy under the new schema; what came before the older copy leaves the log.
    for (let i = 0; i < 2; i++) {
      const raised = await cluster.node('a')
      expect((await raised.call(admin, POST, { ...VILLA, name: `Raised ${i}` })).status).toBe(201)
      await raised.end('SIGTERM')
      if (i === 0) await sql(older)
    }
    const late = await cluster.node('b')
    expect(late.output()).toContain('cluster.begun_anew')
    expect(readdirSync(cluster.dataOf('b')).some((name) => name.startsWith('loyer.db.aside-'))).toBe(true)
    const again = await cluster.node('a')
    expect(await idsOf(late, admin)).toEqual(await idsOf(again, admin))
    for (const node of [late, again]) await node.end('SIGTERM')
  }, 180_000)

  test('a node leaves with its folder as a whole Loyer, and does not come back by mistake', async () => {
    // Whatever would change its database past the log is refused.
    for (const command of ['migrate', 'keys new', 'import', 'restore', 'rollback', 'demo'] as const) {
      const args = command === 'import' || command === 'restore' ? [join(cluster.dataOf('b'), 'loyer.db')] : []
      const past = launch({ data: cluster.dataOf('b'), command, args, env: cluster.env })
      expect([command, (await past.end()).code]).toEqual([command, 78])
      expect(past.output()).toContain('for one machine alone')
    }
    const alone = launch({ data: cluster.dataOf('b'), command: 'migrate' })
    expect((await alone.end()).code).toBe(0)
    const back = launch({ data: cluster.dataOf('b'), command: 'serve', port: a.port, env: cluster.env })
    expect((await back.end()).code).toBe(78)
    expect(back.output()).toContain('is a database of its own')
    const strange = launch({ data: cluster.dataOf('c'), command: 'serve', port: a.port, env: cluster.env })
    expect((await strange.end()).code).toBe(78)
    expect(strange.output()).toContain('copy the folder keys')
    const { FILES_TO: _, ...local } = cluster.env
    const noFiles = launch({ data: cluster.dataOf('d'), command: 'serve', port: a.port, env: local })
    expect((await noFiles.end()).code).toBe(78)
    expect(noFiles.output()).toContain('FILES_TO')
    expect(existsSync(cluster.dataOf('d'))).toBe(false)
    expect(readdirSync(cluster.dataOf('b'))).toContain('loyer.db')
  }, 180_000)
})
