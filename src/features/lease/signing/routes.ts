import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { readBytes } from '../../../http/body.ts'
import { askingOf, ONCE } from '../../../http/codes.ts'
import { etagOf } from '../../../http/etag.ts'
import { languageOf, requestedLanguage } from '../../../http/language.ts'
import { rowOf } from '../../../http/mutation.ts'
import { ListParameters } from '../../../http/paging.ts'
import { edgeOf } from '../../../http/request.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { FullName } from '../../../http/schema.ts'
import { closedPage, cosignedPage, cosignPage, type Step } from '../../../web/cosign.ts'
import { PhoneChallenge } from '../../people/codes/model.ts'
import { maskedName } from '../../people/tenants/store.ts'
import {
  LeaseParties,
  LeasePartiesPut,
  Signature,
  SignedCopy,
  toParties,
  toSignature,
  toSignedCopy,
} from '../contracts/model.ts'
import { listSignatures, signedCopyOf } from '../contracts/store.ts'
import { findBooking, getBooking, partyBooking } from '../leases/store.ts'
import { codeForParty, leasePaper, openInvitation, partiesOn, putParties, signByLink } from './cosigning.ts'
import { AttachCopy, Sign, SigningCode } from './model.ts'
import { attachSignedCopy, checkText, requestSigningCode, sign } from './service.ts'

/** Administrators are excluded: they do not sign for either party. */
const SIGNERS = ['TENANT', 'OWNER', 'MANAGER'] as const
const SIGNABLE = ['not_found', 'invalid_state', 'duplicate', 'contract_not_ready'] as const

