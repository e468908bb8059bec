// `bun run bench [--quick] [--strict] [--only words]`: Loyer against bare Bun and SQLite on a million invoices, as ratios of one run.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { besideInvoices, besideReads, besides } from './beside.ts'
import { benchData } from './database.ts'
import { MIDDLE } from './fill.ts'
import { idOf } from './ids.ts'
import { startIssuer } from './issuer.ts'
import { compare } from './load.ts'
import { drawn } from './papers.ts'
import { prepared } from './photos.ts'
import { type Line, machine, save, table } from './report.ts'
import { reported } from './reports.ts'
import { BIG, createRow, type Row, readRows, reportRow, searchRows, type Tokens, tokensRow, walk } from './rows.ts'
import { BINARY, serve, staleBinary, start } from './servers.ts'
import { signedIn } from './sign-in.ts'
import { idle, sizeMb, startUp } from './start.ts'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, strict: { type: 'boolean' }, only: { type: 'string' } },
})
const wanted = (name: string): boolean => options.only === undefined || name.includes(options.only)
const pace = options.quick ? { rounds: 5, ms: 100 } : { rounds: 12, ms: 200 }
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const lines: Line[] = []

const add = (line: Line): void => {
  lines.push(line)
  say(`${line.met === false ? 'MISSED' : 'ok    '} ${line.name}: ${line.measured} (bar ${line.bar}) ${line.absolute}`)
}
const number = (n: number): string => (n >= 1000 ? `${(n / 1000).toFixed(1)}k` : n.toFixed(0))

async function measure(row: Row): Promise<void> {
  if (!wanted(row.name)) return
  const { ratio, low, high, otherwise, ofOne, ofOther } = await compare(row.one, row.other, {
    ...pace,
    warmMs: row.cold ? 5000 : 1000,
    connections: row.connections ?? 8,
    byClock: row.byClock ?? false,
  })
  add({
    name: row.name,
    against: row.against,
    measured: ratio.toFixed(2),
    spread: `${low.toFixed(2)}–${high.toFixed(2)}`,
    otherwise: otherwise.toFixed(2),
    bar: row.bar === undefined ? '' : `≥ ${row.bar}`,
    absolute: `${number(ofOne)}/s : ${number(ofOther)}/s`,
    met: row.bar === undefined ? undefined : ratio >= row.bar,
    values: { ratio, low, high, otherwise, ofOne, ofOther, ...(row.bar === undefined ? {} : { bar: row.bar }) },
  })
}

const most = (name: string, value: number, bar: number, unit: string, against: string): void =>
  add({
    name,
    against,
    measured: `${value.toFixed(0)} ${unit}`,
    spread: '',
    otherwise: '',
    bar: `≤ ${bar} ${unit}`,
    absolute: '',
    met: value <= bar,
    values: { value, bar },
  })

const stale = staleBinary()
if (stale !== undefined) {
  process.stderr.write(`${stale}\n`)
  process.exit(1)
}
const temporary = mkdtempSync(join(tmpdir(), 'loyer-bench-run-'))
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
say(machine())
/** As many as the service keeps the tokens of. */
const MANY = 10_000
const PEOPLE = '10,000 people in turn, a list each'
const data = await benchData(say)
const issuer = await startIssuer()
const token = (word: 'admin' | 'owner' | 'tenantUser', org: number, role: string) =>
  issuer.token({ sub: idOf(word, org), orgId: idOf('organization', org), role })
const tokens: Tokens = {
  admin: await token('admin', 0, 'ADMIN'),
  owner: await token('owner', 0, 'OWNER'),
  tenant: await token('tenantUser', 0, 'TENANT'),
  small: await token('admin', 1, 'ADMIN'),
  middle: await token('admin', MIDDLE.org, 'ADMIN'),
}

const loyer = await serve(data.many, issuer.url)
const bare = await start(['scripts/bench/bare.ts'], {
  args: [join(data.many, 'loyer.db'), BIG, idOf('organization', MIDDLE.org)],
})
const pages = await walk(loyer, tokens.admin)
for (const row of await readRows({ loyer, bare, tokens, pages })) await measure(row)
const few = await serve(data.few, issuer.url)
for (const row of [...searchRows({ loyer, few, bare, tokens }), reportRow({ loyer, bare, tokens })]) await measure(row)
if (wanted(PEOPLE)) {
  const people = Array.from({ length: MANY }, (_, n) => token('admin', MIDDLE.org + 1 + n, 'ADMIN'))
  await measure(await tokensRow(PEOPLE, loyer, await Promise.all(people)))
}
await few.stop()
await loyer.stop()
await bare.stop()

