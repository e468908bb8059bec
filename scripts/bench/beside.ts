// What others notice of an import, and what the end of a long lease costs.
import { freePort } from '../smoke/server.ts'
import { processorSeconds, quantile } from './load.ts'
import { serve } from './servers.ts'

const ROWS = 2_000
/** Billed so far, and paid ahead. */
const YEARS = { past: 9, ahead: 10 } as const
const RENT = 60_000
/** How many leases end: the code is compiled meanwhile. */
const ENDS = 7
/** Between two reads beside the import. */
const PAUSE_MS = 5

type Json = Readonly<Record<string, unknown>>
/** A client of one organization. @throws for any answer that is not a success */
function client(port: number, token: string) {
  return async (line: string, body?: Json) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${line}: ${answer.status} ${text.slice(0, 500)}`)
    return { headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Json }
  }
}
type Call = ReturnType<typeof client>

/** Brings a file in; `while it runs` is done in turn until it has ended. */
async function bringIn(
  call: Call,
  kind: string,
  head: string,
  line: (i: number) => string,
  meanwhile: () => Promise<void>,
) {
  const csv = [head, ...Array.from({ length: ROWS }, (_, i) => line(i))].join('\n')
  const { body: me } = await call('GET me')
  const bytes = new TextEncoder().encode(csv)
  const { body: media } = await call('POST media', {
    ...{ ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: 'rows.csv', contentType: 'text/csv' },
    sizeBytes: bytes.length,
  })
  const { url, headers } = media.upload as { url: string; headers: Record<string, string> }
  await fetch(url, { method: 'PUT', headers, body: bytes })
  await call(`POST media/${media.id}/complete`, {})
  const { body: run } = await call('POST imports', { kind, mediaObjectId: media.id })
  for (;;) {
    const { body } = await call(`GET imports/${run.id}`)
    if (body.status === 'SUCCEEDED') return
    if (body.status === 'FAILED') throw new Error(JSON.stringify(body.problems))
    await meanwhile()
  }
}

/** The 99th of 100 times of a cheap read beside an import of 2,000 leases, ms, and how many there were. */
async function beside(call: Call): Promise<{ ms: number; reads: number }> {
  const place = { name: 'Tour', addressLine: 'Rue 1', city: 'Douala' }
  const { body: house } = await call('POST properties', place)
  const rest = () => Bun.sleep(50)
  await bringIn(call, 'units', 'Bien;Logement;Loyer', (i) => `Tour;U${i};50 000`, rest)
  const times: number[] = []
  const read = async () => {
    const began = performance.now()
    await call(`GET properties/${house.id}`)
    times.push(performance.now() - began)
    await Bun.sleep(PAUSE_MS)
  }
  for (let i = 0; i < 200; i++) await read()
  times.length = 0
  const line = (i: number) => `Tour;U${i};Locataire ${i};67${String(i).padStart(7, '0')};01/01/2026;1 000`
  await bringIn(call, 'leases', 'Bien;Logement;Locataire;Téléphone;Début;Solde initial', line, read)
  return { ms: quantile(times, 0.99), reads: times.length }
}

/** Processor time of the end, on its fifth day, of a lease that is paid for twenty years, ms; how many invoices it has. */
async function ended(call: Call, pid: number, n: number): Promise<{ ms: number; invoices: number }> {
  const start = `${new Date().getUTCFullYear() - YEARS.past}-01-15`
  const { body: house } = await call('POST properties', { name: `Maison ${n}`, addressLine: 'Rue 1', city: 'Douala' })
  const { body: unit } = await call(`POST properties/${house.id}/units`, { label: 'A', rentAmount: RENT })
  const terms = { unitId: unit.id, tenantPhoneNumber: `+23767700090${n}`, startDate: start, billFrom: start }
  const { body: lease } = await call('POST bookings', terms)
  await call(`POST bookings/${lease.id}/submit`, { blanks: true })
  await call(`POST bookings/${lease.id}/activate`, {})
  let invoices = 0
  for (let before = -1; before < invoices || invoices === 0; await Bun.sleep(1000)) {
    before = invoices
    const { headers } = await call(`GET invoices?bookingId=${lease.id}&limit=1&count=true`)
    invoices = Number(headers.get('x-total-count'))
  }
  const amount = (invoices + YEARS.ahead * 12) * RENT
  const paidOn = new Date().toISOString().slice(0, 10)
  const { body: paid } = await call(`POST bookings/${lease.id}/payments`, { amount, method: 'CASH', paidOn })
  invoices = (paid.invoiceIds as unknown[]).length
  // Papers are drawn meanwhile.
  for (let before = -1, now = 0; now - before > 0.05; before = now, now = processorSeconds(pid) ?? 0)
    await Bun.sleep(before < 0 ? 0 : 1000)
  // The main thread alone: the others draw papers and compile meanwhile, and hold nobody up.
  const before = processorSeconds(pid, pid) ?? Number.NaN
  await call(`POST bookings/${lease.id}/terminate`, { endDate: `${start.slice(0, 8)}20`, confirm: true })
  return { ms: ((processorSeconds(pid, pid) ?? Number.NaN) - before) * 1000, invoices }
}

/** Both on an empty database. */
export async function besides(data: string, issuer: string, token: string) {
  const port = await freePort()
  const { pid, stop } = await serve(data, issuer, { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` })
  const call = client(port, token)
  const ends: { ms: number; invoices: number }[] = []
  for (let n = 0; n < ENDS; n++) ends.push(await ended(call, pid, n))
  const imported = await beside(call)
  await stop()
  ends.sort((a, b) => a.ms - b.ms)
  return { imported, end: ends[Math.floor(ENDS / 2)] ?? { ms: Number.NaN, invoices: 0 } }
}
