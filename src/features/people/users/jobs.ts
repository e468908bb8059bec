import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { inform } from '../messages/news.ts'
import { TEXTS } from '../messages/texts.ts'
import { findOrganization } from '../organizations/store.ts'
import { accountsOf, followUser, type Telling } from './service.ts'
import { findUser } from './store.ts'

/** If the provider has deleted the account, there is nothing left to change. */
const unlessGone = (e: unknown): void => {
  if (!(e instanceof AppError && e.code === 'not_found')) throw e
}

/** Brings the identity provider up to date, and sends invitations. */
export const userHandlers = (deps: Telling & Pick<Deps, 'identity' | 'access'>): Handlers => ({
  'user.changed': ({ orgId, payload }) =>
    followUser(deps, orgId ?? '', String(payload?.userId), { roles: true, status: payload?.status }).catch(unlessGone),
  'user.sessions': ({ payload }) => accountsOf(deps).endSessions(String(payload?.subject)).catch(unlessGone),
  'user.invited': async ({ id, orgId, source }) => {
    const user = findUser(deps.db, orgId ?? '', source)
    if (user?.status !== 'INVITED' || user.phoneNumber === null) return
    const organization = findOrganization(deps.db, user.orgId)
    const { publicUrl } = deps.config
    const locale = user.locale ?? organization?.locale ?? 'fr'
    await inform(deps, {
      id,
      orgId: user.orgId,
      to: user.phoneNumber,
      channel: 'WHATSAPP',
      purpose: 'user_invited',
      locale,
      text: TEXTS[locale].invited(organization?.name ?? 'Loyer', publicUrl),
      sender: null,
    })
  },
})