export function signing(deps: Deps, http: Http) {
  const signer = askingOf(deps)
  return new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/signatures',
      async ({ caller, params, many, query, request }) => {
        await checkText(deps, caller, params.id, edgeOf(request).requestId)
        const lease = findBooking(deps.db, caller.orgId, params.id)
        const hidden = lease && maskedName(deps.db, caller.scope, lease) !== undefined
        return many(
          { name: 'signatures', query: { ...query, bookingId: params.id }, filters: ['bookingId', 'updatedSince'] },
          (q) => {
            const page = listSignatures(deps.db, q)
            return hidden ? { ...page, rows: page.rows.filter(({ party }) => party !== 'TENANT') } : page
          },
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({}),
        answers: { 200: Type.Array(Signature) },
        detail: {
          summary: 'List the signatures of a lease',
          description: 'Returns who signed and when, and the signatures that no longer count.',
          operationId: 'listSignatures',
        },
      },
    )
    .post(
      '/:id/signatures/otp',
      ({ caller, params, body, request }) =>
        requestSigningCode(deps, signer(request, caller), params.id, body.channel ?? undefined),
      {
        access: SIGNERS,
        body: SigningCode,
        problems: [...SIGNABLE, 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: {
          summary: 'Send a code to the number on file, to sign a PENDING lease',
          operationId: 'signingOtp',
          ...ONCE,
        },
      },
    )
    .post(
      '/:id/signatures',
      async ({ caller, params, body, request, set }) => {
        const row = await sign(deps, signer(request, caller), params.id, body)
        set.status = 201
        set.headers.etag = etagOf(deps.store.epoch, row.version)
        return toSignature(row)
      },
      {
        access: SIGNERS,
        body: Sign,
        problems: [...SIGNABLE, 'challenge_gone', 'wrong_code', 'attempts_exhausted'],
        creates: ['/api/v1/bookings/:id/signatures'],
        answers: { 201: Signature },
        detail: {
          summary: 'Sign a PENDING lease',
          description: 'The lease becomes ACTIVE with the last signature.',
          operationId: 'signLease',
          ...ONCE,
        },
      },
    )
    .get(
      '/:id/signed-copy',
      ({ caller, params, one }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return one(signedCopyOf(deps.db, caller.orgId, params.id), toSignedCopy)
      },
      {
        access: EVERYONE,
        answers: { 200: SignedCopy },
        detail: { summary: 'Read the scan of a lease signed on paper', operationId: 'getSignedCopy' },
      },
    )
    .post(
      '/:id/signed-copy',
      ({ body, mutate }) =>
        mutate({
          status: 201,
          body,
          run: (ctx, id) => attachSignedCopy(ctx, id, body.mediaObjectId),
          view: toSignedCopy,
          current: rowOf(getBooking),
        }),
      {
        access: LANDLORDS,
        body: AttachCopy,
        problems: ['not_found', 'invalid_state', 'duplicate'],
        creates: ['/api/v1/bookings/:id/signed-copy'],
        answers: { 201: SignedCopy },
        detail: {
          summary: 'Store the scan of a lease signed on paper',
          description: 'A PENDING lease becomes ACTIVE.',
          operationId: 'attachSignedCopy',
        },
      },
    )
}

const PAGE = { parse: 'none', detail: { hide: true, 'x-roles': 'public' } as object } as const
const FORM_BYTES = 4096

/** The faults of a code or a signature that the page shows as a step; any other fault is an error. */
const OUTCOMES: Partial<Record<AppError['code'], Step['outcome']>> = {
  wrong_code: 'wrong',
  challenge_gone: 'gone',
  attempts_exhausted: 'gone',
  contract_not_ready: 'changed',
  too_many_requests: 'notSent',
  delivery_unavailable: 'notSent',
}
const outcomeOf = (e: unknown): NonNullable<Step['outcome']> => {
  const outcome = e instanceof AppError ? OUTCOMES[e.code] : undefined
  if (outcome === undefined) throw e
  return outcome
}

/** Pages behind the link that a co-tenant or guarantor receives. Opening one changes nothing. */
export function cosigning(deps: Deps, http: Http) {
  const asking = (request: Request) => {
    const { address, requestId } = edgeOf(request)
    return { address, requestId, locale: requestedLanguage(request) ?? languageOf(request, deps.config.locale) }
  }
  /** The page of a link as things stand. */
  function show(request: Request, token: string, step?: Step): Response {
    const invitation = openInvitation(deps, deps.db, token)
    const { locale } = asking(request)
    if (!('party' in invitation)) return closedPage({ locale, token }, invitation.state)
    const { party, lease } = invitation
    const hasPaper = leasePaper(deps, lease) !== undefined
    if (invitation.state === 'signed') return cosignedPage({ locale, token }, hasPaper)
    const { tenantName, unitLabel, propertyName } = lease
    return cosignPage({ locale, token }, { ...party, tenantName, unitLabel, propertyName }, hasPaper, step)
  }
  return new Elysia({ prefix: '/s' })
    .use(http)
    .get('/:token', ({ params: { token }, request }) => show(request, token), PAGE)
    .get(
      '/:token/lease.pdf',
      ({ params: { token }, request }) => {
        const invitation = openInvitation(deps, deps.db, token)
        const location = 'lease' in invitation ? leasePaper(deps, invitation.lease) : undefined
        if (location === undefined) return show(request, token)
        const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
        return new Response(null, { status: 303, headers })
      },
      PAGE,
    )
    .post(
      '/:token/code',
      async ({ params: { token }, request }) => {
        if (openInvitation(deps, deps.db, token).state !== 'open') return show(request, token)
        try {
          const { challengeId } = await codeForParty(deps, token, asking(request))
          return show(request, token, { challengeId, outcome: 'sent' })
        } catch (e) {
          return show(request, token, { outcome: outcomeOf(e) })
        }
      },
      PAGE,
    )
    .post(
      '/:token/sign',
      async ({ params: { token }, request }) => {
        if (openInvitation(deps, deps.db, token).state !== 'open') return show(request, token)
        const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, FORM_BYTES)))
        const field = (name: string) => (form.get(name) ?? '').slice(0, 1024).normalize('NFC').trim()
        const challengeId = field('challengeId')
        const code = field('code').replaceAll(/\s/g, '')
        const fullName = field('fullName')
        if (!Value.Check(FullName, fullName) || !/^\d{6}$/.test(code))
          return show(request, token, { challengeId, fullName, outcome: 'missing' })
        try {
          await signByLink(deps, token, { challengeId, code, fullName }, asking(request))
          return show(request, token)
        } catch (e) {
          return show(request, token, { challengeId, fullName, outcome: outcomeOf(e) })
        }
      },
      PAGE,
    )
}

/** Who agrees to a lease beside landlord and tenant. */
export const parties = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/parties',
      ({ caller, params, one }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return one(partiesOn(deps.db, caller.orgId, params.id), toParties)
      },
      {
        access: EVERYONE,
        answers: { 200: LeaseParties },
        detail: { summary: 'List the co-tenants and guarantors of a lease', operationId: 'getLeaseParties' },
      },
    )
    .put(
      '/:id/parties',
      ({ body, mutate }) =>
        mutate({
          body,
          run: putParties,
          view: toParties,
          current: ({ tx, caller: { orgId, scope } }, id) =>
            getBooking(tx, orgId, scope, id) && partiesOn(tx, orgId, id),
        }),
      {
        access: LANDLORDS,
        body: LeasePartiesPut,
        problems: ['invalid_state'],
        answers: { 200: LeaseParties },
        detail: {
          summary: 'Replace the co-tenants and guarantors of a DRAFT or PENDING lease',
          description:
            'They sign the lease together with the tenant. Once the lease is out for signing, each of them gets a link to read it and to sign it with a code sent to their number. The lease becomes ACTIVE when all have signed. A change creates a new text, and earlier signatures no longer count. A renewal takes over the co-tenants and guarantors.',
          operationId: 'putLeaseParties',
        },
      },
    )
