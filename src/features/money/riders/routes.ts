import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { etagOf } from '../../../http/cache.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { RentChange, RentDecline, toRentChange } from '../../lease/rents/model.ts'
import { AttachCopy, Sign, SigningCode } from '../../lease/signing/model.ts'
import { PhoneChallenge } from '../../people/challenges/model.ts'
import { attachRider, declineRider, requestRiderCode, riderOf, signRider } from './service.ts'

/** Not replayed by Idempotency-Key: codes are never stored, and a code is single-use by itself. */
const ONCE = { 'x-idempotent': false } as object

/** The tenant's agreement to a change of the rent. */
export function riders(deps: Deps, http: Http) {
  const signer = (request: Request, caller: Caller) => ({
    caller,
    address: edgeOf(request).address,
    requestId: edgeOf(request).requestId,
    locale: languageOf(request, deps.config.locale),
  })
  return new Elysia({ prefix: '/api/v1/rent-changes', tags: ['Bookings'] })
    .use(http)
    .post(
      '/:id/otp',
      ({ caller, params, body, request }) =>
        requestRiderCode(deps, signer(request, caller), params.id, body.channel ?? undefined),
      {
        access: EVERYONE,
        body: SigningCode,
        problems: ['invalid_state', 'contract_not_ready', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: {
          summary: 'Send the tenant a code to the number on file, to sign a PROPOSED change with',
          operationId: 'rentChangeOtp',
          ...ONCE,
        },
      },
    )
    .post(
      '/:id/sign',
      async ({ caller, params, body, request, set }) => {
        const row = await signRider(deps, signer(request, caller), params.id, body)
        set.headers.etag = etagOf(deps.store.epoch, row.version)
        return toRentChange(row)
      },
      {
        access: EVERYONE,
        body: Sign,
        problems: ['invalid_state', 'contract_not_ready', 'challenge_gone', 'wrong_code', 'attempts_exhausted'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Sign a PROPOSED change as the tenant: it counts from then on',
          operationId: 'signRentChange',
          ...ONCE,
        },
      },
    )
    .post(
      '/:id/decline',
      ({ caller, params, body, mutate }) =>
        mutate(200, body, declineRider, toRentChange, () => riderOf(deps.db, caller, params.id)),
      {
        access: EVERYONE,
        body: RentDecline,
        problems: ['invalid_state'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Refuse a PROPOSED change as the tenant: the rent stays as it is',
          description: 'The landlord is told, with the reason. The change is CANCELLED; another may be proposed.',
          operationId: 'declineRentChange',
        },
      },
    )
    .post(
      '/:id/signed-copy',
      ({ caller, params, body, mutate }) =>
        mutate(
          200,
          body,
          (ctx, id) => attachRider(ctx, id, body.mediaObjectId),
          toRentChange,
          () => riderOf(deps.db, caller, params.id),
        ),
      {
        access: LANDLORDS,
        body: AttachCopy,
        problems: ['not_found', 'invalid_state'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Keep the scan of a rider that the tenant signed on paper: the change counts',
          operationId: 'attachSignedRider',
        },
      },
    )
}
