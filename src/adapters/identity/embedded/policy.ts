import type { KoaContextWithOIDC } from 'oidc-provider'
import { base, Check } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import type { Db } from '../../../../db/open.ts'
import type { Terms } from '../port.ts'
import { LIFETIME, RESOURCE } from './claims.ts'
import type { Factors } from './factors/factors.ts'
import { asksSecondFactor } from './factors/second-step.ts'
import { accountById } from './rows/users.ts'

/** Why a page asks for consent: the person accepted an earlier text. */
export const TERMS_CHANGED = 'terms_changed'

const seconds = () => Math.floor(Date.now() / 1000)
/** The idle timeout from now, capped by the session's longest lifetime since the password. */
export const idleSince = (signedInAt: number | undefined): number =>
  Math.max(1, Math.min(LIFETIME.idle, (signedInAt ?? seconds()) + LIFETIME.most - seconds()))

/**
 * Asks for the password again when the account ended, or changed after the password was entered; and for the second
 * factor where the account has one, its organization requires one, or the application does (`acr_values=2`). Before a
 * code is issued, a person whose accepted terms have changed accepts the new ones.
 */
export function loginPolicy(db: Db, factors: Factors, terms: Terms | undefined) {
  const policy = base()
  // First-party clients need no consent; for a custom scheme the library's own check would ask every time.
  policy.get('consent')?.checks.clear()
  policy.get('consent')?.checks.push(
    new Check(TERMS_CHANGED, 'the terms have changed', 'consent_required', ({ oidc }) => {
      const { accountId } = oidc.session ?? {}
      const row = accountId === undefined ? undefined : accountById(db).get({ id: accountId })
      return row && terms?.isDue(row) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  policy.get('login')?.checks.push(
    new Check('account', 'sign in again', ({ oidc }) => {
      const { accountId, loginTs = 0 } = oidc.session ?? {}
      if (accountId === undefined) return Check.NO_NEED_TO_PROMPT
      const row = accountById(db).get({ id: accountId })
      if (row?.status !== 'ACTIVE' || loginTs < (row.notBefore ?? 0)) return Check.REQUEST_PROMPT
      const late = oidc.result?.login !== undefined && oidc.result.password !== row.changedAt
      return late ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
    new Check('second_factor', 'a second factor is required', 'unmet_authentication_requirements', ({ oidc }) => {
      const { accountId, acr } = oidc.session ?? {}
      const row = accountId === undefined || acr === '2' ? undefined : accountById(db).get({ id: accountId })
      if (!row) return Check.NO_NEED_TO_PROMPT
      const needed = factors.isRequired(row) || asksSecondFactor(oidc.params?.acr_values)
      return needed ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  return policy
}

/** One grant per session and client: reuse of a refresh token ends the whole grant. */
export async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, params, provider, account } = ctx.oidc
  if (!client || !session || !account) return undefined
  const known = session.grantIdFor(client.clientId)
  const until = (session.loginTs ?? seconds()) + LIFETIME.most
  const current = known ? await provider.Grant.find(known) : undefined
  const grant = current ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const scope = String(params?.scope ?? 'openid')
  const before = JSON.stringify([grant.openid, grant.resources])
  grant.addOIDCScope(scope)
  grant.addResourceScope(RESOURCE, scope)
  if (grant.jti === undefined || grant.exp !== until || before !== JSON.stringify([grant.openid, grant.resources])) {
    grant.exp = until
    await grant.save()
  }
  // The session's id is the `sid` of all its tokens.
  session.sidFor(client.clientId, session.uid)
  return grant
}
