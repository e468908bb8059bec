// What is signed: a change starts over, the last signature counts once, the evidence shows it all; and the way by paper.
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { LeaseData } from '../../../../src/adapters/pdf/port.ts'
import { maskPhone } from '../../../../src/core/phone.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { fileName } from '../../../../src/features/papers/documents/rules.ts'
import { makeReady } from '../../../support/contracts.ts'
import { readPdf } from '../../../support/papers.ts'
import { type Json, letting, type Person, phoneOf, type Stage, stage } from '../../../support/scenario.ts'
import { codeFor, outForSigning, SIGN, signs, told } from '../../../support/signers.ts'

describe('a change starts over', () => {
  const changes: [string, Person, string, Json][] = [
    ['the rent', 'ana', 'PATCH /bookings/{lease}', { rentAmount: 65_000 }],
    [
      'the clauses',
      'ada',
      'PUT /lease-templates/HOME',
      { clauses: [{ title_fr: 'A', body_fr: 'B', title_en: 'A', body_en: 'B' }] },
    ],
    ["the tenant's particulars", 'ana', 'PATCH /tenants/{tenant}', { address: 'Rue 9' }],
    ['the landlord', 'mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' }],
  ]
  test.each(changes)('%s', async (_what, who, line, body) => {
    const { s, status, signatures } = await outForSigning()
    s.names.set('tenant', String((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantId))
    const landlord = 'mia' as const
    expect(told(await signs(s, landlord))).toBe('201')
    const old = await codeFor(s, 'tom')
    expect((await s.ask(who, line, body)).status).toBe(200)
    // An older text is signed by nobody.
    expect(told(await s.ask('tom', SIGN, old))).toBe('409 contract_not_ready')
    expect([signatures(), status()]).toEqual([['LANDLORD on behalf VOID CHANGED'], 'PENDING'])
    await makeReady(s.t, s.names.get('lease') ?? '')
    expect(told(await s.ask('tom', SIGN, old))).toBe('410 challenge_gone')
    expect(told(await signs(s, 'tom'))).toBe('201')
    expect(status()).toBe('PENDING')
    expect(told(await signs(s, landlord))).toBe('201')
    expect(status()).toBe('ACTIVE')
    expect(signatures()).toEqual(['LANDLORD on behalf VOID CHANGED', 'TENANT VALID', 'LANDLORD on behalf VALID'])
    expect(s.rows("select count(*) n from audit_entry where action = 'signature.void'")).toEqual([{ n: 1 }])
  })
  test('a change that is none leaves signatures as they are', async () => {
    const { s, signatures, status } = await outForSigning()
    await signs(s, 'ana')
    expect((await s.ask('ana', 'PATCH /bookings/{lease}', { rentAmount: 60_000 })).status).toBe(200)
    expect(signatures()).toEqual(['LANDLORD VALID'])
    await signs(s, 'tom')
    expect(status()).toBe('ACTIVE')
  })
  test.each([
    ['cancel', 'CANCELLED', 'CANCELLED'],
    ['activate', 'ACTIVE', 'ACTIVATED'],
  ])('%s: one signature alone does not count', async (action, state, reason) => {
    const { s, signatures, status } = await outForSigning()
    await signs(s, 'tom')
    const code = await codeFor(s, 'ana')
    await s.make('ana', `POST /bookings/{lease}/${action}`)
    expect([signatures(), status()]).toEqual([[`TENANT VOID ${reason}`], state])
    expect(told(await s.ask('ana', SIGN, code))).toBe('409 invalid_state')
    if (action === 'activate')
      expect(s.rows("select details from audit_entry where action = 'booking.activate'")).toEqual([
        { details: '{"signed":"NOT"}' },
      ])
  })
})

test('the last signature fifty times at once: signed once, activated once', async () => {
  const { s, status, signatures } = await outForSigning()
  await signs(s, 'ana')
  const code = await codeFor(s, 'tom')
  const answers = await Promise.all(Array.from({ length: 50 }, () => s.ask('tom', SIGN, code)))
  expect(answers.map(told).sort()).toEqual(['201', ...Array.from({ length: 49 }, () => '409 invalid_state')])
  expect([status(), signatures()]).toEqual(['ACTIVE', ['LANDLORD VALID', 'TENANT VALID']])
  expect(s.rows("select count(*) n from audit_entry where action = 'booking.activate'")).toEqual([{ n: 1 }])
  expect(s.rows("select count(*) n from job where kind = 'booking.activated'")).toEqual([{ n: 1 }])
  expect(s.rows("select count(*) n from document where variant = 'SIGNED'")).toEqual([{ n: 1 }])
})

