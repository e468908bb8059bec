// The stream of changes on the live service: what it says, to whom, how many of them, and when it ends.
import { afterAll, describe, expect, test } from 'bun:test'
import { temporaryFolder } from '../../../support/folder.ts'
import { startServer } from '../../../support/server.ts'

const server = await startServer({ data: temporaryFolder() })
afterAll(() => server.end('SIGTERM'), 30_000)

type Open = Awaited<ReturnType<typeof open>>
async function open(token: string, from = server) {
  const cut = new AbortController()
  const response = await fetch(`${from.base}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    signal: cut.signal,
  })
  let text = ''
  let ended = false
  const reading = (async () => {
    try {
      for await (const part of response.body ?? []) text += new TextDecoder().decode(part)
    } catch {}
    ended = true
  })()
  const versions = () => [...text.matchAll(/^event: changed\ndata: \{"version":(\d+)\}\n$/gm)].map(([, n]) => Number(n))
  const close = async (): Promise<void> => {
    cut.abort()
    await reading
  }
  return { response, status: response.status, text: () => text, versions, ended: () => ended, close }
}
/** Waits until something holds, for two looks of the timer at most. */
async function until(holds: () => boolean, ms = 5_000): Promise<void> {
  for (const end = Date.now() + ms; !holds() && Date.now() < end; ) await Bun.sleep(50)
  expect(holds()).toBe(true)
}
const write = (as: string, n: number) =>
  server.call(as, 'POST /api/v1/tenants', { fullName: `Locataire ${n}` }).then(({ status }) => expect(status).toBe(201))

describe('the stream of changes', () => {
  test('tells the version at once and whenever it moves, at most once a second, and closes for who goes', async () => {
    const owner = await server.token('OWNER')
    const one = await open(owner)
    expect(one.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(one.response.headers.get('content-encoding')).toBeNull()
    expect(one.response.headers.get('cache-control')).toBe('no-store')
    await until(() => one.versions().length === 1)
    const began = Date.now()
    for (let n = 0; n < 30; n++) await write(owner, n)
    await until(() => one.versions().length >= 2)
    await Bun.sleep(1_500)
    const seconds = (Date.now() - began) / 1000
    expect(one.versions().length).toBeLessThanOrEqual(2 + seconds)
    expect(one.versions()).toEqual(one.versions().toSorted((a, b) => a - b))
    // Nothing happens: nothing is said.
    let quiet = ''
    // The demo's papers are drawn first.
    for (let n = 0; quiet !== one.text() && n < 20; n++) {
      quiet = one.text()
      await Bun.sleep(2_500)
    }
    expect(one.text()).toBe(quiet)
    await one.close()
  }, 60_000)

  test('is for four windows of a person; who closes one may open another', async () => {
    const [admin, tenant] = [await server.token('ADMIN'), await server.token('TENANT')]
    const all: Open[] = []
    for (let n = 0; n < 4; n++) all.push(await open(admin))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const refused = await open(admin)
    expect([refused.status, refused.response.headers.get('retry-after')]).toEqual([429, '30'])
    expect(refused.text()).toBe('')
    const other = await open(tenant)
    expect(other.status).toBe(200)
    await all[0]?.close()
    let again = await open(admin)
    for (let n = 0; again.status !== 200 && n < 30; n++) {
      await Bun.sleep(100)
      again = await open(admin)
    }
    expect(again.status).toBe(200)
    for (const stream of [...all.slice(1), again, other]) await stream.close()
  }, 30_000)

  test('ends when the account loses a role, and opens for nobody without a token', async () => {
    const [owner, admin, tenant] = [
      await server.token('OWNER'),
      await server.token('ADMIN'),
      await server.token('TENANT'),
    ]
    const stream = await open(tenant)
    const mine = await open(owner)
    await until(() => stream.versions().length === 1)
    const { id } = (await server.call(tenant, 'GET /api/v1/me')).body
    const become = async (...roles: string[]) =>
      expect((await server.call(admin, `PATCH /api/v1/admin/users/${id}`, { roles })).status).toBe(200)
    await become('OWNER')
    await until(stream.ended)
    expect(mine.ended()).toBe(false)
    await mine.close()
    for (const token of ['', 'x', `${tenant}x`]) expect([token, (await open(token)).status]).toEqual([token, 401])
    await become('TENANT')
  }, 30_000)

  test('ends with the session, and at once when the service stops', async () => {
    const owner = await server.token('OWNER')
    const stream = await open(owner)
    await until(() => stream.versions().length === 1)
    const { sid } = JSON.parse(atob(owner.split('.')[1] ?? '')) as { sid?: string }
    expect((await server.call(owner, `DELETE /api/v1/account/sessions/${sid}`)).status).toBe(204)
    await until(stream.ended)
    const second = await startServer({ data: temporaryFolder() })
    const streams = await Promise.all(
      [await second.token('OWNER'), await second.token('ADMIN')].map((token) => open(token, second)),
    )
    await until(() => streams.every((one) => one.versions().length === 1))
    const { code } = await second.end('SIGTERM')
    expect(code).toBe(0)
    expect(second.output()).toContain('server.stopping')
    // What does not end by itself is cut off, and told.
    expect(second.output()).not.toContain('server.cut_off')
    expect(streams.map(({ ended }) => ended())).toEqual([true, true])
    await stream.close()
  }, 60_000)
})
