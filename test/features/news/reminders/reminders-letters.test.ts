// The letter of a formal notice, and the file of a lease that a bailiff is handed.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { drawLetters } from '../../../../src/features/news/reminders/jobs.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { ADA, ANA, EVE, start } from '../../../support/reminded.ts'
import { traces } from '../../../support/world.ts'

// Papers take long on a busy machine.
setDefaultTimeout(60_000)
type Begun = Awaited<ReturnType<typeof start>>

/** Ten days late, 20,000 of 60,000 paid; the second invoice is open and not due yet where days are enough. */
async function late(days = 10, tenant?: object): Promise<Begun> {
  const s = await start(tenant)
  await s.pay(20_000)
  s.t.advance(days)
  await s.t.work()
  return s
}
const follow = async (s: Begun, url: string) => {
  const { pathname, search } = new URL(url)
  const answer = await s.t.app.handle(new Request(`http://localhost${pathname}${search}`))
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

test('all that is overdue, in figures and words, with a last day; what is not due yet is named, not demanded', async () => {
  const s = await late(31)
  const made = await s.remind({ step: 'FORMAL_NOTICE' })
  const rentMessage = made.body.id
  expect(made.body.amount).toBe(40_000)
  expect((await s.t.call(ANA, `GET /api/v1/messages/${rentMessage}/letter-url`)).body.code).toBe('invalid_state')
  expect(await drawLetters(s.t.deps)).toBe(1)
  expect(await drawLetters(s.t.deps)).toBe(0)
  const link = await s.t.call(ANA, `GET /api/v1/messages/${rentMessage}/letter-url`)
  const file = await follow(s, String(link.body.url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(file.headers.get('content-disposition')).toContain('mise-en-demeure-N-2026-000001.pdf')
  const { text } = await readPdf(file.bytes)
  for (const said of [
    '40 000 FCFA',
    'quarante mille francs CFA',
    '2026-000001',
    'huit (8) jours',
    '18 avril 2026',
    'Marie',
  ])
    expect(text).toContain(said)
  expect(text).toContain('non compris dans la somme ci-dessus : facture 2026-000002, 60 000 FCFA')
  expect(text).not.toContain('100 000 FCFA')
  // Frozen: a payment afterwards changes nothing of it.
  await s.pay(40_000)
  expect((await follow(s, String(link.body.url))).bytes).toEqual(file.bytes)
})

test('of two months that are late the message, its page and the letter demand the same', async () => {
  const s = await late(41)
  const [, second] = (await s.t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?order=asc&bookingId=${s.booking}`))
    .body
  const made = await s.t.call(ANA, `POST /api/v1/invoices/${second?.id}/remind`, { step: 'FORMAL_NOTICE' })
  await s.t.work()
  expect(made.body.amount).toBe(100_000)
  const { text } = s.t.sent.at(-1) ?? { text: '' }
  expect(text.replace(/\s/g, ' ')).toContain('100 000 FCFA de loyer pour « A1 », « Villa », dus depuis le 15/03/2026')
  const [letter] = s.t.rows('select data from letter')
  expect(JSON.parse(String(letter?.data)).totalAmount).toBe(100_000)
})

test('in the language of the tenant, and on the page of its link', async () => {
  const s = await late(10, { phoneNumber: '+237677123456', locale: 'en' })
  await s.remind({ step: 'FORMAL_NOTICE' })
  await s.t.work()
  const path = /\/i\/[\w-]{42}/.exec(s.t.sent.at(-1)?.text ?? '')?.[0] ?? ''
  const page = async () => (await s.t.app.handle(new Request(`http://localhost${path}`))).text()
  expect(await page()).toContain('The letter is being prepared.')
  await drawLetters(s.t.deps)
  expect(await page()).toContain(`href="${path}/letter.pdf"`)
  const to = await s.t.app.handle(new Request(`http://localhost${path}/letter.pdf`))
  const { text } = await readPdf((await follow(s, to.headers.get('location') ?? '')).bytes)
  for (const said of ['Formal notice to pay', 'eight (8) days', 'forty thousand CFA francs'])
    expect(text).toContain(said)
})

test('no other step makes one, and nobody else reads it', async () => {
  const s = await late()
  const reminder = (await s.remind({ step: 'FINAL' })).body.id
  expect(await drawLetters(s.t.deps)).toBe(0)
  expect((await s.t.call(ANA, `GET /api/v1/messages/${reminder}/letter-url`)).status).toBe(404)
  const rentMessage = (await s.remind({ step: 'FORMAL_NOTICE' })).body.id
  await drawLetters(s.t.deps)
  for (const [who, status] of [
    [ADA, 200],
    [EVE, 404],
    ['TENANT.tia', 404],
    ['OWNER.ana~otherorg', 404],
  ] as const)
    expect([who, (await s.t.call(who, `GET /api/v1/messages/${rentMessage}/letter-url`)).status]).toEqual([who, status])
})

test('a letter that cannot be drawn is tried again', async () => {
  const s = await late()
  await s.remind({ step: 'FORMAL_NOTICE' })
  const pdf = { ...s.t.deps.pdf, render: () => Promise.reject(new Error('broken')) }
  expect(await drawLetters({ ...s.t.deps, pdf })).toBe(1)
  expect(await drawLetters(s.t.deps)).toBe(0)
  s.t.time.now += 1_000
  expect(await drawLetters(s.t.deps)).toBe(1)
  expect(s.t.rows('select sha256 is not null as done, attempts from letter')).toEqual([{ done: 1, attempts: 1 }])
})

test('the file of a lease: every paper, the ledger to the franc, what was told; audited, for landlords only', async () => {
  const s = await late()
  await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/deposit`, {
    type: 'RECEIVED',
    amount: 50_000,
    paidOn: '2026-03-10',
  })
  await s.remind({ step: 'FORMAL_NOTICE' })
  while ((await renderDocuments(s.t.deps)) > 0);
  await drawLetters(s.t.deps)
  const before = traces(s.t)
  for (const [who, status] of [
    ['TENANT.tom', 403],
    [EVE, 404],
    ['OWNER.ana~otherorg', 404],
  ] as const)
    expect((await s.t.call(who, `GET /api/v1/bookings/${s.booking}/file`)).status).toBe(status)
  expect(s.t.rows("select * from audit_entry where action = 'booking.file'")).toEqual([])
  expect(before).toContain('rent_message.send')
  const answer = await s.t.app.handle(
    new Request(`http://localhost/api/v1/bookings/${s.booking}/file`, { headers: { authorization: `Bearer ${ANA}` } }),
  )
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="dossier-A1-2026-03-20.zip"')
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  expect(Object.keys(files).sort()).toEqual([
    'LISEZ-MOI.txt',
    'baux/bail-L-2026-000001-v2.pdf',
    'baux/bail-L-2026-000001.pdf',
    'compte.csv',
    'factures/facture-2026-000001.pdf',
    'mises-en-demeure/mise-en-demeure-N-2026-000001.pdf',
    'pieces.csv',
    'quittances/recu-R-2026-000001.pdf',
    'quittances/recu-de-depot-D-2026-000001.pdf',
    'rappels.csv',
  ])
  const csv = (name: string): string => new TextDecoder().decode(files[name])
  expect(csv('compte.csv').split('\r\n').slice(1)).toEqual([
    '2026-03-10;Facture;2026-000001;Loyer du 10 mars 2026 au 9 avril 2026;60000;;60000;',
    '2026-03-10;Paiement;;CASH;;20000;40000;',
    '2026-03-10;Dépôt reçu;;;;;40000;50000',
    '',
  ])
  expect(csv('rappels.csv')).toContain('2026-03-20 09:00;Mise en demeure;2026-000001;40000')
  for (const { sha256 } of s.t.rows('select sha256 from document union all select sha256 from letter'))
    expect(csv('pieces.csv')).toContain(String(sha256))
  for (const [name, bytes] of Object.entries(files))
    if (name.endsWith('.pdf')) expect(new TextDecoder().decode(bytes.subarray(0, 5))).toBe('%PDF-')
  expect(s.t.rows("select subject_id from audit_entry where action = 'booking.file'")).toHaveLength(1)
})
