import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { asTenant } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { askingOf, ONCE } from '../../../http/codes.ts'
import { etagOf } from '../../../http/etag.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Body, oneOf, someOf, Uuid } from '../../../http/schema.ts'
import { LINK_STEP, LISTED_SECONDS } from '../../papers/media/rules.ts'
import { Channel, PhoneChallenge } from '../../people/codes/model.ts'
import { onToday } from '../../people/organizations/store.ts'
import { partyBooking } from '../leases/store.ts'
import { AttachCopy } from '../signing/model.ts'
import {
  Inspection,
  InspectionCreate,
  InspectionHead,
  InspectionPatch,
  InspectionPhoto,
  InspectionPhotoAdd,
  InspectionSign,
  ProposedDeductions,
  toInspection,
  toPhoto,
} from './model.ts'
import { dayRule, INSPECTION_KINDS, INSPECTION_STATUS, MOST_PHOTOS } from './rules.ts'
import {
  addInspectionPhoto,
  createInspection,
  proposedDeductions,
  removeInspectionPhoto,
  updateInspection,
  whole,
} from './service.ts'
import {
  asSeen,
  attachInspectionScan,
  proposeInspection,
  requestInspectionCode,
  reviseInspection,
  signInspection,
} from './signing.ts'
import { getInspection, type InspectionRow, listInspections, photosOfInspection } from './store.ts'

const Query = ListParameters({
  status: Type.Optional(someOf(INSPECTION_STATUS)),
  kind: Type.Optional(oneOf(INSPECTION_KINDS, { description: 'Only those of this kind.' })),
  bookingId: Of('this lease'),
  propertyId: Of('this property'),
  tenantUserId: Of("this user's leases"),
})
const FILTERS = filtersOf(Query)
const THUMBNAIL = '320'

