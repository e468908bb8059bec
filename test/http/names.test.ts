// Lists carry the names of whom and what they are about, as far as the caller may know them; several values of a filter.
import { describe, expect, test } from 'bun:test'
import { cash, type Json, letting, type Person, type Stage, stage, wordOf } from '../support/scenario.ts'

const listed = async (s: Stage, who: Person, path: string): Promise<Json[]> => {
  const { status, body } = await s.ask(who, `GET ${path}`)
  expect(`${who} ${path}: ${status}`).toBe(`${who} ${path}: 200`)
  return body as unknown as Json[]
}
/** Ana's A1 is let to Tom, who paid one rent and declared another; Mia recorded the first. */
async function let_(): Promise<Stage> {
  const s = await stage({
    now: '2026-03-10T08:00:00.000Z',
    given: letting({ startDate: '2026-02-01', billFrom: '2026-02-01', endDate: '2027-01-31' }),
  })
  await s.make('mia', 'POST /invoices/{i1}/payments', cash(60_000))
  await s.make('tom', 'POST /invoices/{i2}/payments', cash(10_000))
  await s.t.work()
  s.nameAll()
  return s
}

/** One address of each kind, by what its list is. */
const READ = [
  '/payments',
  '/documents',
  '/units?order=asc',
  '/bookings',
  '/expenses',
  '/owner-transfers',
  '/requests',
  '/inspections',
  '/verification/property-proofs',
] as const
describe('one thing, read by its id', () => {
  async function full(): Promise<Stage> {
    const s = await let_()
    await s.make('ana', 'POST /invoices/{i2}/payments', cash(1_000))
    await s.make('mia', 'POST /expenses', {
      propertyId: '{villa}',
      unitId: '{a1}',
      kind: 'REPAIR',
      amount: 5_000,
      spentOn: '2026-03-01',
      paidBy: 'OWNER',
    })
    await s.make('mia', 'POST /owner-transfers', {
      propertyId: '{villa}',
      amount: 9_000,
      paidOn: '2026-03-01',
      method: 'CASH',
    })
    await s.make('tom', 'POST /requests', { bookingId: '{lease}', title: 'Fuite' })
    await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY', inspectedOn: '2026-02-01' })
    await s.make('ana', 'POST /verification/property-proofs', { propertyId: '{villa}' })
    return s
  }
  const oneOf = (path: string, id: unknown) => `/api/v1${path.split('?')[0]}/${id}`

  test('shows the names that its list shows, to each who may know them', async () => {
    const s = await full()
    for (const path of READ)
      for (const who of ['ana', 'mia', 'ada', 'tom'] as const) {
        if (who === 'tom' && /expenses|owner|proofs|inspections/.test(path)) continue
        const [row] = await listed(s, who, path)
        expect([path, who, row?.id]).toEqual([path, who, expect.any(String)])
        const one = await s.t.call(wordOf(who), `GET ${oneOf(path, row?.id)}`)
        // What is open of a lease, and until when it is paid, is told by its list alone.
        const { coveredUntil: _c, openAmount: _o, ...names } = row ?? {}
        if (path === '/bookings') delete names.signatures
        expect([path, who, one.status, one.body]).toEqual([path, who, 200, expect.objectContaining(names)])
      }
  })

  test('has another tag once a name beside it is another; If-Match goes on with the row', async () => {
    const s = await full()
    for (const path of READ) {
      const [row] = await listed(s, 'mia', path)
      const line = oneOf(path, row?.id)
      const had = await s.t.call(wordOf('mia'), `GET ${line}`)
      const etag = had.headers.get('etag') ?? ''
      const again = () => s.t.call(wordOf('mia'), `GET ${line}`, undefined, { 'if-none-match': etag })
      expect([path, (await again()).status]).toEqual([path, 304])
      await s.make('mia', 'PATCH /properties/{villa}', { name: `Villa ${path}` })
      const now = await again()
      expect([path, now.status, now.text.includes(`Villa ${path}`)]).toEqual([path, 200, true])
      expect((await s.t.call(wordOf('mia'), `GET ${line}`, undefined, { 'if-match': etag })).status).toBe(
        now.headers.get('etag')?.split('.')[1] === etag.split('.')[1] ? 200 : 412,
      )
    }
  })

  test('a change is made with the tag of older names, and not with that of an older row', async () => {
    const s = await full()
    const [row] = await listed(s, 'mia', '/expenses')
    const line = oneOf('/expenses', row?.id)
    const etag = (await s.t.call(wordOf('mia'), `GET ${line}`)).headers.get('etag') ?? ''
    await s.make('mia', 'PATCH /properties/{villa}', { name: 'Autre' })
    const change = (header: Record<string, string>) => s.t.call(wordOf('mia'), `PATCH ${line}`, { note: 'A' }, header)
    expect((await change({ 'if-none-match': etag })).status).toBe(412)
    for (const status of [200, 412]) expect((await change({ 'if-match': etag })).status).toBe(status)
    expect((await change({ 'if-match': `W/${etag}` })).status).toBe(412)
  })

  test('tells nobody more than their list does', async () => {
    const s = await full()
    const [payment] = await listed(s, 'tom', '/payments')
    const { body } = await s.t.call(wordOf('tom'), `GET ${oneOf('/payments', payment?.id)}`)
    expect(Object.keys(body).filter((name) => name.endsWith('ByName'))).toEqual([])
    for (const path of READ) {
      const [row] = await listed(s, 'mia', path)
      expect([path, (await s.t.call(wordOf('eve'), `GET ${oneOf(path, row?.id)}`)).status]).toEqual([path, 404])
    }
  })
})

