// What the tests of the portal do beside the browser: other people's part of a story, by the API.
import { beforeAll } from 'bun:test'
import { inBrowser, type World } from './browser.ts'

type Body = Record<string, unknown>
export const PASSWORD = 'trois-mangues-mures-2026'
let last = 677_100_000

/** Calls as the demo's landlord and administrator, and as tenants who registered in the test. */
export function apiOf(world: World) {
  const { server, base } = world
  let owner = ''
  let admin = ''
  let manager = ''
  const ready = (async () => {
    owner = await server.token('OWNER')
    admin = await server.token('ADMIN')
    manager = await server.token('MANAGER')
    const payTo = [{ method: 'MTN_MOMO', number: '677 12 34 56', holder: 'Odile Owona' }]
    await server.call(admin, 'PATCH /api/v1/admin/organization', { payTo }, { 'if-match': '*' })
  })()
  async function ask(token: string, line: string, body?: unknown, status?: number): Promise<Body> {
    const answer = await server.call(token, line, body)
    if (status !== undefined && answer.status !== status)
      throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const list = async (token: string, path: string): Promise<Body[]> =>
    (await fetch(`${base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<Body[]>
  /** The newest code that a number was sent. */
  async function code(phone: string): Promise<string> {
    const messages = await list('', `sandbox/messages?to=${encodeURIComponent(phone)}`)
    return String(messages.find((message) => message.code !== undefined)?.code)
  }
  const tokenOf = async (phone: string): Promise<string> =>
    String((await ask('', 'POST /api/v1/sandbox/token', { username: phone, password: PASSWORD }, 200)).access_token)
  async function until(done: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 40; i += 1) {
      if (await done()) return
      await Bun.sleep(250)
    }
    throw new Error('it did not come')
  }

  return {
    get owner() {
      return owner
    },
    get admin() {
      return admin
    },
    list,
    code,
    until,
    tokenOf,
    get: (token: string, path: string) => ask(token, `GET /api/v1/${path}`, undefined, 200),
    /** A new tenant with an account. @returns their number */
    async register(firstName: string, lastName: string): Promise<string> {
      await ready
      last += 1
      const phone = `+237${last}`
      const { challengeId } = await ask('', 'POST /api/v1/registration/otp', { phoneNumber: phone }, 202)
      const { ticket } = await ask(
        '',
        'POST /api/v1/registration/otp/verify',
        { challengeId, code: await code(phone) },
        200,
      )
      const { termsVersion, privacyVersion } = await ask('', 'GET /api/v1/legal/versions', undefined, 200)
      const accepted = { acceptedTermsVersion: termsVersion, acceptedPrivacyVersion: privacyVersion }
      await ask(
        '',
        'POST /api/v1/registration/complete',
        { ticket, firstName, lastName, password: PASSWORD, ...accepted },
        201,
      )
      return phone
    },
    /** A lease of a unit of its own, out for signing or running. */
    async lease(phone: string, more: { name?: string; activate?: boolean; startDate?: string | undefined } = {}) {
      const place = { name: more.name ?? 'Villa à signer', addressLine: 'Rue 1', city: 'Douala' }
      const { id: propertyId } = await ask(owner, 'POST /api/v1/properties', place, 201)
      const unit = `U${last}`
      const [{ id: unitId } = { id: '' }] = (await (
        await fetch(`${base}/api/v1/properties/${propertyId}/units`, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
          body: JSON.stringify({ labels: [unit], rentAmount: 50_000 }),
        })
      ).json()) as { id: string }[]
      const { id: tenantUserId } = await ask(await tokenOf(phone), 'GET /api/v1/me', undefined, 200)
      const startDate = more.startDate ?? new Date().toISOString().slice(0, 10)
      const { id } = await ask(manager, 'POST /api/v1/bookings', { unitId, tenantUserId, startDate }, 201)
      await ask(manager, `POST /api/v1/bookings/${id}/submit`, undefined, 200)
      if (more.activate) await ask(manager, `POST /api/v1/bookings/${id}/activate`, undefined, 200)
      return { id: String(id), unit }
    },
    async signAsOwner(id: string): Promise<void> {
      const { challengeId } = await ask(owner, `POST /api/v1/bookings/${id}/signatures/otp`, {}, 200)
      const body = { challengeId, code: await code('+237677000001'), fullName: 'Odile Owona' }
      await ask(owner, `POST /api/v1/bookings/${id}/signatures`, body, 201)
    },
    async onlyCase(phone: string): Promise<Body> {
      const cases = await list(await tokenOf(phone), 'verification/kyc/mine')
      if (cases.length !== 1 || !cases[0]) throw new Error(`${cases.length} cases`)
      return cases[0]
    },
    async makeOwner(phone: string): Promise<void> {
      const { id } = await ask(await tokenOf(phone), 'GET /api/v1/me', undefined, 200)
      const roles = ['TENANT', 'OWNER']
      const { status } = await server.call(admin, `PATCH /api/v1/admin/users/${id}`, { roles }, { 'if-match': '*' })
      if (status !== 200) throw new Error(`roles: ${status}`)
    },
  }
}
export type Api = ReturnType<typeof apiOf>

/** Tests of the portal: a demo with its browser, and other people's part of each story. */
export const inPortal = (scenarios: (world: World, api: Api) => void): void =>
  inBrowser((world) => {
    const api = {} as Api
    beforeAll(() => Object.defineProperties(api, Object.getOwnPropertyDescriptors(apiOf(world))))
    scenarios(world, api)
  })
