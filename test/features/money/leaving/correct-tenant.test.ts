// A lease in the name of a wrong person: neither of the two learns of the other, whoever gets an account when.
import { expect, test } from 'bun:test'
import { CANARIES, marie, NUMBER, neighbours } from '../../../support/neighbours.ts'
import { letting, phoneOf, type Stage, scenario, stage } from '../../../support/scenario.ts'
import { outForSigning, signs } from '../../../support/signers.ts'

const CORRECT = 'POST /bookings/{anas}/correct'
const YOURS = '+237677999111'

/** Everything that a tenant reads of a lease and beside it. */
const READS = [
  ...['', '/signatures', '/signed-copy', '/messages', '/parties', '/deposit', '/rent-changes', '/timeline'].map(
    (of) => `/bookings/{anas}${of}`,
  ),
  ...['bookings', 'invoices', 'payments', 'documents', 'requests', 'inspections'].map((list) => `/${list}?limit=200`),
]
async function reads(s: Stage, who: 'tia' | 'tom') {
  const found: string[] = []
  for (const path of READS) {
    const { status, text } = await s.ask(who, `GET ${path}`)
    if (status === 200 && text !== '[]') found.push(text)
  }
  return found
}
/** The account of a person becomes that of a tenant whom a landlord entered by number. */
async function links(s: Stage, who: 'tia' | 'tom', number: string) {
  await s.make('mia', `PATCH /tenants/${s.rows('select id from tenant where phone_number = ?', number)[0]?.id}`, {
    phoneNumber: phoneOf(who),
  })
}

test('who comes in after a correction reads nothing of who was named by mistake', async () => {
  const s = await stage({ given: neighbours })
  expect(JSON.stringify(s.rows("select data from document where kind = 'LEASE_CONTRACT'"))).toContain(marie.idNumber)
  expect((await s.ask('ana', CORRECT, { tenantPhoneNumber: YOURS })).status).toBe(200)
  await s.work()
  await links(s, 'tia', YOURS)
  const found = await reads(s, 'tia')
  expect(found.length).toBeGreaterThan(3)
  expect(found.join()).toContain(String(s.names.get('anas')))
  expect([...CANARIES, NUMBER].filter((canary) => found.join().includes(canary))).toEqual([])
  // The papers in Marie's name are nobody's; the landlord keeps them.
  const papers = s.rows("select data, tenant_user_id who from document where instr(data, 'Secrette')")
  expect(papers.length).toBeGreaterThan(2)
  expect(papers.filter(({ who }) => who !== null)).toEqual([])
  const theirs = await s.ask('ana', `GET /documents?bookingId=${s.names.get('anas')}&limit=200`)
  expect(theirs.text).toContain('"voidReason":"REPLACED"')
})

test('who was named by mistake reads nothing more, and who comes in nothing of them', async () => {
  const s = await stage({ given: neighbours })
  await links(s, 'tom', NUMBER)
  expect((await reads(s, 'tom')).join()).toContain(String(s.names.get('anas')))
  expect((await s.ask('mia', CORRECT, { tenantPhoneNumber: phoneOf('tia') })).status).toBe(200)
  await s.work()
  expect(await reads(s, 'tom')).toEqual([])
  expect((await reads(s, 'tia')).join()).not.toContain('Secrette')
  // An account that is linked or closed later moves its own lines alone.
  for (const table of ['document', 'invoice', 'booking'])
    expect(s.rows(`select id from ${table} where tenant_user_id = ?`, s.names.get('tom') ?? '')).toEqual([])
})

scenario(
  'a manager who names the right tenant by number agrees for them: the lease says their name',
  { given: neighbours },
  [
    [
      'mia',
      CORRECT,
      { tenantPhoneNumber: phoneOf('tia') },
      200,
      { tenantName: 'tia Test' },
      {
        audit: 'tenant.create, tenant.introduce, invoice.cancel, booking.correct, invoice.issue',
        jobs: 'invoice.issued, booking.corrected ×3',
      },
    ],
  ],
)

test('a tenant who signed is no typing error, nor one who declared money', async () => {
  const { s } = await outForSigning()
  await signs(s, 'ana')
  await signs(s, 'tom')
  await s.work()
  const before = s.dump()
  const answer = await s.ask('ana', 'POST /bookings/{lease}/correct', { tenantPhoneNumber: phoneOf('tia') })
  expect([answer.status, answer.body.allowed]).toEqual([409, ['terminate']])
  expect(s.dump()).toBe(before)
})
scenario('nor is one who declared money, though it was refused', { given: letting({ dueDay: 28 }) }, [
  [
    'tom',
    'POST /invoices/{i1}/payments',
    { amount: 1_000, method: 'CASH', paidOn: '2026-03-10' },
    201,
    {},
    { audit: 'payment.declare' },
  ],
  ['ana', 'POST /payments/{p1}/reject', { reason: 'Rien reçu' }, 200, {}, { audit: 'payment.reject' }],
  ['ana', 'POST /bookings/{lease}/correct', { tenantPhoneNumber: phoneOf('tia') }, 409, { allowed: ['terminate'] }],
])
