// What happens in leases beside rent and its payments, for random worlds: whatever is refused is refused.
import { addDays } from '../../src/core/dates.ts'
import type { Json, Stage } from './scenario.ts'
import type { seeded } from './seeded.ts'

type At = Pick<Stage, 'ask' | 't'>
const dayOf = (s: At): string => new Date(s.t.time.now).toISOString().slice(0, 10)
const rowsOf = async (s: At, owner: 'ana' | 'eve', line: string): Promise<Json[]> => {
  const { status, body } = await s.ask(owner, line)
  return status === 200 ? (body as unknown as Json[]) : []
}

/** Deposits, notices, changes of the rent, provisions, and ends that are undone, of one lease. */
export async function randomTurns(s: At, r: ReturnType<typeof seeded>, owner: 'ana' | 'eve', name: string) {
  const today = dayOf(s)
  const lease = `/bookings/{${name}}`
  const deposit = (type: string, more: Json = {}) =>
    s.ask(owner, `POST ${lease}/deposit`, { type, amount: r.int(1, 30_000), paidOn: today, ...more })
  const open = (await rowsOf(s, owner, `GET /invoices?bookingId={${name}}`)).filter((i) => Number(i.balanceAmount) > 0)
  if (r.int(0, 2) === 0) await deposit('RECEIVED', { amount: 90_000 })
  if (r.int(0, 3) === 0) await deposit('DEDUCTED', { reason: 'Vitre' })
  if (r.int(0, 3) === 0) {
    // Of the tenant's other leases with this owner too.
    const [{ tenantId } = {}] = open
    const owed = await rowsOf(s, owner, `GET /invoices?tenantId=${tenantId}&status=ISSUED,OVERDUE`)
    await deposit('DEDUCTED', { invoiceIds: owed.map(({ id }) => id) })
  }
  if (r.int(0, 5) === 0) await deposit('RETURNED')
  if (r.int(0, 3) === 0)
    await s.ask(owner, `POST ${lease}/invoices`, {
      lines: [{ label: 'Provision', amount: r.int(1, 9_000), provision: true }],
    })
  if (r.int(0, 4) === 0)
    await s.ask(owner, `POST ${lease}/notice`, { by: 'LANDLORD', leaveOn: addDays(today, r.int(0, 40)) })
  if (r.int(0, 3) === 0) await s.ask(owner, `DELETE ${lease}/notice`)
  if (r.int(0, 4) === 0) {
    const [{ periodStart } = {}] = open
    if (periodStart)
      await s.ask(owner, `POST ${lease}/rent-changes`, {
        from: periodStart,
        rentAmount: r.int(1, 99_000),
        confirm: true,
      })
  }
  if (r.int(0, 3) === 0) await s.ask(owner, `POST ${lease}/reinstate`)
}

/** What a house cost is shared, with the suppliers' TVA; some of it by mistake. */
export async function randomShares(s: At, r: ReturnType<typeof seeded>, owner: 'ana' | 'eve', house: string) {
  const today = dayOf(s)
  const amount = r.int(1, 90_000)
  const costs = [{ label: 'Gardien', amount, tvaAmount: r.int(0, amount) }]
  const body = {
    periodStart: addDays(today, -r.int(1, 60)),
    periodEnd: today,
    items: [{ label: 'Gardiennage', key: 'EQUAL', costs }],
  }
  const issued = await s.ask(owner, `POST /properties/{${house}}/regularisations`, body)
  if (issued.status === 201 && r.int(0, 2) === 0) await s.ask(owner, `POST /regularisations/${issued.body.id}/cancel`)
}

/** Francs kept of deposits for damages, on no invoice. */
export async function keptOf(s: At, who: 'ana' | 'mia', leases: readonly { readonly id?: unknown }[]): Promise<number> {
  let kept = 0
  for (const { id } of leases)
    for (const entry of (await s.ask(who, `GET /bookings/${id}/deposit?limit=200`)).body as unknown as Json[])
      if (entry.type === 'DEDUCTED' && entry.paymentId === undefined) kept += Number(entry.amount)
  return kept
}
