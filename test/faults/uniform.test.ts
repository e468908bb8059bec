// `bun scripts/faults/uniform.ts` is the long version.
import { expect, test } from 'bun:test'
import { uniformity } from './uniform.ts'

const STATUS = { 'password-reset/request': 202, 'password-reset/complete, wrong code': 422, 'registration/otp': 202 }

test('nobody learns from answers or their time which numbers have an account', async () => {
  const found = await uniformity(250)
  expect(found.map(({ operation }) => operation)).toEqual(Object.keys(STATUS) as never)
  for (const { operation, forms, gapMs } of found) {
    expect({ operation, known: forms.known.length }).toEqual({ operation, known: 1 })
    expect(forms.unknown).toEqual([...forms.known])
    expect(forms.known[0]).toStartWith(`{"status":${STATUS[operation]},`)
    // A difference, not a duration: what else the machine does is on both sides.
    expect(gapMs).toBeLessThan(1)
  }
}, 60_000)
