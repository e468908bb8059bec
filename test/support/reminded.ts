// A lease whose tenant is reminded of its rent.
import type { Config } from '../../src/config.ts'
import { remindTenants } from '../../src/features/news/reminders/jobs.ts'
import { createTestApp } from './app.ts'

export const ANA = 'OWNER.ana'
export const EVE = 'OWNER.eve'
export const ADA = 'ADMIN.ada'
type RentMessage = { id: string; step: string; amount: number; sentBy?: string; locale: string }

/** A lease of 60,000 from 10 March (8:00 UTC, 9:00 in Douala), due on the 15th, of a tenant with this number. */
export async function start(
  tenant: object = { phoneNumber: '+237677123456' },
  settings: object = {},
  config: Partial<Config> = {},
) {
  const t = createTestApp({ config })
  for (const who of [ANA, EVE, ADA]) await t.call(who, 'GET /api/v1/me')
  await t.call(ADA, 'PATCH /api/v1/admin/organization', { name: 'Agence Owona', ...settings })
  const property = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'R', city: 'Douala' })
  const unit = await t.call(ANA, `POST /api/v1/properties/${property.body.id}/units`, {
    label: 'A1',
    rentAmount: 60_000,
  })
  const person = await t.call(ANA, 'POST /api/v1/tenants', { fullName: 'Marie', ...tenant })
  const made = await t.call(ANA, 'POST /api/v1/bookings', {
    unitId: unit.body.id,
    tenantId: person.body.id,
    startDate: '2026-03-10',
  })
  const booking = String(made.body.id)
  await t.call(ANA, `POST /api/v1/bookings/${booking}/submit`)
  await t.call(ANA, `POST /api/v1/bookings/${booking}/activate`)
  await t.work()
  const [first] = (await t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?bookingId=${booking}`)).body
  const messages = async (who = ANA) =>
    (await t.call<RentMessage[]>(who, `GET /api/v1/bookings/${booking}/messages?order=asc&limit=200`)).body
  /** What the service does by itself until the end of some days, looking every three hours. */
  async function days(n: number): Promise<void> {
    for (let i = 0; i < n * 8; i++) {
      t.time.now += 3 * 3_600_000
      await t.work()
      await remindTenants(t.deps)
    }
    await t.work()
  }
  const pay = (amount: number) =>
    t.call(ANA, `POST /api/v1/invoices/${first?.id}/payments`, { amount, method: 'CASH', paidOn: '2026-03-10' })
  const remind = (body: object = {}, who = ANA) =>
    t.call<RentMessage & { code?: string }>(who, `POST /api/v1/invoices/${first?.id}/remind`, body)
  const purposes = (): string[] => t.sent.map(({ purpose }) => purpose).filter((p) => p !== 'payment_confirmed')
  return { t, booking, invoice: String(first?.id), messages, days, pay, remind, purposes }
}
