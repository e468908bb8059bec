import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Ctx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import type { Rule } from '../../../http/auth.ts'
import { withNames } from '../../../http/mutation.ts'
import { ListParameters, Of } from '../../../http/paging.ts'
import { ADMINS, EVERYONE, type Http, OF_WHOLE, section } from '../../../http/routes.ts'
import { Body, oneOf, someOf } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import { Attach, ProofCreate, Review, toVerification, Verification, withDocuments } from './model.ts'
import { datesRule, type ReviewAction, VERIFICATION_KINDS, VERIFICATION_STATUS } from './rules.ts'
import { attachDocument, createKyc, createProof, reviewCase, seeCase, submitCase } from './service.ts'
import { documentsOf, listCases } from './store.ts'

const status = Type.Optional(someOf(VERIFICATION_STATUS))
const ATTACHED = ['not_found', 'invalid_state', 'duplicate'] as const
const REVIEWS: readonly { action: ReviewAction; operationId: string; summary: string }[] = [
  { action: 'start-review', operationId: 'startReview', summary: 'Start the review of a submitted case' },
  { action: 'approve', operationId: 'approveVerification', summary: 'Approve a case under review' },
  { action: 'reject', operationId: 'rejectVerification', summary: 'Reject a case under review, with a note' },
  { action: 'request-info', operationId: 'requestMoreInfo', summary: 'Ask the user for more information, with a note' },
  { action: 'revoke', operationId: 'revokeVerification', summary: 'Revoke an approval, with a note' },
]

type Said = readonly [summary: string, operationId: string]
type Door = {
  readonly door: Parameters<typeof seeCase>[2]
  readonly path: string
  readonly access: Rule
  readonly read: Said
  readonly attach?: Said
  readonly submit?: Said
}
/** The same case has another address for its subject, for the landlord of a property and for reviewers. */
const DOORS: readonly Door[] = [
  {
    door: 'kyc',
    path: '/verification/kyc',
    access: EVERYONE,
    read: ["Read a check of the caller's identity", 'getKyc'],
    attach: ["Attach a paper to a check of the caller's identity", 'attachKycDocument'],
    submit: ["Submit a check of the caller's identity", 'submitKyc'],
  },
  {
    door: 'proof',
    path: '/verification/property-proofs',
    access: OF_WHOLE,
    read: ['Read a proof of ownership', 'getPropertyProof'],
    attach: ['Attach a paper to a proof of ownership', 'attachProofDocument'],
    submit: ['Submit a proof of ownership', 'submitPropertyProof'],
  },
  { door: 'admin', path: '/admin/verification', access: ADMINS, read: ['Read a case', 'getVerification'] },
]

/** The case that If-Match is about, read in the write itself. */
const caseOf =
  (door: Door['door']) =>
  ({ tx, caller }: Ctx, id: string) =>
    seeCase(tx, caller, door, id)

const view = withNames(toVerification, listCases.computed)

export function verification(deps: Deps, http: Http) {
  const listed = (q: Parameters<typeof listCases>[1]) => {
    const page = listCases(deps.db, q)
    return { ...page, rows: page.rows.map((row) => withDocuments(row, documentsOf(deps.db, q.orgId, row.id))) }
  }

  const routes = new Elysia({
    prefix: '/api/v1',
    ...section('Verification', 'Checks of identity and proofs of ownership.'),
  })
    .use(http)
    .post('/verification/kyc', ({ body, mutate }) => mutate({ status: 201, body, run: createKyc, view }), {
      access: EVERYONE,
      body: Body({}),
      problems: ['duplicate'],
      creates: ['/api/v1/verification/kyc/{id}'],
      answers: { 201: Verification },
      detail: { summary: "Create a check of the caller's identity (DRAFT)", operationId: 'createKyc' },
    })
    .get(
      '/verification/kyc/mine',
      ({ caller, query, many }) =>
        many(
          {
            name: 'kyc',
            query: { ...query, kind: 'OWNER_KYC', subjectUserId: caller.userId },
            filters: ['kind', 'subjectUserId', 'status', 'updatedSince'] as const,
          },
          (q) => listed({ ...q, scope: { ...caller.scope, kind: 'all' } }),
          { seenAs: 'mine' },
        ),
      {
        access: EVERYONE,
        query: ListParameters({ status }),
        answers: { 200: Type.Array(Verification) },
        detail: { summary: "List the checks of the caller's identity", operationId: 'listMyKyc' },
      },
    )
    .post(
      '/verification/property-proofs',
      ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createProof(ctx, body.propertyId), view }),
      {
        access: OF_WHOLE,
        body: ProofCreate,
        problems: ['not_found', 'duplicate'],
        creates: ['/api/v1/verification/property-proofs/{id}'],
        answers: { 201: Verification },
        detail: { summary: 'Create a proof of ownership (DRAFT)', operationId: 'createPropertyProof' },
      },
    )
    .get(
      '/verification/property-proofs',
      ({ query, many }) =>
        many(
          {
            name: 'proofs',
            query: { ...query, kind: 'PROPERTY_PROOF' },
            filters: ['kind', 'status', 'propertyId', 'updatedSince'] as const,
          },
          listed,
        ),
      {
        access: OF_WHOLE,
        query: ListParameters({ status, propertyId: Of('this property') }),
        answers: { 200: Type.Array(Verification) },
        detail: { summary: 'List proofs of ownership', operationId: 'listPropertyProofs' },
      },
    )
    .get(
      '/admin/verification',
      ({ query, many }) =>
        many({ name: 'verification', query, filters: ['status', 'kind', 'assignedTo', 'updatedSince'] }, listed),
      {
        access: ADMINS,
        query: ListParameters({
          status,
          kind: Type.Optional(oneOf(VERIFICATION_KINDS, { description: 'Only those of this kind.' })),
          assignedTo: Of('this reviewer'),
        }),
        answers: { 200: Type.Array(Verification) },
        detail: { summary: 'List the cases for review', operationId: 'listVerifications' },
      },
    )
  for (const { door, path, access, read, attach, submit } of DOORS) {
    routes.get(`${path}/:id`, ({ caller, params, one }) => one(seeCase(deps.db, caller, door, params.id), view), {
      access,
      answers: { 200: Verification },
      detail: { summary: read[0], operationId: read[1] },
    })
    if (attach)
      routes.post(
        `${path}/:id/documents`,
        ({ body, mutate }) =>
          mutate({ body, run: (ctx, id) => attachDocument(ctx, door, id, body), view, current: caseOf(door) }),
        {
          access,
          body: Attach,
          rules: onToday(deps, datesRule),
          problems: ATTACHED,
          answers: { 200: Verification },
          detail: { summary: attach[0], operationId: attach[1] },
        },
      )
    if (submit)
      routes.post(
        `${path}/:id/submit`,
        ({ body, mutate }) =>
          mutate({ body, run: (ctx, id) => submitCase(ctx, door, id), view, current: caseOf(door) }),
        {
          access,
          body: Body({}),
          problems: ['invalid_state', 'documents_missing'],
          answers: { 200: Verification },
          detail: { summary: submit[0], operationId: submit[1] },
        },
      )
  }
  for (const { action, operationId, summary } of REVIEWS)
    routes.post(
      `/admin/verification/:id/${action}`,
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => reviewCase(ctx, id, action, body.note),
          view,
          current: caseOf('admin'),
        }),
      {
        access: ADMINS,
        body: Review,
        problems: ['invalid_state', 'self_review'],
        answers: { 200: Verification },
        detail: { summary, operationId },
      },
    )
  return routes
}
