// RFC 9110, 13: every answer with an ETag, asked with If-Match and If-None-Match; every change of what has one.
import { describe, expect, test } from 'bun:test'
import { fill } from '../support/routes.ts'
import { samples, traces, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const all = samples(w).filter(({ code }) => !code)
const reads = ['GET /openapi.json', 'GET /docs/init.js']
for (const { line, mine, theirs } of all.filter((s) => s.line.startsWith('GET ')))
  reads.push(fill(line, theirs?.ada ?? mine))
const tagged: string[] = []
for (const line of new Set(reads)) if ((await t.call(w.as.ada, line)).headers.has('etag')) tagged.push(line)

test('there are many', () => expect(tagged.length).toBeGreaterThan(35))

describe.each(tagged.map((line) => [line]))('%s', (line) => {
  const ask = async (headers: Record<string, string>) => {
    const { status, text, body } = await t.call<{ code?: string }>(w.as.ada, line, undefined, headers)
    return status === 412 ? [status, body.code] : [status, text === '' ? 'nothing' : 'all']
  }
  test('takes lists of tags and *, compares If-Match strongly and If-None-Match weakly', async () => {
    const etag = (await t.call(w.as.ada, line)).headers.get('etag') ?? ''
    const opaque = etag.replace(/^W\//, '')
    const weak = etag.startsWith('W/')
    const fresh = [200, 'all']
    const failed = [412, 'precondition_failed']
    const table: [Record<string, string>, (string | number | undefined)[]][] = [
      [{ 'if-match': '*' }, fresh],
      [{ 'if-match': opaque }, weak ? failed : fresh],
      [{ 'if-match': `"a" ,\t${opaque}` }, weak ? failed : fresh],
      [{ 'if-match': `W/${opaque}` }, failed],
      [{ 'if-match': '"a"' }, failed],
      [{ 'if-match': '' }, failed],
      [{ 'if-none-match': opaque }, [304, 'nothing']],
      [{ 'if-none-match': `W/"a", W/${opaque}` }, [304, 'nothing']],
      [{ 'if-none-match': ' * ' }, [304, 'nothing']],
      [{ 'if-none-match': '"a", "b"' }, fresh],
      // If-Match goes first.
      [{ 'if-match': '"a"', 'if-none-match': opaque }, failed],
      [{ 'if-match': '*', 'if-none-match': opaque }, [304, 'nothing']],
      [{ 'if-match': '*', 'if-none-match': '"a"' }, fresh],
    ]
    // Twice: the second answer may come from what is kept of the first.
    for (const [headers, expected] of [...table, ...table])
      expect([headers, await ask(headers)]).toEqual([headers, expected])
  })
  test('HEAD is asked the same way', async () => {
    const head = line.replace('GET', 'HEAD')
    const etag = (await t.call(w.as.ada, line)).headers.get('etag') ?? ''
    const known = await t.app.handle(
      new Request(`http://localhost${head.slice(5)}`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${w.as.ada}`, 'if-none-match': etag },
      }),
    )
    expect([known.status, await known.text()]).toEqual([304, ''])
  })
})

/** Where the ETag of what an operation changes is read. */
const READ: Readonly<Record<string, string>> = {
  property: 'properties',
  unit: 'units',
  tenant: 'tenants',
  booking: 'bookings',
  invoice: 'invoices',
  payment: 'payments',
  media: 'media',
  endpoint: 'webhook-endpoints',
  proof: 'verification/property-proofs',
  case: 'admin/verification',
  user: 'admin/users',
}
const FIXED: Readonly<Record<string, string>> = {
  'PATCH /api/v1/me': 'GET /api/v1/me',
  'PUT /api/v1/me/notifications': 'GET /api/v1/me/notifications',
  'PATCH /api/v1/admin/organization': 'GET /api/v1/admin/organization',
  'PUT /api/v1/lease-templates/:kind': 'GET /api/v1/lease-templates/HOME',
  'PUT /api/v1/bookings/:id/parties': 'GET /api/v1/bookings/:id/parties',
  'PUT /api/v1/bookings/:id/payers': 'GET /api/v1/bookings/:id/payers',
}
const changes = samples(w).filter(
  ({ line, kind, code }) =>
    !code &&
    !line.startsWith('GET') &&
    // It sends a code and changes nothing of the lease.
    !line.endsWith('/otp') &&
    // It changes nothing at all.
    !line.endsWith('/regularisations/preview') &&
    (line in FIXED || (kind !== undefined && kind in READ && line.includes('/:id'))),
)
describe.each(changes.map((sample) => [sample.line, sample] as const))('%s', (line, { kind, body }) => {
  test('is refused to who names another version in If-Match, or this one in If-None-Match; nothing has changed', async () => {
    const { t: own, w: ours } = await worldApp()
    const sample = samples(ours).find((s) => s.line === line)
    const mine = sample?.mine ?? ''
    const as = line.endsWith('/withdraw') ? ours.as.tom : kind === 'media' ? ours.as.ana : ours.as.ada
    const path = line.includes(':kind') ? line.replace(':kind', 'HOME') : fill(line, mine)
    const read = FIXED[line]?.replace(':id', mine) ?? `GET /api/v1/${READ[kind ?? '']}/${mine}`
    const etag = (await own.call(as, read)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"/)
    const before = traces(own)
    const bad = [
      { 'if-match': '"a"' },
      { 'if-match': `W/${etag}` },
      { 'if-none-match': etag },
      { 'if-none-match': `"a", W/${etag}` },
      { 'if-none-match': '*' },
    ]
    for (const headers of bad as Record<string, string>[]) {
      const refused = await own.call<{ code?: string }>(as, path, body, headers)
      expect([headers, refused.status, refused.body?.code]).toEqual([headers, 412, 'precondition_failed'])
    }
    expect(traces(own)).toBe(before)
    const done = await own.call(as, path, body, { 'if-match': etag, 'if-none-match': '"a"' })
    expect(done.status).toBeLessThan(300)
  })
})
