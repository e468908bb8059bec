import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { languageOf } from '../../../http/language.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { LeasePreview, LeaseTemplate, LeaseTemplatePut } from './model.ts'
import { LEASE_KINDS, type LeaseKind, PLACEHOLDERS } from './rules.ts'
import { checkClauses, clausesOf, previewLease, putClauses } from './templates.ts'

// The schema only documents the values. The handler checks them, so that another one is an unknown path (404) instead
// of a bad value (422).
const ByKind = Type.Object({
  kind: Type.String({ enum: LEASE_KINDS, description: 'The template: for homes, or for business premises.' }),
})
const kindOf = (word: string): LeaseKind => {
  const kind = LEASE_KINDS.find((k) => k === word)
  if (!kind) throw notFound()
  return kind
}
const toTemplate = ({ clauses, ...rest }: ReturnType<typeof clausesOf>): LeaseTemplate => ({
  ...rest,
  clauses: clauses.map((c) => ({ ...c })),
  placeholders: [...PLACEHOLDERS],
})

/** The clauses of an organization's leases. */
export const leaseTemplates = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/lease-templates', tags: ['Documents'] })
    .use(http)
    .get(
      '/:kind',
      ({ caller, params, one }) => one(clausesOf(deps.db, caller.orgId, kindOf(params.kind)), toTemplate),
      {
        access: LANDLORDS,
        params: ByKind,
        problems: ['not_found'],
        answers: { 200: LeaseTemplate },
        detail: {
          summary: 'Read the clauses of leases for homes or for business premises',
          operationId: 'getLeaseTemplate',
        },
      },
    )
    .put(
      '/:kind',
      ({ params, body, mutate }) => {
        const kind = kindOf(params.kind)
        return mutate({
          body,
          run: (ctx) => putClauses(ctx, kind, body.clauses),
          view: toTemplate,
          current: ({ tx, caller }) => clausesOf(tx, caller.orgId, kind),
        })
      },
      {
        access: ['MANAGER', 'ADMIN'],
        params: ByKind,
        body: LeaseTemplatePut,
        problems: ['not_found', 'quota_exceeded'],
        answers: { 200: LeaseTemplate },
        detail: {
          summary: 'Replace the clauses of a lease template',
          description: 'Creates a new version, which is used for leases that are not signed yet.',
          operationId: 'putLeaseTemplate',
        },
      },
    )
    .post(
      '/:kind/preview',
      async ({ caller, params, body, request, inTurn }) => {
        const kind = kindOf(params.kind)
        const proposed = body.clauses
        if (proposed) checkClauses(proposed)
        const stored = clausesOf(deps.db, caller.orgId, kind)
        const clauses = proposed ? { version: stored.version + 1, clauses: proposed } : stored
        const preview = previewLease(kind, body.locale ?? languageOf(request), clauses)
        const bytes = await inTurn(() => deps.pdf.render('lease', preview, null))
        return new Response(bytes, {
          headers: {
            'cache-control': 'no-store',
            'content-disposition': 'inline; filename="preview.pdf"',
            'content-type': 'application/pdf',
          },
        })
      },
      {
        access: LANDLORDS,
        params: ByKind,
        body: LeasePreview,
        problems: ['not_found', 'overloaded'],
        detail: {
          summary: 'Preview a lease template as PDF',
          description: 'Returns an invented lease with the given clauses, or with those in force.',
          operationId: 'previewLeaseTemplate',
          'x-idempotent': false,
          responses: {
            200: {
              description: 'The paper; marked as a preview on every page.',
              content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        } as object,
      },
    )
