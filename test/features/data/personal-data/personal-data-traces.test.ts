// After a person closed their account: every column of every table is searched for what tells who they were.
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { PASSWORD } from '../../../support/oidc.ts'
import { ADA, ALI, createStaffApp } from '../../../support/people.ts'

setDefaultTimeout(60_000)
const app = await createStaffApp()
afterAll(() => app.close())

/** What the user's row keeps is the id, which names nobody: others' records refer to it, and by law say who acted. */
const ID_MAY_BE_IN: Readonly<Record<string, string>> = {
  'app_user.id': 'the empty row that others refer to',
  'app_user.subject': 'the same id',
  'audit_entry.actor_user_id': 'the trail says which account acted, without its name',
  'audit_entry.subject_id': 'the trail of the account itself',
  'audit_entry.changes': 'which account a record was linked to',
  'consent.user_id': 'the proof that the terms were accepted',
  'job.source': 'the work of this very erasure, forgotten with the done jobs',
  'booking.requested_by': 'which account asked for a lease',
  'tenant.created_by': 'which account entered the record',
  'repair.reported_by': 'which account reported a repair, without its words',
  'repair_entry.author_user_id': 'which account wrote, without its words',
}
/** Of who had a lease: what the law keeps for ten years. */
const LEASE_MAY_BE_IN: Readonly<Record<string, string>> = {
  'tenant.full_name': 'the party of a lease',
  'tenant.phone_number': 'the party of a lease',
  'booking.tenant_name': 'the lease',
  'invoice.tenant_name': 'tax law: invoices name whom they are for',
  'document.data': 'tax law: what leases, invoices and receipts were drawn from',
}
/** Of the sandbox only: what was sent, for people who build apps; no other mode has this table filled. */
const SANDBOX = ['message.recipient', 'message.text']

/** Every column that holds one of these words, anywhere in its text. */
function places(words: readonly unknown[]): string[] {
  const found = new Set<string>()
  for (const { name } of app.rows("select name from sqlite_master where type = 'table' and name not like 'sqlite%'"))
    for (const row of app.rows(`select * from "${name}"`))
      for (const [column, value] of Object.entries(row)) {
        const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
        if (words.some((word) => text.includes(String(word)))) found.add(`${name}.${column}`)
      }
  return [...found].sort()
}

