// An organization moves between two services that run, under load, there and back: nothing acknowledged is lost, nothing
// is there twice, and its neighbour notices nothing.
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { home, homesOf, house, say, signIn, told } from '../support/moves.ts'
import type { Server } from '../support/server.ts'

afterAll(cleaner())
const root = temporaryFolder('moves')
const one = await house(root, 'one', '+237677000001')
const two = await house(root, 'two', '+237677000002')
const file = join(root, 'house.zip')
const line = (out: string, word: string): string => new RegExp(`^${word} ?(.*)$`, 'm').exec(out)?.[1] ?? ''

/** Creates properties one after another until it is told to stop; each answer by its name. */
function writing(server: Server, token: string, start: string) {
  const answers: { name: string; status: number; retryAfter: string | null }[] = []
  let stopped = false
  const done = (async () => {
    for (let n = 0; !stopped; n++) {
      const name = `${start} ${n}`
      const { status, headers } = await server.call(token, 'POST /api/v1/properties', home(name))
      answers.push({ name, status, retryAfter: headers.get('retry-after') })
      await Bun.sleep(5)
    }
  })()
  return {
    answers,
    async stop() {
      stopped = true
      await done
      return answers.filter(({ status }) => status === 201).map(({ name }) => name)
    },
  }
}
/** Reads a list again and again; every answer must be a good one. */
function reading(server: Server, token: string) {
  const statuses = new Set<number>()
  let stopped = false
  let slowest = 0
  const done = (async () => {
    while (!stopped) {
      const began = performance.now()
      statuses.add((await server.call(token, 'GET /api/v1/properties?limit=1')).status)
      slowest = Math.max(slowest, performance.now() - began)
      await Bun.sleep(5)
    }
  })()
  return {
    async stop() {
      stopped = true
      await done
      return { statuses: [...statuses], slowest }
    },
  }
}

test('moved under load: reads go on, writes are refused with a reason, then 308; and back; nothing lost, nothing twice', async () => {
  const [mine, theirs] = [await signIn(one.server, one.phone), await signIn(two.server, two.phone)]
  const before = writing(two.server, theirs.token, 'moving')
  const neighbour = writing(one.server, mine.token, 'staying')
  await Bun.sleep(500)
  const reads = reading(two.server, theirs.token)

  const exported = await say(two.data, 'export', [file, '--organization', two.org])
  expect([exported.code, exported.out]).toEqual([0, expect.stringContaining('frozen: it lives here')])
  expect(await told(two.data)).toContain(`organization ${two.org} lives here and is frozen`)
  const refused = await two.server.call(theirs.token, 'POST /api/v1/properties', home('too late'), {
    'accept-language': 'fr',
  })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'organization_frozen',
    '60',
  ])
  expect(refused.body.detail).toContain('déménagement')
  const acknowledged = await before.stop()
  expect(new Set(before.answers.map(({ status }) => status))).toEqual(new Set([201, 503]))

  const imported = await say(one.data, 'import', [file])
  expect([imported.code, imported.out]).toEqual([0, expect.stringContaining('closed: it lives at the other service')])
  expect(line(imported.out, 'sha256')).toBe(line(exported.out, 'sha256'))
  expect(await told(one.data)).toContain(`organization ${two.org} has come and is closed`)
  // Nobody signs in there before it is opened, and it still is where it was.
  expect((await signIn(one.server, two.phone)).status).toBe(401)
  expect(await homesOf(two.server, theirs.token)).toEqual(acknowledged.toSorted())
  expect(await reads.stop()).toMatchObject({ statuses: [200] })

  const moved = await say(two.data, 'export', ['--organization', two.org, '--moved-to', one.server.base])
  expect([moved.code, moved.out]).toEqual([
    0,
    expect.stringContaining(`moved: its addresses lead to ${one.server.base}`),
  ])
  const path = '/api/v1/properties?limit=1&sort=name'
  const away = await fetch(two.server.base + path, {
    headers: { authorization: `Bearer ${theirs.token}` },
    redirect: 'manual',
  })
  expect([away.status, away.headers.get('location')]).toEqual([308, one.server.base + path])
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const answer = await fetch(`${two.server.base}/api/v1/properties`, {
      method,
      headers: { authorization: `Bearer ${theirs.token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(home('too late')) }),
      redirect: 'manual',
    })
    expect([method, answer.status, answer.headers.get('location')]).toEqual([
      method,
      308,
      `${one.server.base}/api/v1/properties`,
    ])
  }
  expect((await signIn(two.server, two.phone)).token).toBe('')
  // A token of the old service is none of the new one.
  expect((await one.server.call(theirs.token, 'GET /api/v1/properties')).status).toBe(401)
  const late = await say(two.data, 'export', ['--organization', two.org, '--release'])
  expect([late.code, late.out]).toEqual([1, expect.stringContaining('may have been changed there')])

  const code = line(moved.out, 'there: loyer import --open')
  const opened = await say(one.data, 'import', ['--open', code])
  expect([opened.code, opened.out]).toEqual([0, expect.stringContaining('open: its people sign in here')])
  const again = await say(one.data, 'import', ['--open', code])
  expect([again.code, again.out]).toEqual([1, expect.stringContaining('open here already')])
  const there = await signIn(one.server, two.phone)
  expect(there.status).toBe(200)
  expect(await homesOf(one.server, there.token)).toEqual(acknowledged.toSorted())
  expect((await one.server.call(there.token, 'POST /api/v1/properties', home('new house'))).status).toBe(201)

  // The neighbour never got anything but 201, before, during and after.
  const stayed = await neighbour.stop()
  expect(new Set(neighbour.answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await homesOf(one.server, mine.token)).toEqual(stayed.toSorted())
  expect(await told(two.data)).toContain(`organization ${two.org} has moved to ${one.server.base}`)

  // And back, once the old copy is forgotten: with what was written meanwhile.
  rmSync(file)
  const names = await homesOf(one.server, there.token)
  expect((await say(one.data, 'export', [file, '--organization', two.org])).code).toBe(0)
  const kept = await say(two.data, 'import', [file, '--operator'])
  expect([kept.code, kept.out]).toEqual([1, expect.stringContaining('--forget')])
  const forgotten = await say(two.data, 'export', ['--organization', two.org, '--forget'])
  expect([forgotten.code, forgotten.out]).toEqual([0, expect.stringContaining('forgotten')])
  const returned = await say(two.data, 'import', [file, '--operator'])
  expect([returned.code, returned.out]).toEqual([0, expect.stringContaining('closed')])
  const left = await say(one.data, 'export', ['--organization', two.org, '--moved-to', two.server.base])
  expect((await say(two.data, 'import', ['--open', line(left.out, 'there: loyer import --open')])).code).toBe(0)
  const back = await signIn(two.server, two.phone)
  expect(await homesOf(two.server, back.token)).toEqual(names)
  expect(names).toContain('new house')
  for (const { server } of [one, two]) expect((await server.end('SIGTERM')).code).toBe(0)
}, 180_000)
