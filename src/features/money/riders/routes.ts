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
          summary: 'Send the tenant a code to sign a PROPOSED rent change',
          description: 'The code goes to the number on file.',
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
          summary: 'Sign a PROPOSED rent change as the tenant',
          description: 'The change takes effect with the signature.',
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
          summary: 'Decline a PROPOSED rent change as the tenant',
          description:
            'The rent stays as it is. The landlord gets a message with the reason. The change is CANCELLED; another may be proposed.',
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
          summary: 'Store the scan of a rider signed on paper',
          description: 'The rent change takes effect.',
          operationId: 'attachSignedRider',
        },
      },
    )
}
