// What was made is found where Location says, and OpenAPI's links lead to what can be done with it.
import { describe, expect, test } from 'bun:test'
import { document, type Json, operations } from '../support/documented.ts'
import { fill } from '../support/routes.ts'
import { samples, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const making = samples(w).filter(({ status, code }) => status === 201 && !code)

describe.each(making.map((sample) => [sample.line, sample] as const))('%s', (line, { mine, body }) => {
  test('tells the path of what it made, at a replay too', async () => {
    const as = /webhook|owner-transfers/.test(line) ? w.as.mia : w.as.ana
    const send = () =>
      t.call(as, fill(line, mine), line === 'POST /api/v1/bookings' ? { ...body, tenantId: w.tenants.LINKED } : body, {
        'idempotency-key': 'a-place',
      })
    const made = await send()
    const location = made.headers.get('location') ?? ''
    expect([made.status, location]).toEqual([201, expect.stringMatching(/^\/api\/v1\/[\w/-]+$/)])
    const found = await t.call<Json | Json[]>(as, `GET ${location}`)
    expect(found.status).toBe(200)
    if (!Array.isArray(found.body) && !location.endsWith('/me') && !line.endsWith('/payments'))
      expect(found.body.id).toBe(made.body.id)
    const again = await send()
    expect([again.status, again.headers.get('location')]).toEqual([201, location])
  })
})

test('several units at once are found in the list of the property', async () => {
  const path = `/api/v1/properties/${w.properties.PUBLISHED}/units`
  const made = await t.call(w.as.ana, `POST ${path}`, { labels: ['L1', 'L2'] })
  expect([made.status, made.headers.get('location')]).toEqual([201, path])
})

test('nothing else has a Location', async () => {
  const read = await t.call(w.as.ana, `GET /api/v1/properties/${w.properties.PUBLISHED}`)
  const moved = await t.call(w.as.ana, `POST /api/v1/properties/${w.properties.PUBLISHED}/publish`)
  expect([read.headers.get('location'), moved.headers.get('location')]).toEqual([null, null])
})

const made = operations.filter(([, { responses }]) => 201 in responses)
type Link = { operationId: string; parameters?: Record<string, string> }
test.each(made)('%s documents it, with links to operations that there are', (_line, { responses }) => {
  const { headers, links = {} } = responses[201] as unknown as { headers: Json; links?: Record<string, Link> }
  expect(headers).toHaveProperty('Location')
  expect(Object.keys(links).length).toBeGreaterThan(0)
  for (const [name, { operationId, parameters = {} }] of Object.entries(links)) {
    const next = operations.find(([, operation]) => operation.operationId === operationId)
    expect([name, next === undefined]).toEqual([operationId, false])
    const inPath = [...(next?.[0] ?? '').matchAll(/\{(\w+)\}/g)].map(([, key]) => key ?? '')
    expect(Object.keys(parameters)).toEqual(inPath)
    for (const value of Object.values(parameters))
      expect(value).toMatch(/^\$(request\.path\.id|response\.body#\/[\w/]+)$/)
  }
})
test.each([
  ['POST /api/v1/webhook-endpoints', 'updateWebhookEndpoint rotateWebhookSecret'],
  ['POST /api/v1/properties', 'getProperty updateProperty publishProperty listUnits'],
  ['POST /api/v1/bookings', 'getBooking updateBooking submitBooking terminateBooking listDeposit'],
])('the links of %s lead to it and to what is done with it: %s', (line, wanted) => {
  const links = made.find(([one]) => one === line)?.[1].responses[201] as unknown as { links: Record<string, Link> }
  expect(Object.keys(links.links)).toEqual(expect.arrayContaining(wanted.split(' ')))
})
test('every operation that makes something is in it', () => {
  expect(made.length).toBeGreaterThan(15)
  expect(document.components.headers).toHaveProperty('Location')
})
