// `bun scripts/faults/uniform.ts` is the long version.
import { expect, test } from 'bun:test'
import { uniformity } from './uniform.ts'

const STATUS = { 'password-reset/request': 202, 'password-reset/complete, wrong code': 422, 'registration/otp': 202 }

test('nobody learns from answers or their time which numbers have an account', async () => {
  // A machine that is busy with one side makes a gap once; a real one is there each time.
  let found = await uniformity(250)
  for (let i = 0; i < 2 && found.some(({ gapMs }) => gapMs >= 1); i++) found = await uniformity(250)
  expect(found.map(({ operation }) => operation)).toEqual(Object.keys(STATUS) as never)
  for (const { operation, forms, gapMs } of found) {
    expect({ operation, known: forms.known.length }).toEqual({ operation, known: 1 })
    expect(forms.unknown).toEqual([...forms.known])
    expect(forms.known[0]).toStartWith(`{"status":${STATUS[operation]},`)
    // A difference, not a duration: what else the machine does is on both sides.
    expect(gapMs).toBeLessThan(1)
  }
}, 180_000)
