import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { languageOf } from '../../../http/language.ts'
import { edgeOf } from '../../../http/request.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { Closing } from './model.ts'
import { closeAccount, personalFiles, recordExport } from './service.ts'

/** An export whose reader vanished counts as running no longer than this. */
const ABANDONED_MS = 600_000

/** A person's own data: a copy to download, and the end of their account. */
export function personalData(deps: Deps, http: Http) {
  const running = new Map<string, number>()

  /** One export at a time for each person, because it reads a lot. */
  async function* once<T>(userId: string, files: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* files
    } finally {
      running.delete(userId)
    }
  }

  return new Elysia({ prefix: '/api/v1/account', tags: ['Account'] })
    .use(http)
    .get(
      '/export',
      async ({ caller, perform }) => {
        const now = deps.clock.wall()
        if ((running.get(caller.userId) ?? 0) > now - ABANDONED_MS)
          throw new AppError('too_many_requests', undefined, { retryAfter: 60 })
        running.set(caller.userId, now)
        await perform({ run: recordExport }).catch((e: unknown) => {
          running.delete(caller.userId)
          throw e
        })
        const archive = deps.zip(once(caller.userId, personalFiles(deps, caller)), new Date(now))
        return new Response(archive, {
          headers: {
            'content-type': 'application/zip',
            'content-disposition': `attachment; filename="loyer-${new Date(now).toISOString().slice(0, 10)}.zip"`,
            'cache-control': 'no-store',
          },
        })
      },
      {
        access: { roles: EVERYONE, stepUp: true },
        problems: ['too_many_requests'],
        detail: {
          summary: "Export the caller's personal data as a ZIP",
          description:
            'Contains the profile, consents, sessions, tenant record, leases, invoices, payments, properties, verifications, uploads with their files, stored messages, and the audit trail by and about the caller, as JSON lists and files. One at a time.',
          operationId: 'exportAccount',
          responses: {
            200: {
              description: 'The archive, while it is made.',
              content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        } as object,
      },
    )
    .delete(
      '',
      async ({ body, caller, request }) => {
        const { address, requestId } = edgeOf(request)
        await closeAccount(deps, { caller, address, requestId, locale: languageOf(request) }, body)
        return new Response(null, { status: 204 })
      },
      {
        access: { roles: EVERYONE, stepUp: true, readsBody: true },
        body: Closing,
        problems: ['last_admin', 'properties_owned', 'demo_account', 'identity_unavailable'],
        answers: { 204: Type.Null() },
        detail: {
          summary: "Close the caller's account and erase personal data",
          description:
            "Requires the password if Loyer is its own identity provider. All sessions end at once, and the number can be used again. Erased are the name, number, e-mail, identity papers, own uploads and undecided verifications, as well as codes on their way and answers stored for Idempotency-Keys; those stored for others no longer name the person. What the law requires is kept for ten years: leases that were drawn up and their tenant's details; invoices, receipts and payments with the names on them; which terms were accepted; and the audit trail, which names nobody. A running lease goes on without an account; a person who registers with the same number finds it again. Refused with 409 for the last ADMIN and for owners of properties that are not archived.",
          operationId: 'closeAccount',
        },
      },
    )
}
