import { addUser } from '../../src/features/people/account/service.ts'
import { handlers } from '../../src/jobs/registry.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { createPeopleApp, type Told } from './people.ts'

export const PASSWORD = 'trois mangues mûres'
export const OTHER_ORG = '01985f3a-7c00-7000-8000-00000000beef'
/** Ada and Ali administer the organization, Mia manages it; Zoe administers another one. */
export const ADA = '+237677100001'
export const ALI = '+237677100002'
export const MIA = '+237677100003'
export const ZOE = '+237677100004'
export const USERS = '/api/v1/admin/users'

/** Two organizations with their administrators, on the real sign-in. */
export async function createStaffApp() {
  const app = await createPeopleApp()
  const ids: Record<string, string> = {}
  for (const [phone, roles, orgId] of [
    [ADA, ['ADMIN'], app.owner.orgId],
    [ALI, ['ADMIN', 'OWNER'], app.owner.orgId],
    [MIA, ['MANAGER'], app.owner.orgId],
    [ZOE, ['ADMIN'], OTHER_ORG],
  ] as const)
    ids[phone] = (await addUser(app.deps, { phone, roles, orgId, orgName: 'Autre', password: PASSWORD })).userId
  let next = 0
  /** Numbers of different neighbourhoods, so that the caps of one are not another's. */
  const newNumber = (): string => `+2376${String(60_000_000 + 13_457 * ++next).slice(0, 8)}`
  const newAddress = (): string => `10.2.${Math.floor(++next / 250)}.${next % 250}`
  const as = async (phone: string, line: string, body?: unknown): Promise<Told> =>
    app.call(line, body, { token: await app.token(phone, PASSWORD) })
  const invite = (by: string, phoneNumber: string, roles: string[], more = {}) =>
    as(by, `POST ${USERS}`, { phoneNumber, roles, ...more })
  async function register(phoneNumber: string): Promise<Told> {
    const { body } = await app.call('POST /api/v1/registration/otp', { phoneNumber }, { from: newAddress() })
    const given = await app.call('POST /api/v1/registration/otp/verify', {
      challengeId: body.challengeId,
      code: app.lastCode(phoneNumber),
    })
    return app.call('POST /api/v1/registration/complete', {
      ticket: given.body.ticket,
      firstName: 'Rose',
      lastName: 'Mbarga',
      password: PASSWORD,
      acceptedTermsVersion: '2026-11-01',
      acceptedPrivacyVersion: '2026-11-01',
    })
  }
  /** Asks for a reset; the challenge's id. */
  const reset = async (phoneNumber: string): Promise<unknown> =>
    (await app.call('POST /api/v1/account/password-reset/request', { phoneNumber }, { from: newAddress() })).body
      .challengeId
  const work = () => createWorker(app.deps, handlers(app.deps)).drain()
  return { ...app, ids, newNumber, as, invite, register, reset, work }
}
export type StaffApp = Awaited<ReturnType<typeof createStaffApp>>
