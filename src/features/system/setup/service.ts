import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { systemCtx } from '../../../context.ts'
import { normalizePhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid } from '../../../errors.ts'
import { addUser } from '../../people/accounts/account.ts'
import { updateOrganization } from '../../people/organizations/service.ts'
import type { Setup, SetupBody } from './model.ts'
import { makeSamples } from './sample-data.ts'
import { isInhabited, readDigest, writeDigest } from './store.ts'

const digestOf = (token: string): string => hash('sha256', token, 'base64url')

export function createSetup({ db, write }: Pick<Deps, 'db' | 'write'>): Setup {
  let isDone = false
  let last: Promise<unknown> = Promise.resolve()
  const isOpen = (): boolean => {
    isDone ||= isInhabited(db)
    return !isDone
  }
  return {
    isOpen,
    async begin() {
      if (!isOpen()) return undefined
      const token = randomBytes(32).toString('base64url')
      await write(null, (tx) => writeDigest(tx, digestOf(token)))
      return token
    },
    fits(token) {
      const [a, b] = [Buffer.from(digestOf(token)), Buffer.from(readDigest(db))]
      return a.length === b.length && timingSafeEqual(a, b)
    },
    inTurn(work) {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

type SetupResult = { readonly organizationId: string; readonly userId: string; readonly username: string }

/**
 * Makes the organization and its first person, who owns and administers it. A refusal leaves the link good.
 * @throws already_set_up, setup_link_invalid, validation_failed, weak_password, overloaded
 */
export function setUp(deps: Deps, body: SetupBody, requestId: string): Promise<SetupResult> {
  const { setup } = deps
  if (!setup?.isOpen()) throw new AppError('already_set_up')
  if (!setup.fits(body.token)) throw new AppError('setup_link_invalid')
  return setup.inTurn(async () => {
    if (!setup.isOpen()) throw new AppError('already_set_up')
    const { organizationName: name, firstName, lastName, password, locale } = body
    const phone = normalizePhone(body.phoneNumber)
    if (phone === undefined)
      throw invalid('/phoneNumber', 'This is no phone number.', 'Ce n’est pas un numéro de téléphone.')
    const own = { ...deps, config: { ...deps.config, locale } }
    const roles = ['OWNER', 'ADMIN'] as const
    const { orgId, userId } = await addUser(own, { phone, roles, orgName: name, firstName, lastName, password })
    await deps.write(orgId, (tx) => {
      // An earlier try may have ended between organization and account, and left the organization with another name.
      updateOrganization(systemCtx(deps, tx, orgId, requestId), { name, locale })
      writeDigest(tx, '')
    })
    if (body.sampleData)
      await deps
        .write(orgId, (tx) => {
          const ctx = systemCtx(deps, tx, orgId, requestId)
          makeSamples({ ...ctx, caller: { ...ctx.caller, userId, roles } }, locale)
          return true
        })
        // The organization exists, and can do without the samples.
        .catch((e: unknown) => deps.log.error('setup.samples_failed', e))
    return { organizationId: orgId, userId, username: phone }
  })
}
