import type { Tx } from '../../../../db/open.ts'
import type { FactorChange, FactorNews } from '../../../adapters/identity/port.ts'
import { record } from '../../../changes/record.ts'
import { type Caller, type Ctx, scopeOf, systemCtx } from '../../../context.ts'
import { normalizePhone } from '../../../core/phone.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { enqueueMessage } from '../messages/service.ts'
import { accountsOf } from '../users/service.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { FACTOR_NEWS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>

const ACTIONS = {
  ADDED: 'user.second_factor_add',
  REMOVED: 'user.second_factor_remove',
  CODE_USED: 'user.recovery_code_use',
  CODES_RENEWED: 'user.recovery_codes_renew',
  RESET: 'user.second_factor_reset',
} as const
type Change = Omit<FactorChange, 'event'> & { readonly event: keyof typeof ACTIONS }

/** Writes the audit entry and the message, in the transaction of the change. */
function tellOf(deps: Work, ctx: Ctx, user: UserRow, { event, kind, left = 0 }: Change): void {
  const details = { ...(kind ? { kind } : {}), ...(event === 'CODE_USED' ? { left } : {}) }
  record(ctx, ACTIONS[event], { type: 'user', after: user, details })
  if (user.phoneNumber === null) return
  const locale = user.locale ?? deps.config.locale
  const texts = FACTOR_NEWS[locale]
  const text = event === 'CODE_USED' ? texts.codeUsed(left) : texts[event]
  const about = { orgId: user.orgId, to: user.phoneNumber, purpose: 'second_factor_changed', locale, text } as const
  enqueueMessage(deps, ctx.tx, { ...about, channel: 'WHATSAPP' })
}

/** Reports changes made on the embedded provider's pages. */
export const factorNews =
  (deps: Work): FactorNews =>
  (tx, { id, orgId }, change) => {
    const user = findUser(tx, orgId, id)
    if (!user) return
    const roles = user.roles.filter(isRole)
    const caller = { userId: id, orgId, roles, scope: scopeOf(id, roles) }
    tellOf(deps, { ...systemCtx(deps, tx, orgId, `sign-in-${deps.newId()}`), caller }, user, change)
  }

/** @returns the user; undefined if they had no second factor */
function drop(deps: Deps, ctx: Ctx, user: UserRow): UserRow | undefined {
  if (!deps.embedded)
    throw new AppError('identity_unavailable', {
      en: 'Second factors are administered at the identity provider that AUTH_URL names, and not from here.',
      fr: 'La deuxième étape s’administre chez le fournisseur d’identité indiqué par AUTH_URL, et non d’ici.',
    })
  if (!deps.embedded.dropSecondFactor(ctx.tx, user.subject)) return undefined
  tellOf(deps, ctx, user, { event: 'RESET' })
  return user
}

type Asking = { readonly caller: Caller; readonly requestId: string }
/**
 * Removes the second factors of another user, who lost them: their sessions end, they are told, and it is audited.
 * @throws not_found, own_account, invalid_state if there is none, identity_unavailable
 */
export async function resetSecondFactor(deps: Deps, { caller, requestId }: Asking, id: string): Promise<void> {
  const { subject } = await deps.write(caller.orgId, (tx) => {
    const user = findUser(tx, caller.orgId, id)
    if (!user) throw notFound()
    if (id === caller.userId) throw new AppError('own_account')
    if (!drop(deps, { ...systemCtx(deps, tx, caller.orgId, requestId), caller }, user)) throw refused('NONE', [])
    return user
  })
  await accountsOf(deps).endSessions(subject)
  deps.access.forget(subject)
}

/** Does the same from the server: the way out for a last ADMIN without codes. @returns false if there was none */
export async function dropByOperator(deps: Deps, phone: string): Promise<boolean> {
  const account = await accountsOf(deps).findByPhone(normalizePhone(phone) ?? phone)
  if (!account?.orgId) throw invalid('/phone', 'No account has this number.', 'Aucun compte n’a ce numéro.')
  const { orgId, userId } = account
  return deps.write(orgId, (tx: Tx) => {
    const user = findUser(tx, orgId, userId)
    return user !== undefined && drop(deps, systemCtx(deps, tx, orgId, `operator-${deps.newId()}`), user) !== undefined
  })
}
