// Who may call what: decisions section 3, written out from there. A route that is not in the table fails.
import { beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { resolveCaller } from '../../src/features/people/accounts/account.ts'
import { createAccess } from '../../src/http/auth.ts'
import { claimsOf } from '../support/app.ts'
import { COSTS, RUNNING_LEASES } from '../support/role-rows.ts'
import { fill, routesOf } from '../support/routes.ts'
import type { Sample } from '../support/sample.ts'
import { UPKEEP_ROLES } from '../support/samples/upkeep.ts'
import { samples, traces, worldApp } from '../support/world.ts'

/** T, O, M, A: the role may; a dot: 403. `public`: no token at all. */
const TABLE: Readonly<Record<string, string>> = {
  'GET /healthz': 'public',
  'GET /verify/:code': 'public',
  'GET /i/:token': 'public',
  'GET /i/:token/:file': 'public',
  'GET /r/:token': 'public',
  'GET /r/:token/:file': 'public',
  'GET /readyz': 'public',
  'GET /api/v1/sandbox/messages': 'public',
  'GET /api/v1/legal/versions': 'public',
  'GET /api/v1/legal/:document/:version': 'public',
  'POST /api/v1/registration/otp': 'public',
  'POST /api/v1/registration/otp/verify': 'public',
  'POST /api/v1/registration/complete': 'public',
  'POST /api/v1/account/password-reset/request': 'public',
  'POST /api/v1/account/password-reset/complete': 'public',
  'POST /webhooks/smsvendor/dlr': 'public',
  'POST /api/v1/setup': 'public',
  'PUT /media-uploads/:id': 'public',
  'GET /media-files/:id': 'public',
  'GET /media-files/public/:id': 'public',
  'GET /p/:property': 'public',
  'GET /api/v1/organization': 'TOMA',
  'GET /api/v1/organization/law': 'TOMA',
  'GET /api/v1/overview': 'TOMA',
  'GET /api/v1/overview/homes': '.OMA',
  'GET /api/v1/people': '..MA',
  'GET /api/v1/adjustments': '.OMA',
  // the books of the whole organization
  'GET /api/v1/ledger/entries': '..MA',
  'GET /api/v1/ledger/trial-balance': '..MA',
  'GET /api/v1/ledger/export': '..MA',
  'GET /api/v1/ledger/accounts': '..MA',
  'PATCH /api/v1/ledger/accounts': '..MA',
  'GET /api/v1/ledger/closings': '..MA',
  'POST /api/v1/ledger/closings': '..MA',
  'DELETE /api/v1/ledger/closings/:month': '...A',
  'GET /api/v1/units': 'TOMA',
  'GET /api/v1/account/export': 'TOMA',
  'DELETE /api/v1/account': 'TOMA',
  'GET /api/v1/account/sessions': 'TOMA',
  'DELETE /api/v1/account/sessions/:session': 'TOMA',
  'GET /api/v1/account/recoveries': 'TOMA',
  'POST /api/v1/account/recoveries/:id/stop': 'TOMA',
  'POST /api/v1/account/password': 'TOMA',
  'POST /api/v1/account/phone/otp': 'TOMA',
  'POST /api/v1/account/phone/old-number/otp': 'TOMA',
  'POST /api/v1/account/phone/verify': 'TOMA',
  'POST /api/v1/account/phone/verification/otp': 'TOMA',
  'POST /api/v1/account/phone/verification/verify': 'TOMA',
  'GET /api/v1/documents': 'TOMA',
  'GET /api/v1/documents/:id': 'TOMA',
  'GET /api/v1/documents/:id/download-url': 'TOMA',
  'GET /api/v1/lease-templates/:kind': '.OMA',
  'PUT /api/v1/lease-templates/:kind': '..MA',
  'POST /api/v1/lease-templates/:kind/preview': '.OMA',
  // media: own USER and VERIFICATION objects; landlords' properties and units
  'GET /api/v1/media': 'TOMA',
  'POST /api/v1/media': 'TOMA',
  'GET /api/v1/media/:id': 'TOMA',
  'PATCH /api/v1/media/:id': 'TOMA',
  // the stream of changes; what happened in a lease
  'GET /api/v1/events': 'TOMA',
  'GET /api/v1/bookings/:id/timeline': 'TOMA',
  'GET /api/v1/media/:id/download-url': 'TOMA',
  'POST /api/v1/media/:id/upload-url': 'TOMA',
  'POST /api/v1/media/:id/complete': 'TOMA',
  'DELETE /api/v1/media/:id': 'TOMA',
  // KYC: create, attach, submit, read own; property proof
  'POST /api/v1/verification/kyc': 'TOMA',
  'GET /api/v1/verification/kyc/mine': 'TOMA',
  'GET /api/v1/verification/kyc/:id': 'TOMA',
  'POST /api/v1/verification/kyc/:id/documents': 'TOMA',
  'POST /api/v1/verification/kyc/:id/submit': 'TOMA',
  'POST /api/v1/verification/property-proofs': '.OMA',
  'GET /api/v1/verification/property-proofs': '.OMA',
  'GET /api/v1/verification/property-proofs/:id': '.OMA',
  'POST /api/v1/verification/property-proofs/:id/documents': '.OMA',
  'POST /api/v1/verification/property-proofs/:id/submit': '.OMA',
  'GET /api/v1/me': 'TOMA',
  'PATCH /api/v1/me': 'TOMA',
  'GET /api/v1/me/notifications': 'TOMA',
  'PUT /api/v1/me/notifications': 'TOMA',
  // read properties, units: published and what they rent; own; all; all
  'GET /api/v1/properties': 'TOMA',
  'GET /api/v1/properties/:id': 'TOMA',
  'GET /api/v1/properties/:id/units': 'TOMA',
  'GET /api/v1/units/:id': 'TOMA',
  'GET /api/v1/homes': 'TOMA',
  // create, edit, publish, archive, restore property; units
  'POST /api/v1/properties': '.OMA',
  'PATCH /api/v1/properties/:id': '.OMA',
  'POST /api/v1/properties/:id/duplicate': '.OMA',
  'POST /api/v1/properties/:id/publish': '.OMA',
  'POST /api/v1/properties/:id/archive': '.OMA',
  'POST /api/v1/properties/:id/restore': '.OMA',
  'POST /api/v1/properties/:id/units': '.OMA',
  'PATCH /api/v1/units/:id': '.OMA',
  // tenants: list, create, edit
  'GET /api/v1/tenants': '.OMA',
  'POST /api/v1/tenants': '.OMA',
  'GET /api/v1/tenants/:id': '.OMA',
  'PATCH /api/v1/tenants/:id': '.OMA',
  // read bookings, invoices, payments
  'GET /api/v1/bookings': 'TOMA',
  'GET /api/v1/bookings/:id': 'TOMA',
  'GET /api/v1/invoices': 'TOMA',
  'GET /api/v1/invoices/:id': 'TOMA',
  'GET /api/v1/invoices/:id/payments': 'TOMA',
  'GET /api/v1/payments': 'TOMA',
  'GET /api/v1/payments/:id': 'TOMA',
  // create booking: a tenant's is a request
  'POST /api/v1/bookings': 'TOMA',
  // submit, activate, terminate, renew booking; edit DRAFT or PENDING
  'PATCH /api/v1/bookings/:id': '.OMA',
  'POST /api/v1/bookings/:id/submit': '.OMA',
  'POST /api/v1/bookings/:id/activate': '.OMA',
  'POST /api/v1/bookings/:id/terminate': '.OMA',
  'GET /api/v1/bookings/:id/settlement': 'TOMA',
  'GET /api/v1/bookings/:id/account': 'TOMA',
  'POST /api/v1/bookings/:id/reinstate': '.OMA',
  'POST /api/v1/bookings/:id/renew': '.OMA',
  // cancel booking: a tenant's own, while DRAFT or PENDING
  'POST /api/v1/bookings/:id/cancel': 'TOMA',
  // sign lease: each party for itself, managers for the owner; the scan of a paper one is an activation
  'GET /api/v1/bookings/:id/signatures': 'TOMA',
  // who signs with the tenant: as the lease is read and edited
  'GET /api/v1/bookings/:id/parties': 'TOMA',
  'PUT /api/v1/bookings/:id/parties': '.OMA',
  'GET /api/v1/bookings/:id/payers': '.OMA',
  'PUT /api/v1/bookings/:id/payers': '.OMA',
  'POST /api/v1/bookings/:id/signatures/otp': 'TOM.',
  'POST /api/v1/bookings/:id/signatures': 'TOM.',
  'GET /api/v1/bookings/:id/signed-copy': 'TOMA',
  'POST /api/v1/bookings/:id/signed-copy': '.OMA',
  ...RUNNING_LEASES,
  ...COSTS,
  // payments: tenants declare and withdraw; landlords record, confirm, reject, reverse
  'POST /api/v1/invoices/:id/payments': 'TOMA',
  'POST /api/v1/payments/:id/withdraw': 'T...',
  'POST /api/v1/payments/:id/confirm': '.OMA',
  'POST /api/v1/payments/:id/reject': '.OMA',
  'POST /api/v1/payments/:id/reverse': '.OMA',
  'POST /api/v1/transfers': '.OMA',
  'POST /api/v1/transfers/:id/attribute': '..MA',
  'GET /api/v1/transfers': '.OMA',
  'GET /api/v1/transfers/:id': '.OMA',
  'POST /api/v1/transfers/:id/reverse': '.OMA',
  'POST /api/v1/bookings/:id/payments': '.OMA',
  'GET /api/v1/bookings/:id/advance': '.OMA',
  // money that came by phone, deposits: as payments
  'POST /api/v1/payments/parse': '.OMA',
  'POST /api/v1/payments/from-message': '.OMA',
  'GET /api/v1/payments/unmatched': '.OMA',
  'POST /api/v1/payments/unmatched/:id/assign': '.OMA',
  'POST /api/v1/payments/unmatched/:id/dismiss': '.OMA',
  'GET /api/v1/bookings/:id/deposit': 'TOMA',
  'POST /api/v1/bookings/:id/deposit': '.OMA',
  // reminders: as invoices
  ...UPKEEP_ROLES,
  'GET /api/v1/bookings/:id/messages': 'TOMA',
  'POST /api/v1/invoices/:id/remind': '.OMA',
  'POST /api/v1/reminders': '.OMA',
  'GET /api/v1/messages': '.OMA',
  'POST /api/v1/messages/:id/handle': '.OMA',
  'POST /api/v1/messages/:id/revoke-link': '.OMA',
  'GET /api/v1/messages/:id/letter-url': 'TOMA',
  'GET /api/v1/bookings/:id/file': '.OMA',
  // cancel invoice, add a charge
  'POST /api/v1/invoices/:id/cancel': '.OMA',
  'POST /api/v1/invoices/:id/waive': '.OMA',
  'POST /api/v1/invoices/:id/charges': '.OMA',
  'GET /api/v1/invoices/:id/credit-notes': 'TOMA',
  'POST /api/v1/bookings/:id/invoices': '.OMA',
  // not in the decisions: who sees everything of the organization
  'GET /api/v1/webhook-endpoints': '..MA',
  'POST /api/v1/webhook-endpoints': '..MA',
  'GET /api/v1/webhook-endpoints/:id': '..MA',
  'PATCH /api/v1/webhook-endpoints/:id': '..MA',
  'DELETE /api/v1/webhook-endpoints/:id': '..MA',
  'POST /api/v1/webhook-endpoints/:id/rotate-secret': '..MA',
  'POST /api/v1/webhook-endpoints/:id/test': '..MA',
  'GET /api/v1/webhook-endpoints/:id/deliveries': '..MA',
  'POST /api/v1/webhook-deliveries/:id/replay': '..MA',
  // exports, imports
  'POST /api/v1/exports': '.OMA',
  'GET /api/v1/exports': '.OMA',
  'GET /api/v1/exports/:id': '.OMA',
  'GET /api/v1/exports/:id/download-url': '.OMA',
  'POST /api/v1/imports': '.OMA',
  'GET /api/v1/imports': '.OMA',
  'GET /api/v1/imports/:id': '.OMA',
  'GET /api/v1/imports/templates/:kind': '.OMA',
  // reports, and the search
  'GET /api/v1/search': '.OMA',
  'GET /api/v1/reports/rent-roll': '.OMA',
  'GET /api/v1/reports/arrears': '.OMA',
  'GET /api/v1/reports/collection': '.OMA',
  'GET /api/v1/reports/occupancy': '.OMA',
  'GET /api/v1/reports/tva-journal': '.OMA',
  'GET /api/v1/reports/owner-statement': '.OMA',
  'GET /api/v1/reports/owner-account': '.OMA',
  'GET /api/v1/reports/profit-loss': '.OMA',
  // /api/v1/admin/**
  'GET /api/v1/admin/verification': '...A',
  'GET /api/v1/admin/verification/:id': '...A',
  'POST /api/v1/admin/verification/:id/start-review': '...A',
  'POST /api/v1/admin/verification/:id/approve': '...A',
  'POST /api/v1/admin/verification/:id/reject': '...A',
  'POST /api/v1/admin/verification/:id/request-info': '...A',
  'POST /api/v1/admin/verification/:id/revoke': '...A',
  'GET /api/v1/admin/audit': '...A',
  'POST /api/v1/admin/audit/archives': '...A',
  'GET /api/v1/admin/audit/archives': '...A',
  'GET /api/v1/admin/audit/archives/:id': '...A',
  'GET /api/v1/admin/audit/archives/:id/download-url': '...A',
  'GET /api/v1/admin/users': '...A',
  'POST /api/v1/admin/users': '...A',
  'GET /api/v1/admin/users/:id': '...A',
  'PATCH /api/v1/admin/users/:id': '...A',
  'DELETE /api/v1/admin/users/:id': '...A',
  'POST /api/v1/admin/users/:id/recovery-code': '...A',
  'DELETE /api/v1/admin/users/:id/second-factor': '...A',
  'GET /api/v1/admin/organization': '...A',
  'GET /api/v1/admin/health': '...A',
  'GET /api/v1/admin/backups': '...A',
  'POST /api/v1/admin/backups': '...A',
  'GET /api/v1/admin/sample-data': '...A',
  'DELETE /api/v1/admin/sample-data': '...A',
  'PATCH /api/v1/admin/organization': '...A',
}

const { t, w } = await worldApp()
const visible = routesOf(t.app).filter((route) => !route.hidden)

test('every route is in the table, and the table names no other', () => {
  expect(visible.map(({ line }) => line).sort()).toEqual(Object.keys(TABLE).sort())
})

test('every route declares who may call it', () => {
  const silent = routesOf(t.app).filter(({ roles }) => roles !== 'public' && (roles ?? []).length === 0)
  expect(silent.map(({ line }) => line)).toEqual([])
})

describe('each route with every token', async () => {
  const roles = [
    ['TENANT', 'T', 'tom'],
    ['OWNER', 'O', 'ana'],
    ['MANAGER', 'M', 'mia'],
    ['ADMIN', 'A', 'ada'],
  ] as const
  const columns = await Promise.all(
    roles.map(async ([role, letter, name]) => {
      // What one role does must not stand in the way of the next.
      const { t: own } = await worldApp()
      // Landlords name the tenant, a tenant's request cannot; a tenant's files are papers.
      const more: Readonly<Record<string, object>> =
        letter === 'T'
          ? { 'POST /api/v1/media': { ownerType: 'USER', ownerId: w.userIds.tom } }
          : { 'POST /api/v1/bookings': { tenantId: w.tenants.LINKED } }
      return { role, letter, name, own, more }
    }),
  )
  // The real way from claims to caller, with a verifier that believes two words.
  const verifier = {
    cached: () => undefined,
    forget: () => {},
    verify: async (token: string) => {
      const { orgId: _org, ...claims } = claimsOf(token === 'NOORG' ? 'ADMIN+OWNER.oda' : 'OWNER.nul', t.clock.wall)
      return token === 'NOORG' ? claims : { ...claims, orgId: w.orgId, roles: [] }
    },
  }
  const app = createApp({ ...t.deps, access: createAccess(verifier, resolveCaller(t.deps)) })
  const knock = async (token: string, line: string, body: unknown) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      }),
    )
    return `${answer.status} ${((await answer.json()) as { code?: string }).code ?? ''}`
  }
  await knock('NOROLE', 'GET /api/v1/me', undefined)

  /** What each token is answered, and what is wanted. */
  async function asked({ line, status, code = '', mine, theirs, body }: Sample) {
    const open = TABLE[line] === 'public'
    const answers: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    for (const { role, letter, name, own, more } of columns) {
      const may = open || TABLE[line]?.includes(letter)
      const before = traces(own)
      const answer = await own.call(w.as[name], fill(line, theirs?.[name] ?? mine), body && { ...body, ...more[line] })
      const changed = !may && traces(own) !== before
      answers[role] = `${answer.status} ${answer.body?.code ?? ''}${changed ? ', and something was written' : ''}`
      wanted[role] = may ? `${status} ${code}` : '403 forbidden'
    }
    const before = traces(t)
    if (!open)
      for (const [token, code] of [
        ['NOROLE', 'forbidden'],
        ['NOORG', 'organization_required'],
      ] as const) {
        answers[token] = await knock(token, fill(line, mine), body)
        wanted[token] = `403 ${code}`
      }
    return { answers, wanted, left: traces(t) === before }
  }
  // Samples stand in the order of a life: what ends a thing comes after what uses it. So all are asked before any is judged.
  const all = samples(w)
  const told: Awaited<ReturnType<typeof asked>>[] = []
  beforeAll(async () => {
    for (const sample of all) told.push(await asked(sample))
  }, 120_000)

  test.each(all.map(({ line }, n) => [line, n] as const))('%s', (_line, n) => {
    expect(told[n]?.answers).toEqual(told[n]?.wanted)
    expect(told[n]?.left).toBe(true)
  })
})
