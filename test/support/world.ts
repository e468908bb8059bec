import { cpSync, existsSync } from 'node:fs'
import type { Config } from '../../src/config.ts'
import { runExports } from '../../src/features/data/exports/jobs.ts'
import { runImports } from '../../src/features/data/imports/jobs.ts'
import { type Answer, createTestApp, ORG, type TestApp, uuid } from './app.ts'
import { makeReady, riderOut } from './contracts.ts'
import { costsOf } from './costs.ts'
import { cash, type Json, received } from './sample.ts'
import { upkeep } from './upkeep.ts'

export { cash } from './sample.ts'
export { samples } from './samples.ts'

export type Ids<K extends string> = Readonly<Record<K, string>>
export type World = Awaited<ReturnType<typeof world>>

/**
 * An organization with one object of each kind and state, made through the API alone: what Ana owns and Tom rents,
 * the same of Eve and Tia, and the manager and administrator of both. Names differ from one organization to the next,
 * for a test token's number follows from its name.
 */
export async function world(t: TestApp, org = 'organization') {
  const tag = org === 'organization' ? '' : org
  const word = (role: string, name: string): string => `${role}.${name}${tag}~${org}`
  const as = {
    ana: word('OWNER', 'ana'),
    eve: word('OWNER', 'eve'),
    mia: word('MANAGER', 'mia'),
    ada: word('ADMIN', 'ada'),
    tom: word('TENANT', 'tom'),
    tia: word('TENANT', 'tia'),
  }
  const userIds = Object.fromEntries(Object.keys(as).map((name) => [name, uuid(`${name}${tag}~${org}`)])) as Ids<
    keyof typeof as
  >
  /** @throws Error unless the request succeeds, because tests on an incomplete world prove nothing */
  async function made(who: string, line: string, body?: Json): Promise<Answer> {
    const answer = await t.call(who, line, body)
    if (answer.status > 202) throw new Error(`${who} ${line}: ${answer.status} ${answer.text}`)
    return answer
  }
  const make = async (who: string, line: string, body?: Json): Promise<string> =>
    String((await made(who, line, body)).body.id)

  // Each person makes one request here, because a first request writes a row, which would disturb a test.
  for (const who of Object.values(as)) await made(who, 'GET /api/v1/me')

  const property = (who: string, name: string): Promise<string> =>
    make(who, 'POST /api/v1/properties', { name, addressLine: 'Rue 1', city: 'Douala' })
  async function units(who: string, propertyId: string, labels: string[]): Promise<string[]> {
    const ids: string[] = []
    for (const label of labels)
      ids.push(await make(who, `POST /api/v1/properties/${propertyId}/units`, { label, rentAmount: 50_000 }))
    return ids
  }
  const move = (who: string, kind: string, id: string, action: string, body?: Json): Promise<Answer> =>
    made(who, `POST /api/v1/${kind}/${id}/${action}`, body)

  /** A lease brought to a state, of a landlord and a tenant with an account. */
  async function lease(who: string, unitId: string, tenantUserId: string, steps: string[], more: Json = {}) {
    const id = await make(who, 'POST /api/v1/bookings', { unitId, tenantUserId, startDate: '2026-03-01', ...more })
    for (const step of steps) await move(who, 'bookings', id, step)
    return id
  }
  const pay = (who: string, invoiceId: string, body: Json): Promise<string> =>
    make(who, `POST /api/v1/invoices/${invoiceId}/payments`, body)
  async function invoicesOf(who: string, bookingId: string): Promise<string[]> {
    const { body } = await t.call<{ id: string }[]>(who, `GET /api/v1/invoices?order=asc&bookingId=${bookingId}`)
    return body.map(({ id }) => id)
  }
  async function documentOf(who: string, bookingId: string, kind: string): Promise<string> {
    const { body } = await t.call<{ id: string }[]>(who, `GET /api/v1/documents?bookingId=${bookingId}&kind=${kind}`)
    return body[0]?.id ?? ''
  }

  const published = await property(as.ana, 'Villa')
  const draft = await property(as.ana, 'Chantier')
  const archived = await property(as.ana, 'Ruine')
  await move(as.ana, 'properties', archived, 'archive')
  const [free = '', u1 = '', u2 = '', u3 = '', u4 = '', u5 = '', u6 = '', u7 = '', spare = ''] = await units(
    as.ana,
    published,
    ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8'],
  )
  await units(as.ana, draft, ['C1'])
  await move(as.ana, 'properties', published, 'publish')
  const invited = await make(as.ana, 'POST /api/v1/tenants', { fullName: 'Sans Compte' })

  const since = { startDate: '2025-12-10', billFrom: '2025-12-10' }
  const bookings = {
    DRAFT: await lease(as.ana, u1, userIds.tom, []),
    PENDING: await lease(as.ana, u2, userIds.tom, ['submit']),
    ACTIVE: await lease(as.ana, u3, userIds.tom, ['submit', 'activate'], since),
    CANCELLED: await lease(as.ana, u4, userIds.tom, ['cancel']),
    TERMINATED: await lease(as.ana, u5, userIds.tom, ['submit', 'activate', 'terminate']),
    // Ends, so that it can be renewed.
    ENDING: await lease(as.ana, u6, userIds.tom, ['submit'], { endDate: '2026-12-31' }),
    // Its contract can be read: ready to be signed.
    UNSIGNED: await lease(as.ana, u7, userIds.tom, ['submit']),
    REQUEST: await make(as.tom, 'POST /api/v1/bookings', { unitId: free, startDate: '2026-04-01' }),
  }
  for (const id of [bookings.ENDING, bookings.UNSIGNED]) await makeReady(t, id)
  // Signed by both, and so ACTIVE by itself.
  for (const who of [as.tom, as.ana]) {
    const { body } = await made(who, `POST /api/v1/bookings/${bookings.ENDING}/signatures/otp`, {})
    const signature = { challengeId: String(body.challengeId), code: t.sent.at(-1)?.code ?? '', fullName: 'Nom Entier' }
    await made(who, `POST /api/v1/bookings/${bookings.ENDING}/signatures`, signature)
  }
  const tom = String((await made(as.ana, `GET /api/v1/bookings/${bookings.DRAFT}`)).body.tenantId)

  const hers = await property(as.eve, 'Studio')
  const [herUnit = ''] = await units(as.eve, hers, ['E1'])
  const herBooking = await lease(as.eve, herUnit, userIds.tia, ['submit', 'activate'])
  const tia = String((await made(as.eve, `GET /api/v1/bookings/${herBooking}`)).body.tenantId)
  await t.work()

  const [paid = '', dropped = '', overdue = '', issued = ''] = await invoicesOf(as.ana, bookings.ACTIVE)
  const [open = ''] = await invoicesOf(as.ana, bookings.ENDING)
  const [herInvoice = ''] = await invoicesOf(as.eve, herBooking)
  await move(as.ana, 'invoices', dropped, 'cancel')
  const payments = {
    CONFIRMED: await pay(as.ana, paid, cash(50_000, { reference: 'R1' })),
    PENDING: await pay(as.tom, overdue, cash(1_000)),
    DECLARED: await pay(as.tom, overdue, cash(2_000)),
    REJECTED: await pay(as.tom, overdue, cash(3_000)),
    REVERSED: await pay(as.ana, overdue, cash(4_000)),
  }
  await move(as.ana, 'payments', payments.REJECTED, 'reject')
  await move(as.ana, 'payments', payments.REVERSED, 'reverse')
  const herPayment = await pay(as.tia, herInvoice, cash(5_000))
  const transferOf = (payment: string): string =>
    String(t.rows('select id from transfer where row = (select transfer from payment where id = ?)', payment)[0]?.id)
  let transaction = 7_700_000_010
  /** Of a payer whom nobody knows: it waits. */
  const message = (who: string): Promise<string> => {
    transaction += 1
    return make(who, 'POST /api/v1/payments/from-message', {
      text: `You have received 700 XAF from A STRANGER at 2026-03-09 09:00:00. Financial Transaction Id: ${transaction}.`,
    })
  }
  const messages = { OPEN: await message(as.ana), WAITING: await message(as.ana) }
  const herMessage = await message(as.eve)
  await make(as.ana, `POST /api/v1/bookings/${bookings.ACTIVE}/deposit`, received)
  const waiting = await make(as.mia, 'POST /api/v1/transfers', cash(900, { parts: [], unattributedAmount: 900 }))
  await t.call(as.ada, 'POST /api/v1/ledger/closings', { month: '2026-01' })
  await make(as.eve, `POST /api/v1/bookings/${herBooking}/deposit`, received)

  const { repairs, inspections } = await upkeep(t, made, as, bookings)
  const herRepair = await make(as.tia, 'POST /api/v1/requests', { bookingId: herBooking, title: 'Serrure' })
  const herInspection = await make(as.eve, 'POST /api/v1/inspections', { bookingId: herBooking, kind: 'ENTRY' })
  const costs = await costsOf(make, as, published, hers, free, herUnit)
  const reminded = (who: string, invoiceId: string): Promise<string> =>
    make(who, `POST /api/v1/invoices/${invoiceId}/remind`, { step: 'FORMAL_NOTICE' })
  const rentMessage = await reminded(as.ana, overdue)
  const herRentMessage = await reminded(as.eve, herInvoice)
  await move(as.ana, 'rent-changes', await riderOut(t, as.ana, bookings.ACTIVE, '2026-04-10'), 'cancel')
  const rentChange = await riderOut(t, as.ana, bookings.ACTIVE, '2026-04-10')
  const herRentChange = await riderOut(t, as.eve, herBooking, '2026-04-01')
  /** Announced only: what belongs to a property, or the caller's own paper. */
  const media = (who: string, ownerType: string, ownerId: string): Promise<string> =>
    make(who, 'POST /api/v1/media', {
      ownerType,
      ownerId,
      kind: 'DOCUMENT',
      filename: 'titre.pdf',
      contentType: 'application/pdf',
      sizeBytes: 100,
    })
  const files = {
    PROPERTY: await media(as.ana, 'PROPERTY', published),
    UNIT: await media(as.ana, 'UNIT', u1),
    TOMS: await media(as.tom, 'USER', userIds.tom),
  }
  const herMedia = await media(as.eve, 'PROPERTY', hers)
  await media(as.tia, 'VERIFICATION', userIds.tia)
  const kyc: Record<string, string> = {}
  for (const [name, who] of Object.entries(as)) kyc[name] = await make(who, 'POST /api/v1/verification/kyc')
  const proof = (who: string, propertyId: string): Promise<string> =>
    make(who, 'POST /api/v1/verification/property-proofs', { propertyId })
  // Told of what follows.
  const endpoint = await make(as.mia, 'POST /api/v1/webhook-endpoints', { url: 'https://compta.example.cm/hooks' })
  const proofs = { PUBLISHED: await proof(as.ana, published) }
  const herProof = await proof(as.eve, hers)
  const bring = async (who: string): Promise<string> => {
    const id = await make(who, 'POST /api/v1/imports', { kind: 'tenants', dryRun: true, csv: 'Nom\nX' })
    await runImports(t.deps)
    return id
  }
  const imports = { MINE: await bring(as.ana) }
  const herImport = await bring(as.eve)
  const pack = async (who: string): Promise<string> => {
    const id = await make(who, 'POST /api/v1/exports', {})
    await runExports(t.deps)
    return id
  }
  const exports = { MINE: await pack(as.ana) }
  const herExport = await pack(as.eve)
  const exportsOf = { mia: await pack(as.mia), ada: await pack(as.ada) }
  await t.work()
  const sentTo = `GET /api/v1/webhook-endpoints/${endpoint}/deliveries`
  const { body: deliveries } = await t.call<{ id: string }[]>(as.mia, sentTo)
  const delivery = deliveries[0]?.id ?? ''
  // Archives whose entries have left the trail already.
  const archives = { MINE: uuid(`archive ${org}`), OLDER: uuid(`older archive ${org}`) }
  const file = t.store.client.prepare(
    `insert into audit_archive (id, org_id, before_day, entries, last_row, size_bytes, sha256, signature, created_by, created_at, pruned_at)
     values (?, ?, '2024-01-01', 1, 1, 1, '${'a'.repeat(64)}', 'a..b', ?, '2026-03-10T08:00:00.000Z', '2026-03-10T08:00:00.000Z')`,
  )
  for (const id of Object.values(archives)) file.run(id, org === 'organization' ? ORG : uuid(org), userIds.ada)

  // Another ADMIN asked for each of these to let the person back in.
  const recoveries = Object.fromEntries(
    Object.keys(as).map((name) => [name, uuid(`recovery ${name}${tag}~${org}`)]),
  ) as Ids<keyof typeof as>
  const recovery = t.store.client.prepare(
    `insert into recovery (id, org_id, user_id, asked_by, kind, status, asked_at, effective_at, expires_at)
     values (?, ?, ?, ?, 'SECOND_FACTOR', 'PENDING', ?, ?, ?)`,
  )
  const [askedAt, day] = [t.clock.wall(), 86_400_000]
  for (const [name, id] of Object.entries(recoveries))
    recovery.run(
      ...[id, org === 'organization' ? ORG : uuid(org), userIds[name as keyof typeof as], uuid('another admin')],
      ...[askedAt, askedAt + day, askedAt + 2 * day],
    )

  const documents = {
    LEASE_CONTRACT: await documentOf(as.ana, bookings.ACTIVE, 'LEASE_CONTRACT'),
    INVOICE: await documentOf(as.ana, bookings.ACTIVE, 'INVOICE'),
    RECEIPT: await documentOf(as.ana, bookings.ACTIVE, 'RECEIPT'),
  }

  return {
    org,
    orgId: org === 'organization' ? ORG : uuid(org),
    as,
    userIds,
    properties: { PUBLISHED: published, DRAFT: draft, ARCHIVED: archived },
    units: { AVAILABLE: free, SPARE: spare, RESERVED: u2, OCCUPIED: u3 },
    tenants: { LINKED: tom, INVITED: invited },
    bookings,
    /** `OPEN` is OVERDUE too, and of the lease that ends. */
    invoices: { PAID: paid, CANCELLED: dropped, OVERDUE: overdue, ISSUED: issued, OPEN: open },
    payments,
    moneyTransfers: { MINE: transferOf(payments.CONFIRMED), WAITING: waiting },
    documents,
    media: files,
    kyc: kyc as Ids<keyof typeof as>,
    proofs,
    imports,
    exports,
    exportsOf,
    archives,
    recoveries,
    endpoint,
    delivery,
    messages,
    rentMessage,
    rentChange,
    repairs,
    inspections,
    ...costs.ours,
    /** What Eve owns and Tia rents. */
    hers: {
      property: hers,
      unit: herUnit,
      tenant: tia,
      booking: herBooking,
      invoice: herInvoice,
      payment: herPayment,
      moneyTransfer: transferOf(herPayment),
      document: await documentOf(as.eve, herBooking, 'INVOICE'),
      media: herMedia,
      kyc: kyc.tia ?? '',
      proof: herProof,
      case: herProof,
      import: herImport,
      export: herExport,
      // The organization's, seen from another one.
      endpoint,
      delivery,
      message: herMessage,
      rentMessage: herRentMessage,
      rentChange: herRentChange,
      repair: herRepair,
      inspection: herInspection,
      ...costs.hers,
    },
  }
}

