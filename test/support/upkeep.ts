import type { Answer, TestApp } from './app.ts'
import { makeReady } from './contracts.ts'
import type { Json } from './sample.ts'

type Made = (who: string, line: string, body?: Json) => Promise<Answer>

/** A room as it is found. */
export const room = (id: string, name = 'Séjour', more: Json = {}): Json => ({
  id: `${id}-0000-4000-8000-000000000001`,
  name,
  items: [{ id: `${id}-0000-4000-8000-000000000002`, name: 'Murs', state: 'GOOD', ...more }],
})

/** Repairs and inspections of Ana's leases in each state. */
export async function upkeep(
  t: TestApp,
  made: Made,
  as: Readonly<Record<'ana' | 'tom', string>>,
  leases: Readonly<Record<'ACTIVE' | 'ENDING' | 'UNSIGNED', string>>,
) {
  const make = async (who: string, line: string, body?: Json): Promise<string> =>
    String((await made(who, line, body)).body.id)
  const repair = (who: string): Promise<string> =>
    make(who, 'POST /api/v1/requests', { bookingId: leases.ACTIVE, title: 'Fuite sous l’évier' })
  const repairs = { OPEN: await repair(as.tom), NEW: await repair(as.ana), DONE: await repair(as.tom) }
  for (const text of ['Il pleut', 'Encore'])
    await made(as.tom, `POST /api/v1/requests/${repairs.DONE}/entries`, { text })
  await made(as.ana, `POST /api/v1/requests/${repairs.DONE}/done`, { costAmount: 15_000 })

  async function inspection(bookingId: string): Promise<string> {
    const id = await make(as.ana, 'POST /api/v1/inspections', { bookingId, kind: 'ENTRY' })
    const [at] = t.rows('select rooms from inspection where id = ?', id)
    const rooms = JSON.parse(String(at?.rooms)) as { items: Json[] }[]
    const checked = rooms.map((one) => ({ ...one, items: one.items.map((item) => ({ ...item, state: 'GOOD' })) }))
    await made(as.ana, `PATCH /api/v1/inspections/${id}`, { rooms: checked })
    return id
  }
  const inspections = {
    DRAFT: await inspection(leases.ACTIVE),
    PROPOSED: await inspection(leases.ENDING),
    SENT: await inspection(leases.UNSIGNED),
  }
  for (const id of [inspections.PROPOSED, inspections.SENT])
    await made(as.ana, `POST /api/v1/inspections/${id}/propose`)
  await makeReady(t, leases.ENDING, 'INSPECTION')
  return { repairs, inspections }
}
