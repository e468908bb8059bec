import type { LongChange } from '../../../adapters/imports/port.ts'
import { type Ctx, systemCaller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { type LongWork, writeLong } from '../../../jobs/long.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { followAccount } from './service.ts'

/** @throws not_found */
function accountOf({ tx, caller }: Ctx, id: string): UserRow {
  const user = findUser(tx, caller.orgId, id)
  if (!user) throw notFound()
  return user
}
/** `followAccount` in the thread of long writes. @throws not_found */
export const accountLong = (work: LongWork, change: LongChange): Promise<UserRow> =>
  writeLong(work, change, accountOf, (ctx) => followAccount(ctx, accountOf(ctx, change.id)))

/** Links tenants to a new account, or unlinks a closed one, if that is too much for the write that caused it. */
export const tenantHandlers = (deps: Pick<Deps, 'write' | 'newId' | 'clock' | 'importThread'>): Handlers => ({
  'tenant.account': async ({ id: requestId, orgId, payload }) => {
    const change: LongChange = {
      ...{ kind: 'account', id: String(payload?.userId), given: {} },
      ...{ caller: systemCaller(orgId ?? ''), requestId, nowMs: deps.clock.now() },
      ...{ seen: undefined, epoch: '', keyed: undefined },
    }
    await (deps.importThread ? deps.importThread.change(change) : accountLong(deps, change))
  },
})
