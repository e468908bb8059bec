import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { hasSamples, removeFiles, removeSamples } from './service.ts'

const SampleData = Type.Object(
  { present: Type.Boolean({ description: 'Whether the sample data of the first run still exists.' }) },
  { $id: 'SampleData' },
)

export const sampleData = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/sample-data', tags: ['Organization'] })
    .use(http)
    .get('', ({ caller }) => ({ present: hasSamples(deps, caller.orgId) }), {
      access: ADMINS,
      answers: { 200: SampleData },
      detail: { summary: 'Check whether there is sample data', operationId: 'sampleData' },
    })
    .delete(
      '',
      async ({ perform }) => {
        await removeFiles(deps, await perform(204, undefined, removeSamples))
        return new Response(null, { status: 204 })
      },
      {
        access: ADMINS,
        problems: ['not_found', 'sample_data_in_use'],
        answers: { 204: Type.Null() },
        detail: {
          summary: 'Remove the sample data of the first run',
          operationId: 'removeSampleData',
          description:
            'Deletes the sample building and tenants with everything that belongs to them: units, leases, invoices, payments, notices, papers and photos, including what people added. Refused with 409 `sample_data_in_use` while a lease connects sample data with other data: a tenant of yours in a sample unit, or a sample tenant in a unit of yours. Numbers of deleted invoices and papers are not used again; the audit trail keeps a record.',
        },
      },
    )
