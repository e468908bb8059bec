import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { asTenant } from '../../../context.ts'
import { inUrl } from '../../../core/html.ts'
import type { Deps } from '../../../deps.ts'
import { notFound, refused } from '../../../errors.ts'
import { isKnown } from '../../../http/etag.ts'
import { languageChosen, languageOf } from '../../../http/language.ts'
import { withNames } from '../../../http/mutation.ts'
import { filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, section } from '../../../http/routes.ts'
import { oneOf, page, someOf } from '../../../http/schema.ts'
import { assetResponse } from '../../../web/serve.ts'
import { enterPage, verifyPage } from '../../../web/verify.ts'
import { maskedName } from '../../people/tenants/store.ts'
import { DownloadLink, Inline } from '../media/model.ts'
import { Document, documentView, toDocument } from './model.ts'
import { hurry } from './queue.ts'
import { DOCUMENT_KINDS, DOCUMENT_STATUS, DOWNLOAD_SECONDS, readCode } from './rules.ts'
import { factsOf } from './service.ts'
import { findByCode, getDocument, leaseBehind, listDocuments } from './store.ts'

const Query = ListParameters({
  kind: Type.Optional(oneOf(DOCUMENT_KINDS, { description: 'Only those of this kind.' })),
  status: Type.Optional(someOf(DOCUMENT_STATUS)),
  tenantId: Of('leases of this tenant'),
  propertyId: Of('this property'),
  bookingId: Of('this lease'),
  invoiceId: Of('this invoice'),
})
const FILTERS = filtersOf(Query)

/** An owner who does not know the tenant reads the last digits of the number in place of the name. */
const view = withNames(toDocument, (db, caller, row) => {
  const { lease, ...names } = listDocuments.computed(db, caller, row)
  const { orgId, bookingId: id, ownerUserId } = row
  const masked = lease && maskedName(db, caller.scope, { ...lease, id, orgId, ownerUserId })
  return masked === undefined ? names : { ...names, tenantName: masked }
})

export const documents = (deps: Deps, http: Http) =>
  new Elysia(section('Documents', 'Leases, invoices, receipts and statements; generated, never uploaded.'))
    .use(http)
    .get(
      '/api/v1/documents',
      ({ many, query }) =>
        many({ name: 'documents', query, filters: FILTERS }, (q) => {
          const lease = leaseBehind(deps.db, q.orgId, q.values.bookingId ?? '')
          const scope = asTenant(q.scope, lease?.tenantUserId ?? undefined)
          const page = listDocuments(deps.db, { ...q, scope })
          if (q.values.invoiceId !== undefined || scope.kind === 'tenant') hurry(deps.db, q.orgId, page.rows)
          const rows = page.rows.map(({ lease: of, ...row }) => {
            const { bookingId: id, orgId } = row
            const name = of && maskedName(deps.db, scope, { ...of, id, orgId, ownerUserId: scope.userId })
            return documentView(name === undefined ? row : { ...row, tenantName: name })
          })
          return { ...page, rows }
        }),
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(Document) },
        detail: { summary: 'List leases, invoices, receipts and statements', operationId: 'listDocuments' },
      },
    )
    .get(
      '/api/v1/documents/:id',
      ({ caller, params, one }) => {
        const row = getDocument(deps.db, caller.orgId, caller.scope, params.id)
        if (row) hurry(deps.db, row.orgId, [row])
        return one(row, view)
      },
      {
        access: EVERYONE,
        answers: { 200: Document },
        detail: { summary: 'Read the metadata of a document', operationId: 'getDocument' },
      },
    )
    .get(
      '/api/v1/documents/:id/download-url',
      ({ caller, params, query, set }) => {
        const row = getDocument(deps.db, caller.orgId, caller.scope, params.id)
        const lease = row?.kind === 'LEASE_CONTRACT' && leaseBehind(deps.db, row.orgId, row.bookingId)
        if (!row || (lease && maskedName(deps.db, caller.scope, lease) !== undefined)) throw notFound()
        hurry(deps.db, row.orgId, [row])
        if (row.status !== 'READY') throw refused(row.status, [])
        set.headers['cache-control'] = 'no-store'
        const { url } = deps.links.sign('GET', '/media-files', row.id, DOWNLOAD_SECONDS, {
          of: 'document',
          ...(query.inline === 'true' && { disposition: 'inline' }),
        })
        return { url }
      },
      {
        access: EVERYONE,
        query: Type.Object({ inline: Inline }),
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: { summary: 'Get a short-lived link to the PDF', operationId: 'getDocumentDownloadUrl' },
      },
    )
    .get(
      '/verify',
      ({ request }) => {
        // Some people paste the whole address into the field.
        const code = (new URL(request.url).searchParams.get('code') ?? '').trim().split('/').at(-1) ?? ''
        if (code === '') return enterPage(languageChosen(request) ?? languageOf(request, 'fr'))
        return new Response(null, { status: 303, headers: { location: `/verify/${inUrl(code, 64)}` } })
      },
      { access: 'public', detail: { hide: true } },
    )
    .get(
      '/verify/:code',
      ({ params, query, request }) => {
        const { code } = params
        // The page's own stylesheet stands beside it.
        if (code.includes('.')) {
          const asset = assetResponse(`verify/${code}`, request, isKnown)
          if (asset) return asset
        }
        const known = readCode(code)
        const row = known === undefined ? undefined : findByCode(deps.db).get({ code: known })
        if (row) deps.store.checkRead(row.orgId)
        const { sha256 } = query as { sha256?: string }
        // Without Accept-Language, use the language of the paper.
        const read = request.headers.has('accept-language') ? languageOf(request) : (row?.locale ?? 'fr')
        const locale = languageChosen(request) ?? read
        return verifyPage({ locale, code, facts: row && factsOf(deps.db, row), sha256 })
      },
      {
        params: Type.Object({
          code: Type.String({ description: 'The code on the paper; dashes and blanks do not count.' }),
        }),
        access: 'public',
        detail: {
          summary: 'Show whether a paper is genuine and in force',
          operationId: 'verifyDocument',
          description: 'The page for anybody who holds a paper. Somebody who tries many codes is slowed down.',
          'x-parameters': [
            {
              name: 'lang',
              in: 'query',
              required: false,
              description:
                'The language of the page; if omitted, the one chosen before (a cookie), then that of Accept-Language, then that of the paper.',
              schema: { $ref: '#/components/schemas/Language' },
            },
            {
              name: 'sha256',
              in: 'query',
              required: false,
              description: 'The SHA-256 of a file in hex, to compare with that of the paper.',
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: page('What the paper says, and whether it stands.'),
            404: page('A page that says that no paper has this code.'),
          },
        } as object,
      },
    )
