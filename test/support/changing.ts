// Terms of running leases that walks change: rents by notice or by a rider, and what was mistyped.
import { addMonths } from '../../src/core/dates.ts'
import { type Change, followChange, type Lived, rentsFrom } from './agreed.ts'
import { paperReady } from './contracts.ts'
import { TENANTS } from './owning.ts'
import type { Move, Walk } from './walking.ts'

export function changing(w: Walk): Move[] {
  const { s, random, ask, some, agreed } = w
  async function changeRent(): Promise<void> {
    const of = some('booking', "status = 'ACTIVE'")
    const lease = agreed.get(of)
    if (!lease) return
    await s.work()
    const [row = {}] = s.rows('select anchor_date a, next_period n from booking where id = ?', of)
    const from = addMonths(String(row.a), Number(row.n) + random.int(-2, 2))
    const rent = random.pick([1, 20_000, 45_000, 60_001, 150_000])
    const rents = rentsFrom(s, of, from)
    const body = { from, rentAmount: rent, confirm: random.int(0, 2) > 0 }
    const { id, status } = await ask('ana', `POST /bookings/${of}/rent-changes`, body)
    if (status === 'IN_FORCE' || status === 'SCHEDULED')
      followChange(lease, rents, [...lease.changes, { id: String(id), from, rent }])
    if (status !== 'PROPOSED') return
    proposed.set(String(id), { of, change: { id: String(id), from, rent } })
    if (random.int(0, 1)) await answerRent()
  }
  const proposed = new Map<string, { readonly of: string; readonly change: Change }>()
  /** The tenant signs a rider, refuses it, or the landlord thinks better of it. */
  async function answerRent(): Promise<void> {
    const id = some('rent_change', random.int(0, 2) ? "status = 'PROPOSED'" : 'true')
    const { of, change } = proposed.get(id) ?? {}
    const how = random.int(0, 3)
    if (how === 0) await ask(w.signer(of ?? ''), `POST /rent-changes/${id}/decline`, { reason: 'Trop cher' })
    else if (how === 1) {
      const mine = ([, { changes }]: [string, Lived]): boolean => changes.some((c) => c.id === id)
      const [counted, lease] = [...agreed].find(mine) ?? []
      const gone = lease?.changes.find((c) => c.id === id)
      await s.work()
      const rents = rentsFrom(s, counted ?? '', gone?.from ?? '')
      const { status } = await ask('ana', `POST /rent-changes/${id}/cancel`)
      if (status === 'CANCELLED' && lease && gone)
        followChange(
          lease,
          rents,
          lease.changes.filter((c) => c !== gone),
        )
    } else if (of && change) {
      await s.work()
      for (const { d } of s.rows("select document_id d from rent_change where id = ? and status = 'PROPOSED'", id))
        await paperReady(s.t, String(d))
      const { challengeId } = await ask(w.signer(of), `POST /rent-changes/${id}/signatures/otp`)
      if (typeof challengeId !== 'string') return
      const signed = { challengeId, code: s.sent.at(-1)?.code ?? '', fullName: 'En Entier' }
      const rents = rentsFrom(s, of, change.from)
      const { status } = await ask(w.signer(of), `POST /rent-changes/${id}/signatures`, signed)
      if (status === 'IN_FORCE' || status === 'SCHEDULED')
        followChange(agreed.get(of), rents, [...(agreed.get(of)?.changes ?? []), change])
    }
  }
  /** A mistyped rent, rate or tenant, while nothing is paid: everything is made anew. */
  async function correct(): Promise<void> {
    const of = w.lease()
    const terms = { rentAmount: random.pick([1, 31_000, 90_000]), tvaBasisPoints: random.pick([0, 1925]) }
    const who = random.int(0, 2) ? {} : random.pick(TENANTS)
    const body = await ask('ana', `POST /bookings/${of}/correct`, { ...terms, ...who })
    const right = agreed.get(of)
    if (body.status !== 'ACTIVE' || !right) return
    right.rent = terms.rentAmount
    Object.assign(right.taxed, { rate: terms.tvaBasisPoints, since: w.taxesSoFar() })
    right.taxed.kept.clear()
    right.changes = []
    right.kept.clear()
    for (const { id } of s.rows("select id from invoice where booking_id = ? and status = 'CANCELLED'", of))
      w.byHand.add(String(id))
  }
  return [
    [4, changeRent],
    [6, answerRent],
    [4, correct],
  ]
}
