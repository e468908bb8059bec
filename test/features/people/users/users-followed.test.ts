// An external provider says another number or other roles: what was sent before opens nothing, and both numbers are told.
import { expect, test } from 'bun:test'
import { resolveCaller } from '../../../../src/features/people/accounts/account.ts'
import { claimsOf, ORG } from '../../../support/app.ts'
import { phoneOf, type Stage, userId } from '../../../support/scenario.ts'
import { codeFor, OTP, outForSigning, SIGN, told } from '../../../support/signers.ts'

const MOVED = '+237699112233'
const follow = (s: Stage, more: object) => {
  s.time.now += 61_000
  return resolveCaller(s.deps)({ ...claimsOf('TENANT.tom', () => s.time.now), ...more })
}
const open = (s: Stage) => s.rows('select purpose from challenge where used_at is null and decoy = 0')

test('another number', async () => {
  const { s, status } = await outForSigning()
  const code = await codeFor(s, 'tom')
  const mark = s.sent.length
  await follow(s, { phoneNumber: MOVED })
  expect(open(s)).toEqual([])
  await s.work()
  const news = s.sent.slice(mark).filter(({ purpose }) => purpose !== 'lease_proposed')
  expect(news.map(({ to, purpose }) => [to, purpose])).toEqual([
    [phoneOf('tom'), 'phone_changed'],
    [MOVED, 'phone_changed'],
  ])
  // Who administers the provider has the last word: there is no link.
  expect(news.map(({ text }) => text).join()).not.toContain('http')
  expect(s.rows("select action from audit_entry where action like 'user.%' order by rowid desc limit 1")).toEqual([
    { action: 'user.refresh' },
  ])
  // The same person, by a token of before: it is their number that is another.
  expect(told(await s.ask('tom', SIGN, code))).toBe('410 challenge_gone')
  expect(status()).toBe('PENDING')
})

test('other roles', async () => {
  const { s } = await outForSigning()
  const code = await codeFor(s, 'tom')
  const mark = s.sent.length
  await follow(s, { roles: ['TENANT', 'OWNER'] })
  expect([open(s), s.sent.length]).toEqual([[], mark])
  expect(told(await s.ask('tom', SIGN, code))).toBe('410 challenge_gone')
})

test('what is said as it was leaves codes as they are; so do a name and an address', async () => {
  const { s } = await outForSigning()
  const code = await codeFor(s, 'tom')
  await follow(s, { givenName: 'Thomas', email: 'tom@example.cm' })
  expect(told(await s.ask('tom', SIGN, code))).toBe('201')
})

test('a code for a signature is good at the number it was sent to alone, whatever the row says by then', async () => {
  const { s } = await outForSigning()
  const code = await codeFor(s, 'tom')
  s.store.client
    .prepare('update app_user set phone_number = ? where org_id = ? and id = ?')
    .run(MOVED, ORG, userId('tom'))
  expect(told(await s.ask('tom', SIGN, code))).toBe('410 challenge_gone')
  s.time.now += 61_000
  expect((await s.ask('tom', OTP)).status).toBe(200)
})
