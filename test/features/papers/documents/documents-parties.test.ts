// Who stands on the papers: a company and its representative, co-tenants, guarantors, and an owner by their own papers.
import { expect, test } from 'bun:test'
import { drawInvoice } from '../../../../src/adapters/pdf/papers/invoice.ts'
import { drawLease } from '../../../../src/adapters/pdf/papers/lease.ts'
import { readPdf } from '../../../support/papers.ts'
import { type Json, premises, type Stage, scenario, stage } from '../../../support/scenario.ts'

const company: Json = {
  kind: 'COMPANY',
  fullName: 'Sahel Négoce SARL',
  niu: 'M012200012345A',
  rccm: 'RC/DLA/2022/B/1234',
  representativeName: 'Oumarou Bello',
  representativeRole: 'gérant',
  phoneNumber: '+237677000088',
}

scenario('a company says who signs for it', { given: premises() }, [
  [
    'ana',
    'POST /tenants',
    { ...company, representativeName: null },
    422,
    { errors: [{ path: '/representativeName' }] },
  ],
  [
    'ana',
    'POST /tenants',
    company,
    201,
    { kind: 'COMPANY', representativeName: 'Oumarou Bello', rccm: 'RC/DLA/2022/B/1234' },
    { audit: 'tenant.create', as: 'firm' },
  ],
  ['ana', 'PATCH /tenants/{firm}', { representativeName: null }, 422, { errors: [{ path: '/representativeName' }] }],
  [
    'ana',
    'PATCH /tenants/{firm}',
    { kind: 'PERSON', representativeName: null, representativeRole: null, rccm: null },
    200,
    { kind: 'PERSON' },
    { audit: 'tenant.update', lacks: ['rccm', 'representativeName', 'representativeRole'] },
  ],
  ['ana', 'POST /tenants', { fullName: 'Une Personne' }, 201, { kind: 'PERSON' }, { audit: 'tenant.create' }],
  ['eve', 'GET /tenants/{firm}', undefined, 404],
])

/** What the newest paper of a kind says, drawn from what was frozen with it. */
async function text(s: Stage, kind: 'LEASE_CONTRACT' | 'INVOICE'): Promise<string> {
  const [{ data } = {}] = s.rows('select data from document where kind = ? order by id desc limit 1', kind)
  const frozen = JSON.parse(String(data))
  const { pages } = await readPdf(await (kind === 'INVOICE' ? drawInvoice(frozen, null) : drawLease(frozen, null)))
  return pages.join('\n').replace(/\s+/g, ' ')
}

test('the lease names them all, in both languages, with the landlord by their own papers', async () => {
  for (const locale of ['fr', 'en'] as const) {
    const s = await stage({ given: premises('COMMERCIAL'), settings: { name: 'Agence Littoral', niu: 'P999' } })
    const own = { niu: 'P0471234567X', idType: 'NATIONAL_ID', idNumber: '100200300', address: 'BP 12, Bonapriso' }
    await s.make('ana', 'PATCH /me', own)
    await s.make('ana', 'POST /tenants', { ...company, locale }, 'firm')
    await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantId: '{firm}', startDate: '2026-03-01' }, 'lease')
    const parties = [
      { role: 'CO_TENANT', fullName: 'Léa Colocataire', phoneNumber: '+237699000002' },
      { role: 'GUARANTOR', fullName: 'Guy Garant', phoneNumber: '+237699000001', idType: 'PASSPORT', idNumber: 'P77' },
    ]
    await s.make('ana', 'PUT /bookings/{lease}/parties', { parties })
    await s.make('ana', 'POST /bookings/{lease}/submit')
    const lease = await text(s, 'LEASE_CONTRACT')
    const said = {
      fr: ['Représentée par Oumarou Bello, gérant', 'COLOCATAIRE', 'CAUTION (GARANT)', 'solidairement', 'Mandataire'],
      en: [
        'Represented by Oumarou Bello, gérant',
        'CO-TENANT',
        'GUARANTOR',
        'jointly and severally',
        'Represented by Agence',
      ],
    }[locale]
    for (const words of ['Sahel Négoce SARL', 'RC/DLA/2022/B/1234', 'M012200012345A', 'Guy Garant', 'P77', ...said])
      expect(lease).toContain(words)
    // The owner's own, beside those of the agency.
    for (const words of ['P0471234567X', '100200300', 'BP 12, Bonapriso', 'P999']) expect(lease).toContain(words)
    await s.make('ana', 'POST /bookings/{lease}/activate')
    await s.work()
    const invoice = await text(s, 'INVOICE')
    for (const words of ['P0471234567X', 'BP 12, Bonapriso', 'Sahel Négoce SARL']) expect(invoice).toContain(words)
    // Neither co-tenants nor guarantors are asked to pay by the invoice.
    expect(invoice).not.toContain('Guy Garant')
  }
})

scenario(
  'an owner says so themselves, or an administrator for them; what is said no more is gone',
  { given: premises() },
  [
    ['ana', 'PATCH /me', { niu: 'P1', address: 'BP 1' }, 200, { niu: 'P1', address: 'BP 1' }, { audit: 'user.update' }],
    ['mia', 'PATCH /admin/users/{ana}', { niu: 'P2' }, 403],
    ['ada', 'PATCH /admin/users/{ana}', { niu: 'P3' }, 200, { niu: 'P3', address: 'BP 1' }, { audit: 'user.update' }],
    ['ana', 'PATCH /me', { idType: 'LIBRARY_CARD' }, 422],
    ['ana', 'PATCH /me', { niu: null }, 200, {}, { audit: 'user.update', lacks: ['niu'] }],
  ],
)