const made = new Map<string, ReturnType<typeof first>>()
async function first(orgs: readonly string[]) {
  const t = createTestApp()
  const w = await world(t, orgs[0])
  const others: World[] = []
  for (const org of orgs.slice(1)) others.push(await world(t, org))
  return { source: t, w, others, file: new Uint8Array(t.store.client.serialize()) }
}
/** An app of its own with a world of each organization: built once in a run, and copied for everybody who asks. */
export async function worldApp(orgs: readonly string[] = ['organization'], config: Partial<Config> = {}) {
  const key = orgs.join()
  const building = made.get(key) ?? first(orgs)
  made.set(key, building)
  const { source, w, others, file } = await building
  // One source of ids: those of a copy come after those that it was given.
  const t = createTestApp({ file, config, newId: source.newId })
  if (existsSync(source.mediaFolder)) cpSync(source.mediaFolder, t.mediaFolder, { recursive: true })
  t.sent.push(...source.sent)
  return { t, w, other: others[0] ?? w, others }
}

const TRACED =
  'property unit tenant booking invoice transfer payment allocation media_object verification_case verification_document ' +
  'webhook_endpoint webhook_delivery deposit_entry money_message rent_message letter outbound_message document ' +
  'lease_template signature signed_copy repair repair_entry inspection inspection_photo inspection_signature expense owner_transfer meter meter_reading regularisation regularisation_share app_user challenge audit_entry job idempotency'
/** The rows that a refused request must leave as they were. */
export const traces = (t: TestApp): string => t.dump(TRACED.split(' '))
