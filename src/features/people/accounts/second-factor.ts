import type { Tx } from '../../../../db/open.ts'
import type { FactorChange, FactorNews } from '../../../adapters/identity/port.ts'
import { record } from '../../../changes/record.ts'
import { type Ctx, scopeOf, systemCtx } from '../../../context.ts'
import { normalizePhone } from '../../../core/phone.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid } from '../../../errors.ts'
import { closeRecoveries } from '../codes/store.ts'
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
  // Whoever asked for them to be removed asked about the factors of before.
  closeRecoveries(ctx.tx, { userId: user.id, kind: 'SECOND_FACTOR', now: deps.clock.wall() })
  const details = { ...(kind ? { kind } : {}), ...(event === 'CODE_USED' ? { left } : {}) }
  record(ctx, ACTIONS[event], { type: 'user', after: user, details })
  if (user.phoneNumber === null) return
  const locale = user.locale ?? deps.config.locale
  const texts = FACTOR_NEWS[locale]
  const text = event === 'CODE_USED' ? texts.codeUsed(left) : texts[event]
  const about = { orgId: user.orgId, to: user.phoneNumber, purpose: 'second_factor_changed', locale, text } as const
  enqueueMessage(deps, ctx.tx, { ...about, channel: 'WHATSAPP' })
}

/** The context of what a person does without a token: by a link that they received, or on the provider's pages. */
export function ctxOf(
  deps: Pick<Deps, 'clock' | 'newId'>,
  tx: Tx,
  { id, orgId, roles: all }: UserRow,
  requestId: string,
): Ctx {
  const roles = all.filter(isRole)
  return { ...systemCtx(deps, tx, orgId, requestId), caller: { userId: id, orgId, roles, scope: scopeOf(id, roles) } }
}

/** Reports changes made on the embedded provider's pages. */
export const factorNews =
  (deps: Work): FactorNews =>
  (tx, { id, orgId }, change) => {
    const user = findUser(tx, orgId, id)
    if (!user) return
    tellOf(deps, ctxOf(deps, tx, user, `sign-in-${deps.newId()}`), user, change)
  }

/** Removes a user's second factors. @returns false if they had none. @throws identity_unavailable */
export function dropFactors(deps: Deps, ctx: Ctx, user: UserRow): boolean {
  if (!deps.embedded)
    throw new AppError('identity_unavailable', {
      en: 'Second factors are administered at the identity provider that AUTH_URL names, and not from here.',
      fr: 'La deuxième étape s’administre chez le fournisseur d’identité indiqué par AUTH_URL, et non d’ici.',
    })
  if (!deps.embedded.dropSecondFactor(ctx.tx, user.subject)) return false
  tellOf(deps, ctx, user, { event: 'RESET' })
  return true
}

/** Removes them from the server: the way out for a last ADMIN without codes. @returns false if there was none */
export async function dropByOperator(deps: Deps, phone: string): Promise<boolean> {
  const account = await accountsOf(deps).findByPhone(normalizePhone(phone) ?? phone)
  if (!account?.orgId) throw invalid('/phone', 'No account has this number.', 'Aucun compte n’a ce numéro.')
  const { orgId, userId } = account
  return deps.write(orgId, (tx: Tx) => {
    const user = findUser(tx, orgId, userId)
    return user !== undefined && dropFactors(deps, systemCtx(deps, tx, orgId, `operator-${deps.newId()}`), user)
  })
}
