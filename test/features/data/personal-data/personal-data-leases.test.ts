// What a person's own archive says of their leases: shares of charges, and where they are co-tenant or
// guarantor; nothing of others.
import { expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { type Json, type Person, phoneOf } from '../../../support/scenario.ts'
import { guard, house, path, period } from '../../../support/shared-charges.ts'

test('shares of charges and the part in the lease of another, of each person alone', async () => {
  const s = await house()
  await s.make('ana', path(), { ...period, items: [guard] })
  await s.make('ana', 'POST /bookings', { unitId: '{a3}', tenantUserId: '{tom}', startDate: '2026-05-01' }, 'next')
  const party = { role: 'GUARANTOR', fullName: 'Tia Garante', phoneNumber: phoneOf('tia'), idNumber: '112233' }
  await s.ask('ana', 'PUT /bookings/{next}/parties', { parties: [party as unknown as Json] })
  const archive = async (who: Person) => {
    const headers = { authorization: `Bearer ${s.wordOf(who)}` }
    const answer = await s.t.app.handle(new Request('http://localhost/api/v1/account/export', { headers }))
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    return (name: string) => JSON.parse(new TextDecoder().decode(files[`${name}.json`])) as Json[]
  }
  const [tom, tia, eve] = [await archive('tom'), await archive('tia'), await archive('eve')]
  expect(tom('charge-shares')).toMatchObject([{ bookingId: s.fill('{toms}'), amount: 30_001, periodEnd: '2026-03-31' }])
  expect(tia('charge-shares')).toMatchObject([{ bookingId: s.fill('{tias}'), amount: 15_000 }])
  expect(tia('lease-parties')).toMatchObject([
    { bookingId: s.fill('{next}'), role: 'GUARANTOR', fullName: 'Tia Garante', idNumber: '112233', unitLabel: 'A3' },
  ])
  expect([tom('lease-parties'), eve('lease-parties'), eve('charge-shares')]).toEqual([[], [], []])
  expect(JSON.stringify(tom('charge-shares'))).not.toContain(s.fill('{tias}'))
})
