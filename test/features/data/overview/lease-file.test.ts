// The file of a lease that a bailiff is handed: what proves the payments, and the lease as it was signed by hand.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'

import { jpegOf, PDF, sha256, upload } from '../../../support/files.ts'
import { type Json, letting, type Person, phoneOf, type Stage, stage, userId } from '../../../support/scenario.ts'

setDefaultTimeout(60_000)

/** A file of somebody's own, uploaded. @returns its id */
async function paper(s: Stage, who: Person, filename: string, bytes: Uint8Array, more: Json = {}): Promise<string> {
  const asked = { ownerType: 'USER', ownerId: userId(who), kind: 'DOCUMENT', contentType: 'application/pdf', filename }
  const { body } = await upload(s.t, s.wordOf(who), { ...asked, ...more }, bytes)
  return String(body.id)
}
const pdf = (mark: string): Uint8Array => new Uint8Array(Buffer.concat([PDF, Buffer.from(`\n% ${mark}`)]))

async function fileOf(s: Stage, who: Person = 'ana') {
  const answer = await s.t.app.handle(
    new Request(`http://localhost/api/v1/bookings/${s.names.get('lease')}/file`, {
      headers: { authorization: `Bearer ${s.wordOf(who)}` },
    }),
  )
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  const lines = (name: string): string[] => new TextDecoder().decode(files[name]).split('\r\n').slice(1, -1)
  return { files, lines }
}

test('each proof is there once, as it was uploaded, with what became of its payment', async () => {
  const s = await stage({ given: letting() })
  const photo = await jpegOf(300, 200)
  const receipt = await paper(s, 'tom', 'reçu/MoMo ..\\mars.pdf', pdf('momo'))
  const shot = await paper(s, 'tom', 'capture.jpg', photo, { contentType: 'image/jpeg' })
  const certificate = await paper(s, 'ana', 'attestation.pdf', pdf('certificate'))
  const declared = { method: 'MTN_MOMO', paidOn: '2026-03-10' }
  const pay = (who: Person, body: Json, as: string) => s.make(who, 'POST /invoices/{i1}/payments', body, as)
  await pay('tom', { ...declared, amount: 20_000, reference: '7711', proofMediaId: receipt }, 'one')
  await s.make('ana', 'POST /payments/{one}/confirm')
  await pay('tom', { ...declared, amount: 5_000, reference: '7712', proofMediaId: receipt }, 'two')
  await pay('tom', { ...declared, amount: 9_000, reference: '7713', proofMediaId: shot }, 'three')
  await s.make('ana', 'POST /payments/{three}/reject')
  const kept = { amount: 6_000, method: 'WITHHOLDING', paidOn: '2026-03-10', reference: 'AT-9' }
  await pay('ana', { ...kept, proofMediaId: certificate }, 'four')
  await s.make('ana', 'POST /payments/{four}/reverse')
  while ((await renderDocuments(s.t.deps)) > 0);
  const { files, lines } = await fileOf(s)
  const proofs = Object.keys(files).filter((name) => name.startsWith('preuves/'))
  expect(proofs.map((name) => name.replace(/ [0-9a-f]{4} /, ' # ')).sort()).toEqual([
    'preuves/2026-03-10 # attestation.pdf',
    'preuves/2026-03-10 # capture.jpg',
    'preuves/2026-03-10 # reçu_MoMo .._mars.pdf',
  ])
  const rows = lines('pieces.csv')
    .filter((line) => line.startsWith('Preuve de paiement'))
    .map((line) => line.split(';'))
  expect(rows.map(([, reference, , state]) => `${reference} ${state}`)).toEqual([
    '7711 Confirmé',
    '7712 Déclaré',
    '7713 Rejeté',
    'AT-9 Annulé',
  ])
  // The list's digest is that of the very bytes in the archive.
  for (const [, , , , name = '', digest] of rows) expect(sha256(files[name] ?? new Uint8Array())).toBe(digest ?? '')
  expect(sha256(files[rows[0]?.[4] ?? ''] ?? new Uint8Array())).toBe(sha256(pdf('momo')))
  // Only what was confirmed counts; nobody's number is in it but masked.
  expect(lines('compte.csv').filter((line) => line.includes('Paiement'))).toHaveLength(1)
  expect(lines('rappels.csv').join()).not.toContain(phoneOf('tom'))
})

test('a lease signed by hand: its scan is with the documents and in the file; only a document of one’s own is taken', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-01', locale: 'en' }, 'PENDING') })
  const COPY = 'POST /bookings/{lease}/signed-copy'
  const photo = await jpegOf(300, 200)
  const jpeg = { contentType: 'image/jpeg' }
  s.names.set('photo', await paper(s, 'ana', 'photo.jpg', photo, { ...jpeg, kind: 'PHOTO' }))
  s.names.set('hers', await paper(s, 'eve', 'bail.pdf', pdf('hers')))
  s.names.set('scan', await paper(s, 'ana', 'bail signé.jpg', photo, jpeg))
  const answer = await s.ask('ana', COPY, { mediaObjectId: '{photo}' })
  expect([answer.status, answer.body.errors]).toMatchObject([422, [{ path: '/mediaObjectId' }]])
  expect((await s.ask('ana', COPY, { mediaObjectId: '{hers}' })).status).toBe(404)
  expect(s.rows('select status from booking')).toEqual([{ status: 'PENDING' }])
  await s.make('ana', COPY, { mediaObjectId: '{scan}' })
  while ((await renderDocuments(s.t.deps)) > 0);
  for (const who of ['ana', 'tom', 'mia'] as const) {
    const { body } = await s.ask(who, 'GET /documents?bookingId={lease}&kind=LEASE_CONTRACT')
    expect((body as unknown as Json[]).map(({ variant, signedCopyMediaId }) => [variant, signedCopyMediaId])).toEqual([
      ['UNSIGNED', s.names.get('scan')],
      ['PROPOSED', undefined],
    ])
  }
  const { files, lines } = await fileOf(s)
  const name = 'leases/signed-on-paper bail signé.jpg'
  const [row = ''] = lines('papers.csv').filter((line) => line.startsWith('Lease signed on paper'))
  expect(row).toContain(name)
  expect(row).toContain(sha256(files[name] ?? new Uint8Array()))
  const file = await s.ask('tom', 'GET /media/{scan}/download-url')
  expect(file.status).toBe(200)
})
