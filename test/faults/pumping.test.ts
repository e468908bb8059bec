// Pumping: somebody makes us send codes for the sake of the sending. No budget gives way, whatever is asked, and by whom.
import { afterAll, expect, setSystemTime, spyOn, test } from 'bun:test'
import { addUser } from '../../src/features/people/accounts/account.ts'
import { createDispatcher } from '../../src/features/people/messages/jobs.ts'
import { createPeopleApp } from '../support/people.ts'
import { seeded } from '../support/seeded.ts'

const REQUESTS = 10_000
const AT_ONCE = 20
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

afterAll(() => setSystemTime())

type Sent = {
  at: number
  number: string
  purpose: string
  address: string
  account: string
  kind: string
  status: string
}
/** What a budget counts of what was asked for; the key '' is none of it. */
type Of = (s: Sent) => string
const prefixOf = (s: Sent): string => s.number.slice(0, -4)
const anonymous = (s: Sent): boolean => s.kind !== 'OWN'
const spent = (s: Sent): boolean => s.status === 'SENT'
const stranger = (s: Sent): boolean => s.kind === 'STRANGER' && spent(s)
/** The budgets as the operator reads them; here counted anew from what was asked for, by no code of the service's. */
const REACHED: [name: string, of: Of, ms: number, most: number][] = [
  [
    'a number and purpose for one asker, in a minute',
    (s) => `${s.number} ${s.purpose} ${s.address} ${s.account}`,
    MINUTE,
    1,
  ],
  ['a number and address, in ten minutes', (s) => (anonymous(s) ? `${s.number} ${s.address}` : ''), 10 * MINUTE, 3],
  ['a number and address, in a day', (s) => (anonymous(s) ? `${s.number} ${s.address}` : ''), DAY, 5],
  ['an account and purpose, in a day', (s) => (s.kind === 'OWN' ? `${s.account} ${s.purpose}` : ''), DAY, 5],
]
const HELD: typeof REACHED = [
  ['an address, in an hour', (s) => (anonymous(s) ? s.address : ''), HOUR, 30],
  ['an address, in a day', (s) => (anonymous(s) ? s.address : ''), DAY, 100],
  ['a number and purpose for strangers, in a day', (s) => (stranger(s) ? `${s.number} ${s.purpose}` : ''), DAY, 17],
  ['neighbouring numbers for strangers, in an hour', (s) => (stranger(s) ? prefixOf(s) : ''), HOUR, 40 + 40 + 30],
  ['all strangers, in an hour', (s) => (stranger(s) ? 'all' : ''), HOUR, 300 + 150 + 60],
  ['all strangers, in a day', (s) => (stranger(s) ? 'all' : ''), DAY, 1500 + 300 + 288],
  ['everybody, in an hour', (s) => (spent(s) ? 'all' : ''), HOUR, 800],
  ['everybody, in a day', (s) => (spent(s) ? 'all' : ''), DAY, 3000],
]
/** The most that any one of a kind got within a window of time. */
function most(sent: readonly Sent[], of: (s: Sent) => string, ms: number): number {
  const times = new Map<string, number[]>()
  let top = 0
  for (const s of sent) {
    const key = of(s)
    if (key === '') continue
    const window = (times.get(key) ?? []).filter((at) => at > s.at - ms)
    window.push(s.at)
    times.set(key, window)
    top = Math.max(top, window.length)
  }
  return top
}

