// What others notice of long work, and what the end of a long lease costs.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { freePort } from '../smoke/server.ts'
import { DUE, fillDue } from './fill.ts'
import { idOf } from './ids.ts'
import { processorSeconds, quantile } from './load.ts'
import { BINARY, serve, start } from './servers.ts'

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

/** Brings a file in, and returns when it has come in. */
async function bringIn(call: Call, kind: string, head: string, line: (i: number) => string): Promise<void> {
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
  await ends(call, `imports/${run.id}`)
}
/** Waits for the end of a run. */
async function ends(call: Call, path: string): Promise<void> {
  for (;;) {
    const { body } = await call(`GET ${path}`)
    if (body.status === 'SUCCEEDED') return
    if (body.status === 'FAILED') throw new Error(JSON.stringify(body))
    await Bun.sleep(50)
  }
}

export type Beside = { readonly what: string; readonly ms: number; readonly reads: number }
/** The 99th of 100 times of a cheap read while something else goes on, ms, and how many reads there were. */
async function beside(what: string, read: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Beside> {
  // Compiled before it is timed.
  for (let i = 0; i < 200; i++) await read()
  const times: number[] = []
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    await read()
    times.push(performance.now() - began)
    await Bun.sleep(PAUSE_MS)
  }
  await working
  return { what, ms: quantile(times, 0.99), reads: times.length }
}

async function besideImport(call: Call): Promise<Beside> {
  const place = { name: 'Tour', addressLine: 'Rue 1', city: 'Douala' }
  const { body: house } = await call('POST properties', place)
  await bringIn(call, 'units', 'Bien;Logement;Loyer', (i) => `Tour;U${i};50 000`)
  const line = (i: number) => `Tour;U${i};Locataire ${i};67${String(i).padStart(7, '0')};01/01/2026;1 000`
  return beside(
    'an import of 2,000 leases',
    () => call(`GET properties/${house.id}`),
    () => bringIn(call, 'leases', 'Bien;Logement;Locataire;Téléphone;Début;Solde initial', line),
  )
}

/** On a folder in which 20,000 leases owe this month's invoice. */
export async function besideInvoices(data: string, issuer: string, token: string): Promise<Beside[]> {
  const file = join(data, 'loyer.db')
  const store = openStore(file)
  fillDue(store.client)
  await store.close()
  const port = await freePort()
  const { stop } = await start([BINARY], {
    args: ['serve'],
    env: { LOYER_DATA: data, AUTH_URL: issuer, PORT: String(port), RATE_LIMITS: 'off' },
  })
  const call = client(port, token)
  const watch = new Database(file, { readonly: true })
  const count = (sql: string) => (watch.query(sql).get() as { n: number }).n
  const issued = () => count('select count(*) n from invoice')
  const drawn = () => count("select count(*) n from document where status = 'READY'")
  const read = () => call(`GET properties/${idOf('property', 0)}`)
  const all: Beside[] = []
  all.push(
    await beside(`issuing ${DUE.toLocaleString('en')} invoices`, read, async () => {
      while (issued() < DUE) await Bun.sleep(100)
    }),
  )
  all.push(
    await beside('drawing 200 papers', read, async () => {
      const before = drawn()
      while (drawn() < before + 200) await Bun.sleep(100)
    }),
  )
  watch.close()
  await stop()
  return all
}

/** On the folder of the reports: 60,000 invoices of a year. */
export async function besideReads(data: string, issuer: string, token: string): Promise<Beside[]> {
  const port = await freePort()
  const { stop } = await serve(data, issuer, { PORT: String(port) })
  const call = client(port, token)
  const read = () => call(`GET properties/${idOf('property', 0)}`)
  const report = () => call('GET reports/tva-journal?from=2022-01-01&to=2022-12-31')
  const all = [
    await beside('a report of 60,000 rows', read, report),
    await beside('an export of 30 MB', read, async () => {
      const { body: run } = await call('POST exports', {})
      await ends(call, `exports/${run.id}`)
    }),
  ]
  await stop()
  return all
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
  const imported = await besideImport(call)
  await stop()
  ends.sort((a, b) => a.ms - b.ms)
  return { imported, end: ends[Math.floor(ENDS / 2)] ?? { ms: Number.NaN, invoices: 0 } }
}
