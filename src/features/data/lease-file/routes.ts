import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { archiveName, leaseFiles, recordFile } from './service.ts'

/** The file of a lease that a landlord gives to a bailiff. */
export const leaseFile = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Reminders'] }).use(http).get(
    '/:id/file',
    async ({ caller, perform }) => {
      const now = new Date(deps.clock.now())
      const lease = await perform(200, undefined, recordFile)
      return new Response(deps.zip(leaseFiles(deps, caller, lease), now), {
        headers: {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${archiveName(lease, now.toISOString().slice(0, 10))}"`,
          'cache-control': 'no-store',
        },
      })
    },
    {
      access: LANDLORDS,
      detail: {
        summary: 'Get the file of a lease for a bailiff, as a ZIP',
        description:
          'Contains leases, invoices, receipts, statements and letters as PDF; the ledger with its running balance and the notices as CSV; proofs of payment; and a list of all files with their SHA-256 digests. It is in the language of the lease. The audit trail records each request.',
        operationId: 'getLeaseFile',
        responses: {
          200: {
            description: 'The archive, while it is made.',
            content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      } as object,
    },
  )