test(`${REQUESTS} requests for 2,000 numbers from 500 addresses: no budget is passed`, async () => {
  let now = Date.parse('2026-03-10T08:00:00.000Z')
  setSystemTime(new Date(now))
  const app = await createPeopleApp({ LOYER_MODE: 'production', OIDC_SIGNING_ALG: 'ES256' })
  const random = seeded(7)
  const home = Array.from(
    { length: 1500 },
    (_, i) => `+2376${50 + Math.floor(i / 50)}00${String(1000 + i).padStart(4, '0')}`,
  )
  const countries = '1 7 20 33 44 49 86 91 92 213 216 221 225 229 233 234 241 242 260 880'.split(' ')
  const abroad = Array.from({ length: 500 }, (_, i) => `+${countries[i % 20]}55${String(100_000 + i)}`)
  const addresses = Array.from({ length: 500 }, (_, i) => `41.202.${Math.floor(i / 250)}.${i % 250}`)
  // Those who have accounts, and whose tokens the attacker has.
  const members = home.slice(0, 12)
  const tokens = new Map<string, { token: string; until: number }>()
  const ids = new Map<string, string>()
  for (const phone of members) {
    const { userId } = await addUser(app.deps, { phone, roles: ['TENANT'], password: 'autre phrase ici' })
    ids.set(phone, userId)
  }
  const messages: { to: string; at: number }[] = []
  Object.assign(app.deps.messenger, { mute: false })
  spyOn(app.deps.messenger, 'send').mockImplementation(async ({ to }) => {
    messages.push({ to, at: now })
    return { took: true }
  })
  const dispatcher = createDispatcher(app.deps)
  const tokenOf = async (phone: string): Promise<string> => {
    const known = tokens.get(phone)
    if (known && known.until > now) return known.token
    const token = String((await app.deps.embedded?.issueTokens(ids.get(phone) ?? ''))?.access_token)
    tokens.set(phone, { token, until: now + 4 * MINUTE })
    return token
  }

  /** Some numbers and addresses are used far more than others, so that budgets are come to. */
  const some = <T>(items: readonly T[]): T => items[random.int(0, random.int(0, 3) === 0 ? 9 : items.length - 1)] as T
  const statuses: Record<string, number> = {}
  async function one(): Promise<void> {
    // A few come back again and again for the same number.
    const stubborn = random.int(0, 5) === 0 ? random.int(20, 23) : undefined
    const from = stubborn === undefined ? some(addresses) : (addresses[stubborn] ?? '')
    const phoneNumber = stubborn === undefined ? some(random.int(0, 9) === 0 ? abroad : home) : (home[stubborn] ?? '')
    const kind = random.int(0, 19)
    const member = random.pick(members as [string, ...string[]])
    const token = kind < 18 ? '' : await tokenOf(member)
    const { status, body } =
      kind < 10
        ? await app.call('POST /api/v1/registration/otp', { phoneNumber }, { from })
        : kind < 18
          ? await app.call('POST /api/v1/account/password-reset/request', { phoneNumber }, { from })
          : kind === 18
            ? await app.call('POST /api/v1/account/phone/otp', { newPhoneNumber: phoneNumber }, { from, token })
            : await app.call('POST /api/v1/account/phone/verification/otp', {}, { from, token })
    const told = `${status} ${body.code ?? ''}`.trim()
    statuses[told] = (statuses[told] ?? 0) + 1
  }
  for (let done = 0; done < REQUESTS; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    await dispatcher.drain()
    // Thirty hours in all, with rushes and pauses.
    now += random.int(0, 9) === 0 ? 15 * MINUTE : random.int(1, 3 * MINUTE)
    setSystemTime(new Date(now))
  }

  const rows = app.rows(
    'select sent_at, phone_number, purpose, address, user_id, kind, status from code_send order by sent_at, id',
  )
  const counted = rows.map((r): Sent => {
    const text = (name: string) => String(r[name] ?? '')
    return {
      at: Number(r.sent_at),
      number: text('phone_number'),
      purpose: text('purpose'),
      address: text('address'),
      account: text('user_id'),
      kind: text('kind'),
      status: text('status'),
    }
  })
  expect(REACHED.map(([name, of, ms]) => `${name}: ${most(counted, of, ms)}`)).toEqual(
    REACHED.map(([name, , , cap]) => `${name}: ${cap}`),
  )
  for (const [name, of, ms, cap] of HELD) {
    expect({ name, held: most(counted, of, ms) <= cap }).toEqual({ name, held: true })
  }
  // What really went out is part of what was counted, and none of it abroad.
  expect(messages.length).toBeLessThanOrEqual(counted.filter(spent).length)
  expect(messages.length).toBeGreaterThan(500)
  expect(messages.filter(({ to }) => !to.startsWith('+237'))).toEqual([])
  expect(Object.keys(statuses).sort()).toEqual([
    '200',
    '202',
    '409 duplicate',
    '422 own_number',
    '422 phone_prefix_not_allowed',
    '429 too_many_requests',
  ])
  await app.close()
}, 120_000)