export function inspections(deps: Deps, http: Http) {
  const view = withNames((row: InspectionRow) => toInspection(whole(deps.db, row)), listInspections.computed)
  return new Elysia(
    section(
      'Inspections',
      'The state of a unit at the beginning and the end of a lease (état des lieux), room by room with photos: DRAFT, PROPOSED, then SIGNED by both parties with a code. The paper of the end compares both, and lists the proposed deductions from the deposit.',
    ),
  )
    .use(http)
    .post(
      '/api/v1/inspections',
      ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createInspection(ctx, body), view }),
      {
        access: LANDLORDS,
        body: InspectionCreate,
        rules: onToday(deps, dayRule),
        problems: ['not_found', 'invalid_state', 'duplicate'],
        creates: ['/api/v1/inspections/{id}'],
        answers: { 201: Inspection },
        detail: {
          summary: 'Create an inspection for the beginning or end of a lease',
          description:
            'An ENTRY starts with the usual rooms of such a unit. An EXIT starts with the rooms of the ENTRY, to be checked again. A lease has at most one of each kind.',
          operationId: 'createInspection',
        },
      },
    )
    .get(
      '/api/v1/inspections',
      ({ many, query }) =>
        many({ name: 'inspections', query, filters: FILTERS }, (q) =>
          listInspections(deps.db, { ...q, scope: asTenant(q.scope, q.values.tenantUserId) }),
        ),
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(InspectionHead) },
        detail: {
          summary: 'List inspections',
          description: 'A tenant sees the inspections of their own leases that are out for signing or signed.',
          operationId: 'listInspections',
        },
      },
    )
    .get(
      '/api/v1/inspections/:id',
      ({ caller, params, one }) => one(getInspection(deps.db, caller.orgId, caller.scope, params.id), view),
      {
        access: EVERYONE,
        answers: { 200: Inspection },
        detail: { summary: 'Read an inspection with its rooms', operationId: 'getInspection' },
      },
    )
    .patch(
      '/api/v1/inspections/:id',
      ({ body, mutate }) => mutate({ body, run: updateInspection, view, current: rowOf(getInspection) }),
      {
        access: LANDLORDS,
        body: InspectionPatch,
        rules: onToday(deps, dayRule),
        problems: ['invalid_state'],
        answers: { 200: Inspection },
        detail: {
          summary: 'Change a DRAFT inspection (JSON merge patch)',
          description: 'The rooms in the request replace all rooms.',
          operationId: 'updateInspection',
        },
      },
    )
    .get(
      '/api/v1/inspections/:id/photos',
      ({ caller, params, set }) => {
        if (!getInspection(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        set.headers['cache-control'] = 'no-store'
        const all = photosOfInspection(deps.db, caller.orgId, params.id)
        // The scan of the signed paper is no photo of the premises.
        return all
          .filter(({ place }) => place !== params.id)
          .map((row) => ({
            ...toPhoto(row),
            url: deps.links.sign(
              'GET',
              '/media-files',
              row.mediaObjectId,
              LISTED_SECONDS,
              { size: THUMBNAIL },
              LINK_STEP,
            ).url,
          }))
      },
      {
        access: EVERYONE,
        answers: { 200: Type.Array(InspectionPhoto) },
        detail: {
          summary: 'List the photos of an inspection with links to thumbnails',
          description: `At most ${MOST_PHOTOS}, and the copy signed on paper.`,
          operationId: 'listInspectionPhotos',
        },
      },
    )
    .post(
      '/api/v1/inspections/:id/photos',
      ({ body, mutate }) =>
        mutate({
          status: 201,
          body,
          run: addInspectionPhoto,
          view: ({ version: _v, ...row }) => toPhoto(row),
          current: rowOf(getInspection),
        }),
      {
        access: LANDLORDS,
        body: InspectionPhotoAdd,
        problems: ['not_found', 'invalid_state', 'duplicate', 'too_many_photos'],
        creates: ['/api/v1/inspections/:id/photos'],
        answers: { 201: InspectionPhoto },
        detail: {
          summary: 'Add a photo of a room or an item to a DRAFT inspection',
          operationId: 'addInspectionPhoto',
        },
      },
    )
    .delete(
      '/api/v1/inspections/:id/photos/:photo',
      async ({ params, perform }) => {
        await perform({ status: 204, run: (ctx, id) => removeInspectionPhoto(ctx, id, params.photo) })
        return new Response(null, { status: 204 })
      },
      {
        access: LANDLORDS,
        params: Type.Object({ id: Uuid, photo: { ...Uuid, description: 'The id of the photo.' } }),
        problems: ['invalid_state'],
        answers: { 204: Type.Null() },
        detail: { summary: 'Remove a photo from a DRAFT inspection', operationId: 'removeInspectionPhoto' },
      },
    )
    .get(
      '/api/v1/bookings/:id/proposed-deductions',
      ({ caller, params, set }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        set.headers['cache-control'] = 'no-store'
        return proposedDeductions(deps.db, caller, params.id)
      },
      {
        access: EVERYONE,
        answers: { 200: ProposedDeductions },
        detail: {
          summary: 'Read the deductions that the EXIT inspection proposes',
          operationId: 'getProposedDeductions',
        },
      },
    )
}

/** Administrators are excluded: they do not sign for either party. */
const SIGNERS = ['TENANT', 'OWNER', 'MANAGER'] as const
const SIGNABLE = ['not_found', 'invalid_state', 'duplicate', 'contract_not_ready'] as const

export function inspectionSigning(deps: Deps, http: Http) {
  const signer = askingOf(deps)
  const view = withNames((row: InspectionRow) => toInspection(asSeen(deps.db, row)), listInspections.computed)
  return new Elysia({ prefix: '/api/v1/inspections', tags: ['Inspections'] })
    .use(http)
    .post(
      '/:id/propose',
      ({ body, mutate }) => mutate({ body, run: proposeInspection, view, current: rowOf(getInspection) }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state', 'quota_exceeded'],
        answers: { 200: Inspection },
        detail: { summary: 'Send a DRAFT inspection out for both parties to sign', operationId: 'proposeInspection' },
      },
    )
    .post(
      '/:id/revise',
      ({ body, mutate }) => mutate({ body, run: reviseInspection, view, current: rowOf(getInspection) }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: Inspection },
        detail: {
          summary: 'Take a PROPOSED inspection back to change it',
          description: 'Its signatures no longer count.',
          operationId: 'reviseInspection',
        },
      },
    )
    .post(
      '/:id/signed-copy',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => attachInspectionScan(ctx, id, body.mediaObjectId),
          view,
          current: rowOf(getInspection),
        }),
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
        body: Body({
          channel: Channel,
        }),
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
        set.headers.etag = etagOf(deps.store.epoch, row.version, listInspections.computed(deps.db, caller, row))
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
