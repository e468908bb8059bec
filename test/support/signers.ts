// A lease that is out for signing, and people who sign it.
import { makeReady } from './contracts.ts'
import { type Json, letting, type Person, type Stage, stage } from './scenario.ts'

export const OTP = 'POST /bookings/{lease}/signatures/otp'
export const SIGN = 'POST /bookings/{lease}/signatures'

/** Tom's lease of Ana's A1, out for signing and readable. */
export async function outForSigning(terms: Json = { startDate: '2026-03-01' }) {
  const s = await stage({ given: letting(terms, 'PENDING') })
  const contract = await makeReady(s.t, s.names.get('lease') ?? '')
  const status = () => s.rows('select status from booking where id = ?', s.names.get('lease'))[0]?.status
  const signatures = () =>
    s
      .rows(
        "select party || iif(on_behalf, ' on behalf', '') || ' ' || status || coalesce(' ' || void_reason, '') line from signature order by id",
      )
      .map(({ line }) => String(line))
  const contracts = () =>
    s
      .rows(
        "select variant || ' ' || coalesce(void_reason, status) line from document where kind = 'LEASE_CONTRACT' order by id",
      )
      .map(({ line }) => String(line))
  return { s, contract, status, signatures, contracts }
}
/** A code, as it arrives. */
export async function codeFor(s: Stage, who: Person) {
  const { body } = await s.ask(who, OTP)
  return { challengeId: String(body.challengeId), code: s.sent.at(-1)?.code ?? '', fullName: `${who} Entier` }
}
export const signs = async (s: Stage, who: Person) => s.ask(who, SIGN, await codeFor(s, who))
export const told = (answer: { status: number; body: Json }): string =>
  `${answer.status} ${answer.body.code ?? ''}`.trim()
