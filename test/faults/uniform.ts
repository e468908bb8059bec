// Who has an account: the same requests for known and unknown numbers in turn, with all that a stranger can see of the answers.
import { addUser } from '../../src/features/people/accounts/account.ts'
import { createPeopleApp, type PeopleApp, type Told } from '../support/people.ts'

const OPERATIONS = ['password-reset/request', 'password-reset/complete, wrong code', 'registration/otp'] as const
type Side = 'known' | 'unknown'
const SIDES: readonly Side[] = ['known', 'unknown']
export type Uniform = {
  readonly operation: (typeof OPERATIONS)[number]
  /** Status, header names and members with the form of their values: one each, if all answers were alike. */
  readonly forms: Readonly<Record<Side, readonly string[]>>
  readonly medianMs: Readonly<Record<Side, number>>
  readonly gapMs: number
}

const PASSWORD = 'pignon sur rue'
const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0
const round = (ms: number): number => Math.round(ms * 1000) / 1000
/** Letters and digits tell nothing, their number and order might. */
const formOf = ({ status, headers, body }: Told): string =>
  JSON.stringify({ status, headers: [...headers.keys()], body }, (_, v) =>
    typeof v === 'string' && /\d/.test(v) ? v.replace(/[0-9a-f]/g, '0') : v,
  )

/** Accounts for the numbers, with one password hash for all: its making is no part of what is measured. */
async function addAccounts(app: PeopleApp, numbers: readonly string[]): Promise<void> {
  const { userId } = await addUser(app.deps, { phone: '+237677999999', roles: ['TENANT'], password: PASSWORD })
  const { client } = app.deps.store
  const copy = (table: string, columns: Record<string, string>, where: string) => {
    const names = (client.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
    return client.prepare(
      `insert into ${table}(${names}) select ${names.map((name) => columns[name] ?? name)} from ${table} where ${where}`,
    )
  }
  const user = copy('app_user', { id: '@id', subject: '@id', username: '@number', phone_number: '@number' }, 'id = @of')
  const credential = copy('credential', { user_id: '@id' }, 'user_id = @of')
  client.transaction(() => {
    for (const number of numbers) {
      const id = app.deps.newId()
      user.run({ id, number, of: userId })
      credential.run({ id, of: userId })
    }
  })()
}

/** Asks for `pairs` known and as many unknown numbers, one after the other; a vendor that takes its time gets the codes. */
export async function uniformity(pairs: number): Promise<Uniform[]> {
  const real = Date.now
  let ahead = 0
  // Real time goes on by minutes between two pairs, or the caps would end this soon.
  Date.now = () => real() + ahead
  const app = await createPeopleApp({ LOYER_MODE: 'production' })
  try {
    Object.assign(app.deps.messenger, { mute: false, send: () => Bun.sleep(2).then(() => ({ took: true })) })
    // Every number in another neighbourhood.
    const numberOf = (n: number): string => `+2376${String(50_000_000 + n * 10_007).slice(0, 8)}`
    await addAccounts(
      app,
      Array.from({ length: pairs }, (_, i) => numberOf(2 * i)),
    )
    const seen = OPERATIONS.map((operation) => ({
      operation,
      times: { known: [] as number[], unknown: [] as number[] },
      forms: { known: new Set<string>(), unknown: new Set<string>() },
    }))
    for (let i = 0; i < pairs; i++) {
      const challenge: Partial<Record<Side, unknown>> = {}
      // Neither side is always the first.
      const sides = i % 2 === 0 ? SIDES : SIDES.toReversed()
      for (const { operation, times, forms } of seen)
        for (const side of sides) {
          const phoneNumber = numberOf(2 * i + SIDES.indexOf(side))
          const body = operation.includes('complete')
            ? { challengeId: challenge[side], code: '271828', newPassword: 'nouvelle phrase' }
            : { phoneNumber }
          const path = operation.startsWith('password') ? 'account/' : ''
          const began = performance.now()
          const told = await app.call(`POST /api/v1/${path}${operation.split(',')[0]}`, body, {
            from: `10.${i >> 8}.${i & 255}.${sides.indexOf(side)}`,
          })
          times[side].push(performance.now() - began)
          forms[side].add(formOf(told))
          if (operation.endsWith('request')) challenge[side] = told.body.challengeId
        }
      ahead += 180_000
    }
    return seen.map(({ operation, times, forms }) => {
      const medianMs = { known: round(median(times.known)), unknown: round(median(times.unknown)) }
      return {
        operation,
        forms: { known: [...forms.known], unknown: [...forms.unknown] },
        medianMs,
        gapMs: round(Math.abs(medianMs.known - medianMs.unknown)),
      }
    })
  } finally {
    Date.now = real
    await app.close()
  }
}
