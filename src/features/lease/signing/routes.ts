import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { etagOf } from '../../../http/cache.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { PhoneChallenge } from '../../people/challenges/model.ts'
import { maskedName } from '../../people/tenants/store.ts'
import { findBooking, getBooking, partyBooking } from '../bookings/store.ts'
import { Signature, SignedCopy, toSignature, toSignedCopy } from '../contracts/model.ts'
import { listSignatures, signedCopyOf } from '../contracts/store.ts'
import { AttachCopy, Sign, SigningCode } from './model.ts'
import { attachSignedCopy, checkText, requestSigningCode, sign } from './service.ts'

/** Administrators are excluded: they do not sign for either party. */
const SIGNERS = ['TENANT', 'OWNER', 'MANAGER'] as const
/** Not replayed by Idempotency-Key: codes are never stored, and a code is single-use by itself. */
const ONCE = { 'x-idempotent': false } as object
const SIGNABLE = ['not_found', 'invalid_state', 'duplicate', 'contract_not_ready'] as const

export function signing(deps: Deps, http: Http) {
  const signer = (request: Request, caller: Caller) => ({
    caller,
    address: edgeOf(request).address,
    requestId: edgeOf(request).requestId,
    locale: languageOf(request, deps.config.locale),
  })
  return new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/signatures',
      async ({ caller, params, many, query, request }) => {
        await checkText(deps, caller, params.id, edgeOf(request).requestId)
        const lease = findBooking(deps.db, caller.orgId, params.id)
        const hidden = lease && maskedName(deps.db, caller.scope, lease) !== undefined
        return many('signatures', { ...query, bookingId: params.id }, ['bookingId', 'updatedSince'], (q) => {
          const page = listSignatures(deps.db, q)
          return hidden ? { ...page, rows: page.rows.filter(({ party }) => party !== 'TENANT') } : page
        })
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
        mutate(201, body, (ctx, id) => attachSignedCopy(ctx, id, body.mediaObjectId), toSignedCopy, rowOf(getBooking)),
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