const [many, single] = await Promise.all([
  serve(join(temporary, 'many'), issuer.url),
  start(['scripts/bench/single.ts'], {
    env: { LOYER_DATA: join(temporary, 'single'), AUTH_URL: issuer.url, RATE_LIMITS: 'off' },
  }),
])
const admins = await Promise.all(Array.from({ length: 5 }, (_, org) => token('admin', org, 'ADMIN')))
await measure(createRow(many, single, admins))
await many.stop()
await single.stop()
if (wanted('report') || wanted('beside'))
  for (const { name, ms, rows } of await reported(join(temporary, 'reports'), issuer.url, tokens.admin))
    most(`report ${name}, 12 months of 5,000 units`, ms, 300, 'ms', `${rows} rows`)
if (wanted('beside')) {
  const { imported, end } = await besides(join(temporary, 'beside'), issuer.url, tokens.admin)
  const all = [
    imported,
    ...(await besideInvoices(join(temporary, 'due'), issuer.url, tokens.admin)),
    ...(await besideReads(join(temporary, 'reports'), issuer.url, tokens.admin)),
  ]
  for (const { what, ms, reads } of all) most(`beside ${what}: a property, p99`, ms, 50, 'ms', `${reads} reads`)
  most(
    'beside others: the end of a lease paid for 20 years',
    end.ms,
    250,
    'ms',
    `processor time, ${end.invoices} invoices`,
  )
}
await issuer.close()
const work = (
  name: string,
  against: string,
  bar: number,
  { ratio, low, high, own, bare }: Awaited<ReturnType<typeof drawn>>,
): void =>
  add({
    name,
    against,
    measured: ratio.toFixed(2),
    spread: `${low.toFixed(2)}–${high.toFixed(2)}`,
    otherwise: '',
    bar: `≥ ${bar}`,
    absolute: `${own.toFixed(1)} ms : ${bare.toFixed(1)} ms`,
    met: ratio >= bar,
    values: { ratio, low, high, own, bare, bar },
  })
const rounds = options.quick ? 4 : 12
if (wanted('paper')) work('paper of an invoice drawn', 'its words by PDFKit alone', 2.2, await drawn(rounds))
if (wanted('sign-in')) {
  const signIn = await signedIn(join(temporary, 'sign-in'), rounds)
  work('sign-in by password, page to tokens', 'its password by Argon2 alone', 0.3, signIn)
}
if (wanted('photo')) {
  const { megabytes, ...times } = await prepared(rounds)
  const name = `photo of 12 megapixels and ${megabytes.toFixed(1)} MB made ready`
  work(name, 'decoded once, the same sizes written', 0.5, times)
}

if (wanted('bytes')) {
  const bytes = statSync(join(data.many, 'loyer.db')).size / 1_000_000
  most('bytes of the database for one invoice', bytes, 1450, 'bytes', '1,000,000 invoices, with all indexes')
}
const what = 'dist/loyer'
if (wanted('start')) {
  const { ms, mb } = await startUp([BINARY], join(temporary, 'start'), options.quick ? 3 : 9)
  most('start of the process to the first 200', ms, 80, 'ms', what)
  most('memory when idle (RSS)', mb, 90, 'MB', what)
  const still = await idle([BINARY], data.many)
  most('memory when idle with 1,000,000 invoices (RSS)', still.mb, 120, 'MB', what)
  most('processor time of ten idle seconds', still.ms, 50, 'ms', what)
  most('size of the binary', sizeMb(BINARY), 130, 'MB', what)
}

const notes = [
  'Ratios of requests a second of the server’s processor time (the create: by the clock, as it waits for the disk) in interleaved rounds of one run, their order changing; median and quartiles. The other measure is the clock (for the create: processor time), with the client and all else on the same machine. Read ratios, not numbers.',
  '1,000,000 invoices, some 20,000 organizations; the caller sees the one with 100,000. Neighbours in the table belong to different organizations.',
  'Not in the cache: every request is another query string (an unknown parameter that counts up), over 200 different pages in the first row.',
  'single resource: 2,000 invoices in turn, as their organization stands; the cache answers what was answered before. Not in the cache: each is read anew.',
  'search: another tenant in each request; of 200 leases in the first row, of 2,000 in the second, where the other asks LIKE of the tenants, properties, units and leases.',
  '10,000 people: each the ADMIN of another organization, with a token of their own, as many as the service keeps; each reads anew the list of their one property. Beside them four people do the same.',
  'sign-in: the page, the password, the code and its tokens, of an account without a second factor; the other verifies the same hash.',
  'paper drawn: beside it a document without tags, boxes and QR code that reads its two fonts by itself, as PDFKit does.',
  'rent roll: one month, read anew each time; the other joins the same rows in one statement, without sums.',
  'durable create: the same service from its sources with BEGIN … COMMIT around each request, both on an empty database, synchronous=FULL.',
]
save(lines, notes)
say(`\n${table(lines)}\n\n${notes.join('\n')}`)
const missed = lines.filter((l) => l.met === false)
if (missed.length > 0) say(`\nMissed: ${missed.map((l) => l.name).join('; ')}`)
process.exit(options.strict && missed.length > 0 ? 1 : 0)