test('both parties at the same moment: one activation, no signature lost', async () => {
  const { s, status, signatures } = await outForSigning()
  const codes = { ana: await codeFor(s, 'ana'), tom: await codeFor(s, 'tom') }
  const answers = await Promise.all([s.ask('ana', SIGN, codes.ana), s.ask('tom', SIGN, codes.tom)])
  expect(answers.map(told)).toEqual(['201', '201'])
  expect([status(), signatures().length]).toEqual(['ACTIVE', 2])
})

describe('the evidence', () => {
  test.each(['fr', 'en'] as const)(
    'in %s: the very text, its hash, times, masked numbers, names, versions',
    async (locale) => {
      const s = await stage({ given: letting({ startDate: '2026-03-01', locale }, 'PENDING') })
      await renderDocuments(s.t.deps)
      const id = s.names.get('lease')
      const file = (row: Json) => s.t.documents.open(fileName(String(row.id), String(row.sha256)))
      const [proposed = {}] = s.rows("select * from document where booking_id = ? and variant = 'PROPOSED'", id)
      const bytes = await (await file(proposed))?.bytes()
      // What was signed is the file that anybody can read.
      expect(
        createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
      ).toBe(String(proposed.sha256))
      await signs(s, 'tom')
      s.time.now += 3_600_000
      await signs(s, 'mia')
      await renderDocuments(s.t.deps)
      const [signed = {}] = s.rows("select * from document where booking_id = ? and variant = 'SIGNED'", id)
      const {
        signatures,
        signedSha256,
        signedNumber,
        signedLayout,
        timeZone,
        number,
        stage: _s,
        ...text
      } = JSON.parse(String(signed.data)) as LeaseData
      const {
        signatures: none,
        number: itsNumber,
        stage: _p,
        ...itsText
      } = JSON.parse(String(proposed.data)) as LeaseData
      expect(text).toEqual(itsText)
      expect(timeZone).toBe('Africa/Douala')
      expect([none, signedSha256, signedNumber, signedLayout]).toEqual([
        [],
        String(proposed.sha256),
        itsNumber,
        Number(proposed.template_version),
      ])
      expect(number).not.toBe(itsNumber)
      expect(signatures).toEqual([
        {
          party: 'TENANT',
          name: 'tom Entier',
          signedAt: '2026-03-10T08:00:00.000Z',
          evidence: `WhatsApp ${maskPhone(phoneOf('tom'))}`,
        },
        {
          party: 'LANDLORD',
          name: 'mia Entier',
          onBehalfOf: 'ana Test',
          signedAt: '2026-03-10T09:00:00.000Z',
          evidence: `WhatsApp ${maskPhone(phoneOf('mia'))}`,
        },
      ])
      const read = (await readPdf((await (await file(signed))?.bytes()) ?? new Uint8Array())).text
      const words =
        locale === 'fr'
          ? [
              'accord électronique',
              'non d’une signature électronique qualifiée',
              'Pour le compte du bailleur : ana Test',
              `Bail n° ${itsNumber} – PDF v${proposed.template_version}`,
              'Clauses types de Loyer (version 0)',
            ]
          : [
              'electronic agreement',
              'not a qualified electronic signature',
              'On behalf of the landlord: ana Test',
              `Lease No. ${itsNumber} – PDF v${proposed.template_version}`,
              'Standard clauses of Loyer (version 0)',
            ]
      for (const word of [
        ...words,
        'tom Entier',
        'mia Entier',
        ', 09:00:00',
        ', 10:00:00',
        'Africa/Douala (UTC+1)',
        String(proposed.sha256),
      ])
        expect(read).toContain(word)
      for (const never of [locale === 'fr' ? 'Projet soumis' : 'Draft submitted', '08:00:00'])
        expect(read).not.toContain(never)
    },
    30_000,
  )
})

