import type { Db } from '../../../../db/open.ts'
import type { Listener } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { accountsOf, shutOut } from '../../people/users/service.ts'
import { markDemo, othersAfter, readDemo } from './store.ts'

/** Actions that would lock the next visitor out for good, or until the demo is reset. */
const CLOSING = new Set(['user.disable', 'user.erase', 'user.password_change', 'user.password_reset'])
const LOCKING = new Set([
  'user.phone_change',
  'user.recovery_code',
  'user.roles',
  'user.limit',
  'user.second_factor_add',
])

/** Refuses changes to the accounts of a demo; of a public one also a second factor for all staff. @throws demo_account */
export const keepDemoAccounts: Listener = {
  types: ['user', 'organization'],
  hear(ctx, { action, before, after }) {
    const forAll = after?.secondFactor === 'STAFF' && before?.secondFactor !== 'STAFF'
    const locking = forAll || LOCKING.has(action)
    if (!locking && !CLOSING.has(action)) return
    const demo = readDemo(ctx.tx)
    if (!demo || (locking && !demo.isPublic)) return
    if (forAll || demo.people.includes((after ?? before)?.id ?? '')) throw new AppError('demo_account')
  },
}

/** Whether `loyer demo` made this database. */
export const isDemo = (db: Db): boolean => readDemo(db) !== undefined
/** Whether an account is one of a demo's, whose password everybody knows. */
export const isDemoAccount = (db: Db, userId: string): boolean => readDemo(db)?.people.includes(userId) === true

/** Says whether strangers visit the demo, which SANDBOX_RESET tells. */
export async function openToVisitors({ db, write, config }: Deps): Promise<void> {
  const isPublic = config.resetMs !== undefined
  const demo = readDemo(db)
  if (demo && demo.isPublic !== isPublic)
    await write(null, (tx) => {
      markDemo(tx, { ...demo, isPublic })
      return true
    })
}

const NO_ADMIN = {
  en: 'Nobody else administers this organization. Make an administrator first: loyer user create --role ADMIN --phone …, with LOYER_MODE=sandbox.',
  fr: 'Personne d’autre n’administre cette organisation. Créez d’abord un administrateur : loyer user create --role ADMIN --phone …, avec LOYER_MODE=sandbox.',
}

/**
 * Ends the accounts of a demo for good: nobody signs in with them, their numbers are free, their names stay on
 * everything they made. @returns false, with nothing done, if there are no other accounts. @throws last_admin
 */
export async function clearAccounts(deps: Deps): Promise<boolean> {
  const demo = readDemo(deps.db)
  const others = othersAfter(deps.db, demo?.people ?? [])
  if (!demo || others.length === 0) return false
  const orgId = demo.orgId
  if (!others.some((user) => user.orgId === orgId && user.status === 'ACTIVE' && user.roles.includes('ADMIN')))
    throw new AppError('last_admin', NO_ADMIN)
  const subjects = await deps.write(orgId, (tx) => {
    markDemo(tx, undefined)
    const ctx = systemCtx(deps, tx, orgId, `operator-${deps.newId()}`)
    return demo.people.map((id) => shutOut(ctx, deps, id))
  })
  for (const subject of subjects) await accountsOf(deps).deleteAccount(subject)
  return true
}
