// What a tenant reads of a change of the rent and of a notice to leave, in both languages.
import { afterAll, expect, test } from 'bun:test'
import { createPdf } from '../../src/adapters/pdf/pool.ts'
import type { LeaseNoticeData } from '../../src/adapters/pdf/port.ts'
import { leave, readPdf, rentChange } from '../support/papers.ts'

const pdf = createPdf()
afterAll(() => pdf.close())
const seal = { url: 'https://rent.example.cm/verify/7h3k9m2q4wx8c5vb6n1zd0f2gt', dataSha256: 'ab'.repeat(32) }
const signed = {
  subject: 'RIDER',
  signatures: [
    { party: 'TENANT', name: 'Thérèse É.', signedAt: '2026-03-12T09:00:00.000Z', evidence: 'SMS +237•••04' },
  ],
  timeZone: 'Africa/Douala',
  signedSha256: 'cd'.repeat(32),
}
const paid = [{ number: '2026-000123', periodStart: '2026-04-01', periodEnd: '2026-04-30' }]

const PAPERS: [name: string, data: LeaseNoticeData, says: string[], never: string[]][] = [
  [
    'a rider',
    rentChange('fr'),
    ['Avenant n° A-2026-000001', '90 000', 'Révision annuelle', 'une fois signé par le locataire'],
    ['Preuve de l’accord', 'Déjà payé'],
  ],
  [
    'a signed rider',
    rentChange('en', signed),
    ['Amendment to the lease', 'Thérèse É.', 'SMS +237•••04', '12 March 2026, 10:00:00 (UTC+1)', 'cd'.repeat(32)],
    ['only once the tenant has signed'],
  ],
  [
    'a notice of rent change',
    rentChange('fr', { subject: 'RENT_CHANGE', paid }),
    ['Avis de modification du loyer', 'Déjà payé au loyer précédent', 'facture 2026-000123', '1er avril 2026'],
    ['Avenant', 'une fois signé'],
  ],
  [
    'a tenant leaves too early',
    leave('fr'),
    ['Congé donné par le locataire', '15 avril 2026', 'Préavis convenu', '2 mois'],
    // Whoever signs does not say against themselves that it is short.
    ['donné par le bailleur', 'date plus proche', 'sous réserve'],
  ],
  [
    'a landlord gives notice in time',
    leave('en', { by: 'LANDLORD', leaveOn: '2026-05-10', reason: 'Own use' }),
    ['given by the landlord', '10 May 2026', 'Own use'],
    ['for an earlier day'],
  ],
  ['no notice was agreed', leave('en', { noticeMonths: undefined, earliestLeaveOn: undefined }), [], ['Notice agreed']],
]
test.each(PAPERS)('%s', async (name, data, says, never) => {
  const bytes = await pdf.render('leaseNotice', data, seal)
  if (process.env.PAPERS_TO) await Bun.write(`${process.env.PAPERS_TO}/${name}.pdf`, bytes)
  const { text, pages } = await readPdf(bytes)
  expect(pages).toHaveLength(1)
  for (const words of says) expect(text).toContain(words)
  for (const words of never) expect(text).not.toContain(words)
})