describe('names', () => {
  test('payments: of the lease, its invoices, and who entered and decided', async () => {
    const s = await let_()
    const of = { tenantName: 'tom Test', unitLabel: 'A1', propertyName: 'Villa', propertyId: s.names.get('villa') }
    const numbers = (await listed(s, 'ana', '/invoices?order=asc')).map(({ number }) => number)
    for (const who of ['ana', 'mia', 'ada'] as const) {
      expect(await listed(s, who, '/payments?order=asc')).toMatchObject([
        { ...of, invoiceNumbers: [numbers[0]], recordedByName: 'mia Test' },
        { ...of, invoiceNumbers: [numbers[1]], recordedByName: 'tom Test' },
      ])
    }
    const toms = await listed(s, 'tom', '/payments?order=asc')
    expect(toms).toMatchObject([of, of])
    for (const row of toms) expect(Object.keys(row)).not.toContain('recordedByName')
    expect(await listed(s, 'eve', '/payments')).toEqual([])
  })

  test('payments: an owner does not learn who had the property before', async () => {
    const s = await let_()
    await s.make('ana', 'POST /invoices/{i2}/payments', cash(1_000))
    await s.make('mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' })
    const [last] = await listed(s, 'eve', '/payments')
    expect(last).toMatchObject({ amount: 1_000, tenantName: 'tom Test' })
    expect(Object.keys(last ?? {})).not.toContain('recordedByName')
    expect(await listed(s, 'mia', '/payments?limit=1')).toMatchObject([{ recordedByName: 'ana Test' }])
    expect(await listed(s, 'ana', '/payments')).toEqual([])
  })

  test('leases: what is open, until when it is paid, who has signed', async () => {
    const s = await let_()
    for (const who of ['ana', 'mia', 'tom'] as const)
      expect(await listed(s, who, '/bookings')).toMatchObject([
        { openAmount: 60_000, coveredUntil: '2026-02-28', signatures: { landlord: false, tenant: false } },
      ])
    // The same as an advance says of the same lease.
    const { coveredUntil } = await s.make('ana', 'POST /bookings/{lease}/payments', cash(130_000))
    expect(await listed(s, 'ana', '/bookings')).toMatchObject([{ openAmount: 0, coveredUntil }])
  })

  test('units: whose lease holds them, for a tenant only their own', async () => {
    const s = await let_()
    const booking = { id: s.names.get('lease'), tenantName: 'tom Test', endDate: '2027-01-31' }
    for (const path of ['/units?order=asc', '/properties/{villa}/units?order=asc'])
      for (const who of ['ana', 'mia', 'tom', 'tia'] as const) {
        const [a1, a2] = await listed(s, who, path)
        expect([who, a1?.booking, a1?.propertyName]).toEqual([who, who === 'tia' ? undefined : booking, 'Villa'])
        expect(Object.keys(a2 ?? {})).not.toContain('booking')
      }
    await s.make('ana', 'POST /properties/{villa}/archive').catch(() => undefined)
    expect(await listed(s, 'eve', '/units')).toEqual([])
  })

  test('properties: units, vacant ones, rent; no figures for tenants', async () => {
    const s = await let_()
    for (const who of ['ana', 'mia'] as const)
      expect(await listed(s, who, '/properties')).toMatchObject([{ unitCount: 2, vacantCount: 1, monthlyRent: 60_000 }])
    const [seen] = await listed(s, 'tom', '/properties')
    expect(Object.keys(seen ?? {}).filter((name) => /Count|monthly/.test(name))).toEqual([])
  })

  test('tenants: where they live and what is open, of leases within reach only', async () => {
    const s = await let_()
    const place = { propertyName: 'Villa', unitLabel: 'A1', id: s.names.get('lease') }
    expect(await listed(s, 'ana', '/tenants')).toMatchObject([{ openAmount: 60_000, booking: place }])
    await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'R', city: 'D' }, 'tour')
    await s.make('eve', 'POST /properties/{tour}/units', { label: 'B1', rentAmount: 5_000 }, 'b1')
    await s.make('eve', 'POST /bookings', { unitId: '{b1}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'hers')
    await s.make('eve', 'POST /bookings/{hers}/submit', { blanks: true })
    await s.make('eve', 'POST /bookings/{hers}/activate')
    await s.t.work()
    expect(await listed(s, 'eve', '/tenants')).toMatchObject([{ openAmount: 5_000, booking: { propertyName: 'Tour' } }])
    expect(await listed(s, 'ana', '/tenants')).toMatchObject([{ openAmount: 60_000, booking: place }])
    // Each owner entered him, and a manager sees both.
    expect(await listed(s, 'mia', '/tenants')).toMatchObject([
      { openAmount: 5_000, booking: { propertyName: 'Tour' } },
      { openAmount: 60_000, booking: place },
    ])
  })

  test('papers, checks and the audit trail', async () => {
    const s = await let_()
    const [paper] = await listed(s, 'tom', '/documents?kind=RECEIPT')
    expect(paper).toMatchObject({ tenantName: 'tom Test', unitLabel: 'A1', propertyName: 'Villa' })
    expect(Object.keys(paper ?? {})).not.toContain('lease')
    await s.make('ana', 'POST /verification/property-proofs', { propertyId: '{villa}' })
    expect(await listed(s, 'ada', '/admin/verification')).toMatchObject([
      { subjectName: 'ana Test', propertyName: 'Villa' },
    ])
    expect(await listed(s, 'ana', '/verification/property-proofs')).toMatchObject([{ subjectName: 'ana Test' }])
    expect(await listed(s, 'ada', '/admin/audit?action=verification.create&limit=1')).toMatchObject([
      { actorName: 'ana Test' },
    ])
  })

  test('a name that an owner may not know yet is neither told nor found', async () => {
    const s = await let_()
    await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'R', city: 'D' }, 'tour')
    await s.make('eve', 'POST /properties/{tour}/units', { label: 'B1', rentAmount: 5_000 }, 'b1')
    const tomsPhone = String((await listed(s, 'ana', '/tenants'))[0]?.phoneNumber)
    await s.make(
      'eve',
      'POST /bookings',
      { unitId: '{b1}', tenantPhoneNumber: tomsPhone, startDate: '2026-04-01' },
      'draft',
    )
    const [draft] = await listed(s, 'eve', '/bookings')
    expect(draft?.tenantName).not.toBe('tom Test')
    expect(await listed(s, 'eve', '/bookings?q=tom')).toEqual([])
    expect(await listed(s, 'eve', '/bookings?q=B1')).toHaveLength(1)
    expect(await listed(s, 'ana', '/bookings?q=tom')).toHaveLength(1)
  })

  test('a name that changes renews every list that shows it', async () => {
    const s = await let_()
    const paths = ['/payments', '/bookings', '/units', '/documents', '/tenants', '/properties']
    for (const [change, body] of [
      ['PATCH /properties/{villa}', { name: 'Tour Bleue' }],
      ['PATCH /units/{a1}', { label: 'B9' }],
    ] as const) {
      // Asked twice, so that the second answer is kept.
      for (const path of paths) await listed(s, 'ana', path)
      const tags = await Promise.all(
        paths.map(async (path) => (await s.ask('ana', `GET ${path}`)).headers.get('etag') ?? ''),
      )
      await s.make('ana', change, body)
      for (const [i, path] of paths.entries()) {
        const answer = await s.ask('ana', `GET ${path}`, undefined, { 'if-none-match': tags[i] ?? '' })
        expect(`${path} ${answer.status}`).toBe(`${path} 200`)
        if ((path !== '/tenants' && path !== '/properties') || change.includes('properties'))
          expect(answer.text).toContain(String(Object.values(body)[0]))
      }
    }
  })
})