let next = 0
/** Somebody who did all that leaves traces: codes, wrong passwords, keys of their own, keys of others about them. */
async function person(leased: boolean) {
  const n = ++next
  const phone = app.newNumber()
  const [email, fullName] = [`traces${n}@example.com`, `Zénobie Traçable${n}`]
  const keyed = async (who: string, line: string, body: object) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await app.send(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await app.token(who, PASSWORD)}`,
          'content-type': 'application/json',
          'idempotency-key': `traces-${n}`,
        },
        body: JSON.stringify(body),
      }),
    )
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const property = await app.as(ALI, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
  const unit = await app.as(ALI, `POST /api/v1/properties/${property.body.id}/units`, {
    label: 'A',
    rentAmount: 50_000,
  })
  await app.as(ALI, `POST /api/v1/properties/${property.body.id}/publish`, {})
  const invited = { phoneNumber: phone, firstName: 'Zénobie', lastName: `Traçable${n}`, roles: ['TENANT'] }
  expect((await keyed(ADA, 'POST /api/v1/admin/users', invited)).status).toBe(201)
  const { userId } = (await app.register(phone)).body
  const names = { firstName: 'Zénobie', lastName: `Traçable${n}`, email }
  expect((await app.as(phone, 'PATCH /api/v1/me', names)).status).toBe(200)
  const entered = { fullName, phoneNumber: phone, email: undefined }
  const tenant = leased ? await keyed(ALI, 'POST /api/v1/tenants', entered) : undefined
  const lease = tenant
    ? { unitId: unit.body.id, tenantId: tenant.body.id, startDate: '2026-03-01' }
    : { unitId: unit.body.id, startDate: '2030-05-01' }
  const made = await keyed(leased ? ALI : phone, 'POST /api/v1/bookings', lease)
  expect(made.status).toBe(201)
  for (const step of leased ? ['submit', 'activate'] : [])
    await app.as(ALI, `POST /api/v1/bookings/${made.body.id}/${step}`, {})
  // What they wrote themselves: of a repair, and with money that they say they paid.
  if (leased) {
    const said = `Ici ${names.lastName}`
    const repair = await keyed(phone, 'POST /api/v1/requests', {
      bookingId: made.body.id,
      title: said,
      description: said,
    })
    expect(repair.status).toBe(201)
    await app.as(phone, `POST /api/v1/requests/${repair.body.id}/entries`, { text: said })
    const planned = { plannedOn: new Date(app.deps.clock.now() + 86_400_000).toISOString().slice(0, 10) }
    await app.as(ALI, `POST /api/v1/requests/${repair.body.id}/plan`, planned)
    await app.as(phone, `PUT /api/v1/me/notifications`, { kinds: [] })
  }
  app.deps.store.client.prepare("insert into budget_day values ('news_person', ?, 20000, 1)").run(userId)
  // Codes under way: of theirs, of strangers, of an administrator.
  await app.reset(phone)
  await app.reset(phone)
  await app.as(ADA, `POST /api/v1/admin/users/${userId}/recovery-code`, {})
  await app.reset(phone)
  await app.as(phone, 'POST /api/v1/me/phone/change', { newPhoneNumber: app.newNumber(), password: PASSWORD })
  // A network that they are known from, which this machine's own never is.
  for (const password of [PASSWORD, 'pas la bonne'])
    await app.call('POST /api/v1/sandbox/token', { username: phone, password }, { from: '203.0.113.10' })
  await app.work()
  const again = () => keyed(ADA, 'POST /api/v1/admin/users', invited)
  return { phone, userId, email, lastName: `Traçable${n}`, again }
}

test.each([
  ['who had no lease', false],
  ['who had a lease', true],
] as const)('%s: nothing is left but what is named here', async (_who, leased) => {
  const p = await person(leased)
  const other = await person(leased)
  const personal = [p.phone, p.email, p.lastName]
  const before = places([...personal, p.userId])
  for (const table of ['idempotency', 'challenge', 'code_send', 'budget_day', 'known_place', 'credential'])
    expect([table, before.some((place) => place.startsWith(`${table}.`))]).toEqual([table, true])
  const theirs = places([other.phone, other.email, other.userId]).filter((place) => leased || !SANDBOX.includes(place))
  const keys = app.rows('select scope, key from idempotency where instr(scope, ?) = 0', p.userId)
  const sends = Number(app.rows('select count(*) n from code_send')[0]?.n)

  expect((await app.as(p.phone, 'DELETE /api/v1/account', { password: PASSWORD })).status).toBe(204)
  const atOnce = places(personal).map((place) => place.split('.')[0])
  for (const table of ['idempotency', 'challenge', 'code_send', 'registration_ticket', 'app_user', 'phone_undo'])
    expect(atOnce).not.toContain(table)
  await app.work()

  const kept = [...SANDBOX, ...(leased ? Object.keys(LEASE_MAY_BE_IN) : [])]
  expect(places(personal).filter((place) => !kept.includes(place))).toEqual([])
  expect(places([p.userId]).filter((place) => !(place in ID_MAY_BE_IN) && !SANDBOX.includes(place))).toEqual([])
  if (!leased) {
    // Nor does anything stand where a deleted row stood.
    const { client } = app.deps.store
    client.exec('delete from message')
    const bytes = Buffer.from(client.serialize())
    expect(personal.filter((word) => bytes.includes(word))).toEqual([])
    expect(bytes.includes(other.phone)).toBe(true)
  }
  // Others keep what is theirs: their own traces, their keys, and what networks have spent.
  expect(places([other.phone, other.email, other.userId])).toEqual(theirs)
  expect(app.rows('select scope, key from idempotency')).toEqual(keys)
  expect(Number(app.rows('select count(*) n from code_send')[0]?.n)).toBe(sends)
  const again = await p.again()
  expect([again.status, personal.filter((word) => JSON.stringify(again.body).includes(word))]).toEqual([201, []])
  const nameless = app.rows("select prefix, address, site from code_send where phone_number = ''")
  expect(nameless.length).toBeGreaterThan(2)
  for (const row of nameless) expect(Object.values(row)).not.toContain('')
})

test('an invitation that was taken back leaves neither number nor name, and a retry of it makes no second one', async () => {
  const phone = app.newNumber()
  const invited = { phoneNumber: phone, firstName: 'Reprise', lastName: 'Invitéetrace', roles: ['TENANT'] }
  const invite = async () =>
    app.send(
      new Request('http://localhost/api/v1/admin/users', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await app.token(ADA, PASSWORD)}`,
          'content-type': 'application/json',
          'idempotency-key': 'taken-back',
        },
        body: JSON.stringify(invited),
      }),
    )
  const { id } = (await (await invite()).json()) as { id: string }
  expect(places([phone, 'Invitéetrace'])).toEqual(expect.arrayContaining(['app_user.phone_number', 'idempotency.body']))
  expect((await app.as(ADA, `DELETE /api/v1/admin/users/${id}`)).status).toBe(204)
  expect(places([phone, 'Invitéetrace'])).toEqual([])
  const again = await invite()
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  const answer = await again.json()
  expect(answer).toMatchObject({ id })
  // As the document has it: absent, not null.
  expect(Object.values(answer)).not.toContain(null)
  expect(app.rows('select id from app_user where id = ?', id)).toEqual([])
})

