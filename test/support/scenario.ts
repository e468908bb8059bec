// Scenarios that read as tables. A row says who asks for what, the status, a part of the answer, and what follows:
//
//   ['ana', 'POST /bookings/{lease}/submit', {}, 200, { status: 'PENDING' }, { audit: 'booking.submit' }]
//   ['days', 31, { jobs: 'invoice.issued', sent: 'rent_due' }]
//   ['invoices', ['2026-03-01..03-31 ISSUED 0/60000']]
//
// `{name}` is an id: of a person, of what a row made (`as: 'name'`), of the nth invoice (`i1`) and payment (`p1`), and
// `{nobody}` is an id that nothing has. What the runner asserts of each request without being told:
//
// 1. The status and the members that are named; of a failure the message shows the whole answer.
// 2. Exactly the named actions in the audit trail, kinds of jobs and purposes of messages: what is not named must not
//    follow. `audit: 'a, b ×2'` is one `a`, then two `b`.
// 3. Where no audit action is named, not one row of the tables that hold the business has changed.
// 4. A PATCH or an action that succeeds and is audited is first tried with an If-Match of another version: it answers
//    412 and changes nothing.
// 5. What a write answered is what a GET answers afterwards, member by member, under the same ETag.
// 6. Members under `lacks` are absent.
// 7. Status, headers, media type and body of every answer stand in the OpenAPI document (test/support/documented.ts).
//
// Everything runs on a SQLite database of its own, through the whole app, under a clock that stands still but for `days`.
import { expect, test } from 'bun:test'
import { type Answer, claimsOf, createTestApp, ORG, uuid } from './app.ts'

export type Json = Record<string, unknown>
const ROLES = { ana: 'OWNER', eve: 'OWNER', mia: 'MANAGER', ada: 'ADMIN', tom: 'TENANT', tia: 'TENANT' } as const
/** Ana and Eve let, Mia manages, Ada administers, Tom and Tia rent; Zoe (OWNER) is of another organization. */
export type Person = keyof typeof ROLES | 'zoe'
export const wordOf = (who: Person): string => (who === 'zoe' ? 'OWNER.zoe~elsewhere' : `${ROLES[who]}.${who}`)
export const userId = (who: Person): string => uuid(who === 'zoe' ? 'zoe~elsewhere' : `${who}~organization`)
/** The number in a person's token; anything else is a name nobody has a token of. */
export const phoneOf = (name: string): string => claimsOf(`TENANT.${name}`, () => 0).phoneNumber ?? ''

/** What follows: actions in the audit trail, kinds of jobs, purposes of messages. What is not named must not follow. */
export type After = {
  readonly audit?: string
  readonly jobs?: string
  readonly sent?: string
  /** Remembers the answer's id: `{name}` in later rows. */
  readonly as?: string
  /** Members that the answer must not have. */
  readonly lacks?: readonly string[]
}
/**
 * A request and its answer (a part of it, `{name}` filled in) · days that pass, at their end the service does its work ·
 * the lease's invoices, each `period status paid/gross`.
 */
export type Row =
  | readonly [by: Person, request: string, body: Json | undefined, status: number, answer?: unknown, after?: After]
  | readonly [what: 'days', n: number, after?: After]
  | readonly [what: 'invoices', lines: readonly string[]]

const TABLES =
  'property unit tenant booking lease_payer invoice transfer payment allocation deposit_entry expense owner_transfer meter meter_reading regularisation regularisation_share app_user audit_entry job'.split(
    ' ',
  )
/** `a, b ×2`: words in order, with how often one comes in a row. */
const told = (words: readonly unknown[]): string => {
  const out: { word: string; n: number }[] = []
  for (const w of words.map(String)) {
    const last = out.at(-1)
    if (last?.word === w) last.n += 1
    else out.push({ word: w, n: 1 })
  }
  return out.map(({ word, n }) => (n > 1 ? `${word} ×${n}` : word)).join(', ')
}

export type Stage = Awaited<ReturnType<typeof stage>>
export type Options = {
  readonly now?: string
  readonly settings?: Json
  readonly given?: (s: Stage) => Promise<unknown>
}