describe('signed on paper', () => {
  /** A file of a person's, as it is once uploaded and complete. */
  async function scan(s: Stage, who: Person, as: string, more: Json = {}) {
    const body = {
      ownerType: 'USER',
      ownerId: `{${who}}`,
      kind: 'DOCUMENT',
      filename: 'bail.pdf',
      contentType: 'application/pdf',
      sizeBytes: 9,
      ...more,
    }
    await s.make(who, 'POST /media', body, as)
    s.store.client
      .prepare("update media_object set status = 'AVAILABLE', purge_at = null, sha256 = 'ab' where id = ?")
      .run(s.names.get(as))
  }
  const COPY = 'POST /bookings/{lease}/signed-copy'
  test('the scan makes it ACTIVE, is kept, and is seen by whoever sees the lease', async () => {
    const { s, status, signatures } = await outForSigning()
    await signs(s, 'tom')
    await scan(s, 'ana', 'scan')
    await scan(s, 'ana', 'other')
    expect(told(await s.ask('ana', COPY, { mediaObjectId: '{scan}' }, { 'if-match': '"long.ago"' }))).toBe(
      '412 precondition_failed',
    )
    const kept = await s.ask('ana', COPY, { mediaObjectId: '{scan}' })
    expect([kept.status, kept.body.attachedBy, status()]).toEqual([201, s.names.get('ana'), 'ACTIVE'])
    expect(signatures()).toEqual(['TENANT VOID ACTIVATED'])
    expect(s.rows("select details from audit_entry where action = 'booking.activate'")).toEqual([
      { details: '{"signed":"ON_PAPER"}' },
    ])
    expect(s.rows("select count(*) n from audit_entry where action = 'booking.signed_copy'")).toEqual([{ n: 1 }])
    expect((await s.ask('ana', COPY, { mediaObjectId: '{scan}' })).body).toEqual(kept.body)
    expect(told(await s.ask('ana', COPY, { mediaObjectId: '{other}' }))).toBe('409 duplicate')
    for (const who of ['ana', 'tom', 'mia', 'ada'] as const) {
      expect((await s.ask(who, 'GET /bookings/{lease}/signed-copy')).body).toEqual(kept.body)
      expect((await s.ask(who, 'GET /media/{scan}/download-url')).status).toBe(200)
    }
    for (const who of ['eve', 'tia', 'zoe'] as const) {
      expect((await s.ask(who, 'GET /bookings/{lease}/signed-copy')).status).toBe(404)
      expect((await s.ask(who, 'GET /media/{scan}/download-url')).status).toBe(404)
    }
    expect(told(await s.ask('ana', 'DELETE /media/{scan}'))).toBe('409 invalid_state')
    expect((await s.ask('tom', 'DELETE /media/{scan}')).status).toBe(403)
  })
  test('refused, and the lease stays as it is', async () => {
    const { s, status } = await outForSigning()
    await scan(s, 'eve', 'hers')
    await scan(s, 'ana', 'secret', { ownerType: 'VERIFICATION' })
    await scan(s, 'ana', 'sheet', { contentType: 'text/csv', filename: 'x.csv' })
    await s.make(
      'ana',
      'POST /media',
      {
        ownerType: 'USER',
        ownerId: '{ana}',
        kind: 'DOCUMENT',
        filename: 'b.pdf',
        contentType: 'application/pdf',
        sizeBytes: 9,
      },
      'waiting',
    )
    await scan(s, 'ana', 'mine')
    for (const [who, file, expected] of [
      ['ana', 'hers', '404 not_found'],
      ['ana', 'secret', '404 not_found'],
      ['ana', 'waiting', '404 not_found'],
      ['ana', 'nobody', '404 not_found'],
      ['ana', 'sheet', '422 validation_failed'],
      ['mia', 'mine', '404 not_found'],
      ['eve', 'hers', '404 not_found'],
      ['tom', 'mine', '403 forbidden'],
    ] as const)
      expect(`${who} ${file} ${told(await s.ask(who, COPY, { mediaObjectId: `{${file}}` }))}`).toBe(
        `${who} ${file} ${expected}`,
      )
    expect([status(), s.rows('select * from signed_copy')]).toEqual(['PENDING', []])
    await s.make('ana', 'POST /bookings/{lease}/cancel')
    expect(told(await s.ask('ana', COPY, { mediaObjectId: '{mine}' }))).toBe('409 invalid_state')
  })
})