test('of many kept answers others are forgotten a slice at a time; who is not named keeps theirs', async () => {
  const phone = app.newNumber()
  await app.invite(ADA, phone, ['TENANT'])
  const { userId } = (await app.register(phone)).body
  const [{ org_id: orgId } = { org_id: '' }] = app.rows('select org_id from app_user where id = ?', userId)
  const put = app.deps.store.client.prepare(
    "insert into idempotency(scope, key, body_hash, status, body, created_at) values (?, ?, 'x', 201, ?, ?)",
  )
  const body = (id: unknown, number: string): string =>
    JSON.stringify({ value: { id, phoneNumber: number }, etag: null })
  for (let n = 0; n < 1_700; n++) {
    put.run(
      `${orgId} someone POST /api/v1/x`,
      `k${n}`,
      n % 2 ? body(userId, phone) : body(`other${n}`, '+237600'),
      Date.now(),
    )
    put.run(`${orgId} ${userId} POST /api/v1/x`, `k${n}`, body(n, 'own'), Date.now())
  }
  put.run(`${orgId}x someone POST /api/v1/x`, 'elsewhere', body(userId, phone), Date.now())
  const count = (where: string): unknown => app.rows(`select count(*) n from idempotency where ${where}`)[0]?.n
  const seen: number[] = []
  let over = false
  const watch = async (): Promise<void> => {
    while (!over) {
      await app.deps.write(null, () => true)
      seen.push(Number(count(`instr(body, '${userId}') and scope like '${orgId} %'`)))
    }
  }
  const watching = watch()
  expect((await app.as(phone, 'DELETE /api/v1/account', { password: PASSWORD })).status).toBe(204)
  over = true
  await watching
  expect(new Set(seen.filter((n) => n > 0 && n < 850)).size).toBeGreaterThan(0)
  expect(count(`scope like '${orgId} %' and (instr(body, '${userId}') or instr(body, '${phone}'))`)).toBe(0)
  expect(count(`instr(body, '"other')`)).toBe(850)
  expect(count(`instr(body, '"phoneNumber":null')`)).toBe(0)
  expect(count(`scope like '% ${userId} %'`)).toBe(0)
  expect(count(`key = 'elsewhere' and instr(body, '${userId}')`)).toBe(1)
})

test('who was only proposed a lease, as tenant or guarantor, is gone from its papers, their files and its signatures', async () => {
  const property = await app.as(ALI, 'POST /api/v1/properties', { name: 'Case', addressLine: 'Rue 3', city: 'Douala' })
  const unit = await app.as(ALI, `POST /api/v1/properties/${property.body.id}/units`, {
    label: 'P',
    rentAmount: 40_000,
  })
  const people = [app.newNumber(), app.newNumber()] as const
  for (const [i, phone] of people.entries()) {
    await app.invite(ADA, phone, ['TENANT'])
    await app.register(phone)
    await app.as(phone, 'PATCH /api/v1/me', { firstName: 'Proposé', lastName: `Tracebail${i}` })
  }
  const tenant = {
    fullName: 'Proposé Tracebail0',
    phoneNumber: people[0],
    idType: 'NATIONAL_ID',
    idNumber: 'CNI-TRACE-0',
  }
  const { id: tenantId } = (await app.as(ALI, 'POST /api/v1/tenants', tenant)).body
  const terms = { unitId: unit.body.id, tenantId, startDate: '2030-01-01' }
  const guarantor = {
    role: 'GUARANTOR',
    fullName: 'Proposé Tracebail1',
    phoneNumber: people[1],
    idNumber: 'CNI-TRACE-1',
  }
  for (const end of ['cancel', undefined]) {
    const { id } = (await app.as(ALI, 'POST /api/v1/bookings', terms)).body
    expect((await app.as(ALI, `PUT /api/v1/bookings/${id}/parties`, { parties: [guarantor] })).status).toBe(200)
    if (end === undefined) continue
    await app.as(ALI, `POST /api/v1/bookings/${id}/submit`, {})
    await app.work()
    while ((await renderDocuments(app.deps)) > 0);
    await app.as(ALI, `POST /api/v1/bookings/${id}/cancel`, {})
  }
  await app.work()
  const files = () => app.rows("select id, sha256 from document where sha256 is not null and kind = 'LEASE_CONTRACT'")
  const drawn = files()
  expect(drawn.length).toBeGreaterThan(0)
  for (const [i, phone] of people.entries()) {
    const words = [phone, `Tracebail${i}`, `CNI-TRACE-${i}`]
    expect(places(words)).toEqual(expect.arrayContaining(['document.data']))
    expect((await app.as(phone, 'DELETE /api/v1/account', { password: PASSWORD })).status).toBe(204)
    await app.work()
    expect(places(words).filter((place) => !SANDBOX.includes(place))).toEqual([])
  }
  while ((await renderDocuments(app.deps)) > 0);
  // The files were removed, and drawn again without the names.
  const now = files()
  expect(now.map(({ id }) => id)).toEqual(expect.arrayContaining(drawn.map(({ id }) => id)))
  const [mine] = app.rows("select id, sha256 from document where instr(data, 'Personne effacée')")
  expect(drawn.some(({ id, sha256 }) => id === mine?.id && sha256 !== mine?.sha256)).toBe(true)
  const old = drawn.find(({ id }) => id === mine?.id)
  expect(await app.deps.documents.open(`${old?.id}.${old?.sha256}`)).toBeUndefined()
})