/** Audit lines and jobs of news alone. */
const SENDING = ['rent_message.send', 'message.send']
const TELLING: Readonly<Record<string, readonly string[]>> = {
  audit_entry: SENDING,
  job: [
    ...[...SENDING, 'payment.declared', 'payment.reject', 'payment.reverse', 'adjustment.made', 'booking.requested'],
    'payTo.changed',
  ],
}

/** A new organization, whose people have all made a first request. */
export async function stage({ now, settings, given }: Options = {}) {
  const t = createTestApp(now === undefined ? {} : { now })
  const names = new Map<string, string>()
  for (const who of [...Object.keys(ROLES), 'zoe'] as Person[]) {
    names.set(who, userId(who))
    await t.call(wordOf(who), 'GET /api/v1/me')
  }
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (all, name: string) => names.get(name) ?? (all === '{nobody}' ? uuid('nobody') : all))
  const filled = <T>(value: T): T => (value === undefined ? value : (JSON.parse(fill(JSON.stringify(value))) as T))

  async function ask(who: Person, request: string, body?: Json, headers: Record<string, string> = {}): Promise<Answer> {
    const [method = '', path = ''] = fill(request).split(' ')
    return t.call(wordOf(who), `${method} /api/v1${path}`, method === 'GET' ? undefined : filled(body ?? {}), headers)
  }
  /** A request that must succeed, in preparation; its id gets a name. */
  async function make(who: Person, request: string, body?: Json, as?: string): Promise<Json> {
    const answer = await ask(who, request, body)
    if (answer.status > 201) throw new Error(`${who} ${request}: ${answer.status} ${answer.text}`)
    if (as) names.set(as, String(answer.body.id))
    nameAll()
    return answer.body
  }
  /** `{i1}` is the organization's first invoice, `{p1}` its first payment. */
  function nameAll(): void {
    const of = (letter: string, table: string) =>
      t
        .rows(`select id from ${table} where org_id = ? order by id`, ORG)
        .forEach(({ id }, n) => void names.set(`${letter}${n + 1}`, String(id)))
    of('i', 'invoice')
    of('p', 'payment')
  }
  const dump = (): string => t.dump(TABLES) + JSON.stringify(t.rows('select *, 0 version from organization'))
  const since = (table: string, column: string, n: number): string =>
    told(
      t
        .rows(`select ${column} w from ${table} order by rowid limit -1 offset ?`, n)
        // `sent` says it.
        .flatMap(({ w }) => (TELLING[table]?.includes(String(w)) ? [] : [w])),
    )
  const size = (table: string): number => Number(t.rows(`select count(*) n from ${table}`)[0]?.n)
  const marks = () => ({ audit: size('audit_entry'), jobs: size('job'), sent: t.sent.length })
  function expectAfter(mark: ReturnType<typeof marks>, { audit = '', jobs = '', sent = '' }: After): void {
    expect({
      audit: since('audit_entry', 'action', mark.audit),
      jobs: since('job', 'kind', mark.jobs),
      sent: told(t.sent.slice(mark.sent).map(({ purpose }) => purpose)),
    }).toEqual({ audit, jobs, sent })
  }

  async function request(
    ...[who, line, body, status, answer, after = {}]: Extract<Row, readonly [Person, ...unknown[]]>
  ) {
    const what = `${who} ${line}`
    const before = dump()
    const mark = marks()
    const operation = /^(PATCH .*|POST \/\w+\/\S+)$/.test(line) && !/\/(units|closings)$/.test(line)
    if (operation && status < 300 && after.audit) {
      const stale = await ask(who, line, body, { 'if-match': '"read.long.ago"' })
      expect(`${what}, stale: ${stale.status} ${stale.body.code}`).toBe(`${what}, stale: 412 precondition_failed`)
      expect(dump()).toBe(before)
    }
    const got = await ask(who, line, body)
    expect(`${what}: ${got.status}${got.status === status ? '' : ` ${got.text}`}`).toBe(`${what}: ${status}`)
    if (after.as) names.set(after.as, String(got.body.id))
    nameAll()
    if (answer !== undefined) expect(got.body as unknown).toMatchObject(filled(answer) as object)
    for (const member of after.lacks ?? []) expect(Object.keys(got.body)).not.toContain(member)
    expectAfter(mark, after)
    if (!after.audit) expect(dump()).toBe(before)
    if (status < 300 && !line.startsWith('GET') && got.headers.has('etag')) await expectSame(who, line, got)
  }
  /** Expects a read to answer the same as the write, under the same ETag. */
  async function expectSame(who: Person, line: string, got: Answer): Promise<void> {
    const [, first = '', , last = ''] = /^\w+ \/([\w-]+)(\/[^/]+)?(?:\/(\w+))?/.exec(fill(line)) ?? []
    // The entries of a deposit and of a repair, photos, and changes of the rent, are read as lists only.
    if (['deposit', 'entries', 'photos', 'rent'].includes(last) || first === 'rent-changes') return
    const kind = ['units', 'payments', 'invoices'].includes(last) ? last : first
    const read = await ask(
      who,
      ['admin', 'me'].includes(kind)
        ? kind === 'me'
          ? 'GET /me'
          : line.includes(' /admin/users/')
            ? `GET /admin/users/${got.body.id}`
            : 'GET /admin/organization'
        : `GET /${kind}/${got.body.id}`,
    )
    // A lease drawn up by an account shows it to whoever named it, in that answer alone where they may not know of it.
    const { tenantUserId = undefined } = read.body
    expect(read.body).toEqual(line === 'POST /bookings' ? { ...got.body, tenantUserId } : got.body)
    expect(read.headers.get('etag')).toBe(got.headers.get('etag'))
  }

  /** Lets days pass, after which the service does what is due: as if it had been off meanwhile. */
  async function days(n: number, after: After = {}): Promise<void> {
    const mark = marks()
    t.advance(n)
    await t.work()
    nameAll()
    expectAfter(mark, after)
  }
  const ledger = (): string[] =>
    t
      .rows(
        `select *, period_start || '..' || substr(period_end, 6) || ' ' || status || ' ' || amount_paid || '/' || gross_amount
          || iif(credited_amount > 0, ' credited ' || credited_amount, '') line from invoice where org_id = ? order by id`,
        ORG,
      )
      .map(({ line }) => String(line))

  async function play(row: Row): Promise<void> {
    if (row[0] === 'days') await days(row[1], row[2])
    else if (row[0] === 'invoices') expect(ledger()).toEqual([...row[1]])
    else await request(...row)
  }
  const s = { ...t, t, names, ask, make, play, dump, ledger, fill, wordOf, nameAll }
  if (settings) await make('ada', 'PATCH /admin/organization', settings)
  await given?.(s)
  await t.work()
  nameAll()
  return s
}

