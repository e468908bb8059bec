import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { etagOf } from '../../../http/cache.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import { type Http, LANDLORDS, rowOf, withNames } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { Channel, PhoneChallenge } from '../../people/challenges/model.ts'
import { Inspection, InspectionSign, toInspection } from '../inspections/model.ts'
import { getInspection, type InspectionRow, listInspections } from '../inspections/store.ts'
import { AttachCopy } from '../signing/model.ts'
import {
  asSeen,
  attachInspectionScan,
  proposeInspection,
  requestInspectionCode,
  reviseInspection,
  signInspection,
} from './service.ts'

/** Administrators are excluded: they do not sign for either party. */
const SIGNERS = ['TENANT', 'OWNER', 'MANAGER'] as const
/** Not replayed by Idempotency-Key: codes are never stored, and a code is single-use by itself. */
const ONCE = { 'x-idempotent': false } as object
const SIGNABLE = ['not_found', 'invalid_state', 'duplicate', 'contract_not_ready'] as const

export function inspectionSigning(deps: Deps, http: Http) {
  const signer = (request: Request, caller: Caller) => ({
    caller,
    address: edgeOf(request).address,
    requestId: edgeOf(request).requestId,
    locale: languageOf(request, deps.config.locale),
  })
  const view = withNames((row: InspectionRow) => toInspection(asSeen(deps.db, row)), listInspections.beside)
  return new Elysia({ prefix: '/api/v1/inspections', tags: ['Inspections'] })
    .use(http)
    .post('/:id/propose', ({ body, mutate }) => mutate(200, body, proposeInspection, view, rowOf(getInspection)), {
      access: LANDLORDS,
      body: Body({}),
      problems: ['invalid_state', 'quota_exceeded'],
      answers: { 200: Inspection },
      detail: { summary: 'Send a DRAFT inspection out for both parties to sign', operationId: 'proposeInspection' },
    })
    .post('/:id/revise', ({ body, mutate }) => mutate(200, body, reviseInspection, view, rowOf(getInspection)), {
      access: LANDLORDS,
      body: Body({}),
      problems: ['invalid_state'],
      answers: { 200: Inspection },
      detail: {
        summary: 'Take a PROPOSED inspection back to change it',
        description: 'Its signatures no longer count.',
        operationId: 'reviseInspection',
      },
    })
    .post(
      '/:id/signed-copy',
      ({ body, mutate }) =>
        mutate(200, body, (ctx, id) => attachInspectionScan(ctx, id, body.mediaObjectId), view, rowOf(getInspection)),
      {
        access: LANDLORDS,
        body: AttachCopy,
        problems: ['not_found', 'invalid_state'],
        answers: { 200: Inspection },
        detail: {
          summary: 'Store the scan of an inspection signed on paper',
          description: 'A PROPOSED inspection becomes SIGNED.',
          operationId: 'attachInspectionScan',
        },
      },
    )
    .post(
      '/:id/signatures/otp',
      ({ caller, params, body, request }) =>
        requestInspectionCode(deps, signer(request, caller), params.id, body.channel ?? undefined),
      {
        access: SIGNERS,
        body: Body({ channel: Channel }),
        problems: [...SIGNABLE, 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: {
          summary: 'Send a code to the number on file, to sign a PROPOSED inspection',
          operationId: 'inspectionSigningOtp',
          ...ONCE,
        },
      },
    )
    .post(
      '/:id/signatures',
      async ({ caller, params, body, request, set }) => {
        const row = await signInspection(deps, signer(request, caller), params.id, body)
        set.headers.etag = etagOf(deps.store.epoch, row.version, listInspections.beside(deps.db, caller, row))
        return view(row)
      },
      {
        access: SIGNERS,
        body: InspectionSign,
        problems: [...SIGNABLE, 'challenge_gone', 'wrong_code', 'attempts_exhausted'],
        answers: { 200: Inspection },
        detail: {
          summary: 'Sign a PROPOSED inspection',
          description: 'With the signatures of both parties it becomes SIGNED.',
          operationId: 'signInspection',
          ...ONCE,
        },
      },
    )
}
