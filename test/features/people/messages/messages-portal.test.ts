// Where messages to a tenant lead: to a page of the portal with an account, and to none that would only ask for one without.
import { expect, test } from 'bun:test'
import { makeReady } from '../../../support/contracts.ts'
import { cash, type Json, letting, phoneOf, stage } from '../../../support/scenario.ts'
import { room } from '../../../support/upkeep.ts'

const NUMBER = '+237677123456'
type Told = readonly [purpose: string, text: string]

/** A lease, and all of which its tenant is told while it lasts and when it ends. */
async function life(tenant: Json, to: string, locale: 'fr' | 'en'): Promise<Told[]> {
  const given = async (x: Parameters<ReturnType<typeof letting>>[0]): Promise<void> => {
    await x.make('ada', 'PATCH /admin/organization', { locale })
    if (tenant.tenantPhoneNumber) await x.make('ana', 'POST /tenants', { fullName: 'Marie', phoneNumber: to, locale })
    else await x.make('tom', 'PATCH /me', { locale })
    await letting({ tenantUserId: null, ...tenant, startDate: '2026-03-01', depositAmount: 120_000 })(x)
  }
  const s = await stage({ given })
  await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 120_000, paidOn: '2026-03-10' })
  const lease = s.fill('{lease}')
  await s.make('ana', 'POST /requests', { bookingId: lease, title: 'Fuite' }, 'leak')
  await s.work()
  for (const [move, body] of [
    ['entries', { text: 'Je viens demain' }],
    ['plan', { plannedOn: '2026-03-12' }],
    ['done', {}],
    ['reopen', { reason: 'Fuit encore' }],
    ['refuse', { reason: 'Déjà fait' }],
  ] as const) {
    await s.make('ana', `POST /requests/{leak}/${move}`, body)
    await s.work()
  }
  await s.make('ana', 'POST /inspections', { bookingId: lease, kind: 'ENTRY' }, 'entry')
  await s.make('ana', 'PATCH /inspections/{entry}', { rooms: [room('01a1fc4b')] })
  await s.make('ana', 'POST /inspections/{entry}/propose')
  await makeReady(s.t, lease, 'INSPECTION')
  await s.work()
  const rise = { from: '2026-04-01', rentAmount: 66_000 }
  await s.make('ana', 'POST /bookings/{lease}/rent-changes', rise, 'rise')
  await s.work()
  await s.make('ana', 'POST /rent-changes/{rise}/cancel')
  await s.make('ana', 'POST /bookings/{lease}/rent-changes', { ...rise, rentAmount: 50_000 })
  await s.make('ana', 'POST /bookings/{lease}/invoices', {
    lines: [{ label: 'Gardien', amount: 40_000, provision: true }],
  })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(100_000))
  s.t.advance(20)
  await s.work()
  await s.make('ana', 'POST /properties/{villa}/regularisations', {
    ...{ periodStart: '2026-03-01', periodEnd: '2026-03-29' },
    items: [{ label: 'Gardiennage', key: 'EQUAL', costs: [{ label: 'Gardien', amount: 30_000 }] }],
  })
  await s.work()
  for (const by of ['LANDLORD', 'TENANT']) {
    await s.make('ana', 'POST /bookings/{lease}/notice', { by, leaveOn: '2026-06-30' })
    await s.work()
    await s.ask('ana', 'DELETE /bookings/{lease}/notice')
    await s.work()
  }
  await s.make('ana', 'POST /bookings/{lease}/terminate', { confirm: true })
  await s.make('ana', 'POST /bookings/{lease}/deposit', {
    type: 'DEDUCTED',
    amount: 20_000,
    paidOn: '2026-03-30',
    reason: 'Vitre',
  })
  await s.work()
  return s.sent.flatMap(({ purpose, text, ...one }) => (one.to === to ? [[purpose, text] as const] : []))
}

/** What has a page of its own in the portal. */
const LED = [
  ...['repair_noted', 'repair_message', 'repair_planned', 'repair_done', 'repair_reopened', 'repair_refused'],
  ...['inspection_proposed', 'rent_proposed', 'charges_shared', 'lease_ended', 'deposit_deducted'],
]
const ledTo = (told: readonly Told[]): string[] => [
  ...new Set(told.flatMap(([purpose, text]) => (text.includes('/portal/') ? [purpose] : []))),
]

for (const locale of ['fr', 'en'] as const) {
  test(`${locale}: a tenant with an account is led to the page that is meant`, async () => {
    const told = await life({ tenantUserId: '{tom}' }, phoneOf('tom'), locale)
    expect(ledTo(told).sort()).toEqual([...LED].sort())
    for (const [, text] of told) expect(text).not.toMatch(/undefined|compte avec ce numéro|account with this number/)
  })

  test(`${locale}: one without is led to no page of the portal, and told whom to ask`, async () => {
    const told = await life({ tenantPhoneNumber: NUMBER }, NUMBER, locale)
    expect(LED.filter((purpose) => !told.some(([one]) => one === purpose))).toEqual([])
    expect(ledTo(told)).toEqual([])
    for (const [, text] of told) {
      expect(text).not.toMatch(/undefined|dans vos documents|among your papers|Retirez-le|Withdraw it/)
      expect(text).not.toMatch(/:\s*[.(]|\.\./)
    }
    // What waits for their signature or answer says how to give it.
    for (const asked of ['rent_proposed', 'inspection_proposed', 'repair_message'])
      expect(told.find(([one]) => one === asked)?.[1]).toMatch(
        /(compte avec ce numéro|account with this number)[^:]*:\shttp\S+ \(/,
      )
  })
}