export function scenario(name: string, options: Options, rows: readonly Row[]): void {
  test(name, async () => {
    const s = await stage(options)
    for (const row of rows) await s.play(row)
  })
}

export const villa = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
/** Ana's published `villa` of a type, with the units `a1` and `a2` at 60,000 a month. */
export const premises =
  (type?: string) =>
  async (s: Pick<Stage, 'make'>): Promise<void> => {
    await s.make('ana', 'POST /properties', villa, 'villa')
    if (type) await s.make('ana', 'PATCH /properties/{villa}', { type })
    await s.make('ana', 'POST /properties/{villa}/units', { label: 'A1', rentAmount: 60_000 }, 'a1')
    await s.make('ana', 'POST /properties/{villa}/units', { label: 'A2', rentAmount: 60_000 }, 'a2')
    await s.make('ana', 'POST /properties/{villa}/publish')
  }
/** Those premises, and Tom's `lease` of A1 brought as far as asked. */
export const letting =
  (terms: Json = {}, upTo: 'DRAFT' | 'PENDING' | 'ACTIVE' = 'ACTIVE', type?: string) =>
  async (s: Pick<Stage, 'make'>): Promise<void> => {
    await premises(type)(s)
    const agreed = { unitId: '{a1}', tenantUserId: '{tom}', startDate: '2026-03-01', ...terms }
    await s.make('ana', 'POST /bookings', agreed, 'lease')
    if (upTo !== 'DRAFT') await s.make('ana', 'POST /bookings/{lease}/submit')
    if (upTo === 'ACTIVE') await s.make('ana', 'POST /bookings/{lease}/activate')
  }
/** A payment in cash of the day on which a table begins. */
export const cash = (amount: number, more: Json = {}): Json => ({
  amount,
  method: 'CASH',
  paidOn: '2026-03-10',
  ...more,
})