describe('several values of a filter', () => {
  test('page by page in one order, each row once, either way', async () => {
    const s = await stage({
      now: '2026-03-10T08:00:00.000Z',
      given: letting({ startDate: '2025-01-01', billFrom: '2025-01-01' }),
    })
    for (const i of [1, 3, 4, 8]) await s.make('ana', `POST /invoices/{i${i}}/payments`, cash(60_000))
    for (const query of [
      'status=PAID,OVERDUE,ISSUED',
      'status=OVERDUE,PAID&dueFrom=2025-02-01',
      'status=PAID,OVERDUE&q=villa',
    ])
      for (const order of ['asc', 'desc']) {
        const all = (await listed(s, 'ana', `/invoices?${query}&order=${order}&limit=200`)).map(({ id }) => id)
        expect(all.length).toBeGreaterThan(8)
        const paged: unknown[] = []
        for (
          let next: string | undefined = `/invoices?${query}&order=${order}&limit=3&count=true`;
          next !== undefined;
        ) {
          const answer = await s.ask('ana', `GET ${next}`)
          expect(answer.headers.get('x-total-count')).toBe(String(all.length))
          paged.push(...(answer.body as unknown as Json[]).map(({ id }) => id))
          next = /<[^>]*\/api\/v1([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
        }
        expect(paged).toEqual(all)
        expect(new Set(paged).size).toBe(paged.length)
      }
  })

  test.each([
    'bookings',
    'invoices',
    'payments',
    'documents',
    'properties',
    'units',
    'media',
    'verification/kyc/mine',
    'verification/property-proofs',
  ])('%s: an unknown one is refused, and the parameter named', async (list) => {
    const s = await stage()
    for (const status of ['NOTHING', 'ACTIVE,NOTHING', ',', 'PENDING,', ',DRAFT', 'draft', 'PAID%00', ' PAID']) {
      const { status: code, body } = await s.ask('ana', `GET /${list}?status=${status}`)
      expect([list, status, code, body.errors]).toMatchObject([list, status, 422, [{ path: '/status' }]])
    }
  })
})
