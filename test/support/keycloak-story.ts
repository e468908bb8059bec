// A user's way through Loyer with an external provider. The stand-in and a real Keycloak run the same steps.

import { expect } from 'bun:test'
import type { Identity } from '../../src/adapters/identity/port.ts'
import { temporaryFolder } from './folder.ts'
import { account, FIRST, newNumber, type People, SECOND, type SignedIn } from './identity-people.ts'
import { claimsOf } from './oidc.ts'
import { type Call, launch, type Server, startServer } from './server.ts'

export const SECRET = 'a secret of the operator'
export type World = People & {
  readonly url: string
  /** Another system that makes accounts at the same provider. */
  readonly identity: Identity
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** The steps, in order, of one service with its own folder. */
export function story(world: () => World): [name: string, run: () => Promise<void>][] {
  const data = temporaryFolder('keycloak')
  let loyer: Server
  const env = () => ({ AUTH_URL: world().url, AUTH_ADMIN_CLIENT_SECRET: SECRET })
  const person = { phone: newNumber(), password: FIRST, userId: '' }
  let now: SignedIn
  const operator = newNumber()

  const call = (line: string, body?: unknown, as?: SignedIn): Promise<Call> =>
    loyer.call(as?.accessToken ?? '', line, body)
  const enter = async (phone: string, password: string): Promise<SignedIn> => {
    const signedIn = await world().signIn(phone, password)
    if (!signedIn) throw new Error(`${phone} was not let in`)
    return signedIn
  }
  /**
   * What an administrator changed is carried to the provider by a job, a moment later. To try the door meanwhile would
   * count as guessing.
   */
  async function carried(phoneNumber: string, enabled: boolean): Promise<void> {
    for (let i = 0; i < 100; i++) {
      if ((await world().identity.findByPhone(phoneNumber))?.enabled === enabled) return Bun.sleep(1_100)
      await Bun.sleep(100)
    }
    throw new Error('the provider did not follow')
  }
  /** The newest code sent to the number. */
  async function codeFor(phone: string): Promise<string> {
    const answer = await fetch(`${loyer.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phone)}`)
    return ((await answer.json()) as { code?: string }[]).find(({ code }) => code !== undefined)?.code ?? ''
  }
  async function ticketFor(phoneNumber: string): Promise<unknown> {
    const asked = await call('POST /api/v1/registration/otp', { phoneNumber })
    const code = await codeFor(phoneNumber)
    const given = await call('POST /api/v1/registration/otp/verify', { challengeId: asked.body.challengeId, code })
    expect([asked.status, given.status]).toEqual([202, 200])
    return given.body.ticket
  }
  async function complete(ticket: unknown, password: string): Promise<Call> {
    const { body } = await call('GET /api/v1/legal/versions')
    return call('POST /api/v1/registration/complete', {
      ticket,
      firstName: 'Thérèse',
      lastName: 'Tchoua',
      password,
      acceptedTermsVersion: body.termsVersion,
      acceptedPrivacyVersion: body.privacyVersion,
    })
  }

  return [
    [
      'the operator makes the first account with the command line, and starts the service',
      async () => {
        const name = ['--first-name', 'Odile', '--last-name', 'Owona', '--org-name', 'Agence']
        const args = ['--phone', operator, '--role', 'OWNER,ADMIN', ...name, '--password', FIRST]
        const made = launch({ data, command: 'user create', args, env: env() })
        expect([(await made.end()).code, made.output()]).toEqual([0, expect.stringContaining('organization ')])
        loyer = await startServer({ data, command: 'serve', env: env() })
        const me = await call('GET /api/v1/me', undefined, await enter(operator, FIRST))
        expect([me.status, me.body.phoneNumber, (me.body.roles as string[]).sort()]).toEqual([
          200,
          operator,
          ['ADMIN', 'OWNER'],
        ])
        expect(made.output()).toContain(String(me.body.orgId))
      },
    ],
    [
      'a stranger registers by phone, signs in, and is who the token says',
      async () => {
        const made = await complete(await ticketFor(person.phone), person.password)
        expect([made.status, made.body.username]).toEqual([201, person.phone])
        person.userId = String(made.body.userId)
        now = await enter(person.phone, person.password)
        const me = await call('GET /api/v1/me', undefined, now)
        expect(me.status).toBe(200)
        expect(me.body).toMatchObject({
          id: person.userId,
          phoneNumber: person.phone,
          phoneVerified: true,
          roles: ['TENANT'],
          firstName: 'Thérèse',
          locale: 'fr',
        })
      },
    ],
    [
      'an account of another organization, made elsewhere, has its rows at the first sight of its token',
      async () => {
        const theirs = account({ roles: ['OWNER'] })
        const { userId } = await world().identity.createAccount(theirs)
        const me = await call('GET /api/v1/me', undefined, await enter(theirs.phoneNumber, FIRST))
        expect(me.body).toMatchObject({ id: userId, orgId: theirs.orgId, roles: ['OWNER'], firstName: 'Ama' })
      },
    ],
    [
      'a new number: verified by code, then in the next token; other sessions end',
      async () => {
        const other = await enter(person.phone, person.password)
        const next = newNumber()
        const asked = await call('POST /api/v1/account/phone/otp', { newPhoneNumber: next }, now)
        const code = await codeFor(next)
        const { challengeId } = asked.body
        const changed = await call('POST /api/v1/account/phone/verify', { challengeId, code }, now)
        expect([changed.status, changed.body.phoneNumber]).toEqual([200, next])
        expect(await world().refresh(other.refreshToken)).toBeUndefined()
        expect(await world().signIn(person.phone, person.password)).toBeUndefined()
        // The session that asked goes on: with the token it has, and with the next one.
        expect((await call('GET /api/v1/me', undefined, now)).body.phoneNumber).toBe(next)
        const refreshed = await world().refresh(now.refreshToken)
        if (!refreshed) throw new Error('the session has ended')
        expect(claimsOf(refreshed.accessToken)).toMatchObject({ phone_number: next, preferred_username: next })
        expect((await call('GET /api/v1/me', undefined, refreshed)).body).toMatchObject({
          id: person.userId,
          phoneNumber: next,
          phoneVerified: true,
        })
        person.phone = next
        now = refreshed
      },
    ],
    [
      'a lost password: reset by code; the old one, its sessions and its tokens are dead',
      async () => {
        // Time is told in seconds here.
        await Bun.sleep(1_100)
        const asked = await call('POST /api/v1/account/password-reset/request', { phoneNumber: person.phone })
        const code = await codeFor(person.phone)
        const { challengeId } = asked.body
        const body = { challengeId, code, newPassword: SECOND }
        const reset = await call('POST /api/v1/account/password-reset/complete', body)
        expect([asked.status, reset.status]).toEqual([202, 204])
        expect(await world().signIn(person.phone, person.password)).toBeUndefined()
        expect(await world().refresh(now.refreshToken)).toBeUndefined()
        expect((await call('GET /api/v1/me', undefined, now)).status).toBe(401)
        person.password = SECOND
        now = await enter(person.phone, SECOND)
        expect((await call('GET /api/v1/me', undefined, now)).status).toBe(200)
      },
    ],
    [
      'an administrator invites, gives roles, disables and enables; the provider follows',
      async () => {
        const admin = await enter(operator, FIRST)
        const phoneNumber = newNumber()
        const invited = await call('POST /api/v1/admin/users', { phoneNumber, roles: ['MANAGER'] }, admin)
        expect([invited.status, invited.body.status]).toEqual([201, 'INVITED'])
        const made = await complete(await ticketFor(phoneNumber), FIRST)
        expect([made.status, made.body.userId]).toEqual([201, invited.body.id])
        const manager = await enter(phoneNumber, FIRST)
        const change = (body: object) => call(`PATCH /api/v1/admin/users/${String(invited.body.id)}`, body, admin)
        expect((await call('GET /api/v1/me', undefined, manager)).body).toMatchObject({
          id: invited.body.id,
          phoneVerified: true,
          roles: ['MANAGER'],
        })
        expect((await change({ roles: ['OWNER'] })).status).toBe(200)
        const owner = await enter(phoneNumber, FIRST)
        expect((await call('GET /api/v1/me', undefined, owner)).body.roles).toEqual(['OWNER'])
        await Bun.sleep(1_100)
        expect((await change({ status: 'DISABLED' })).status).toBe(200)
        await carried(phoneNumber, false)
        expect(await world().signIn(phoneNumber, FIRST)).toBeUndefined()
        expect(await world().refresh(owner.refreshToken)).toBeUndefined()
        expect((await call('GET /api/v1/me', undefined, owner)).status).toBe(401)
        expect((await change({ status: 'ACTIVE' })).status).toBe(200)
        await carried(phoneNumber, true)
        expect((await call('GET /api/v1/me', undefined, await enter(phoneNumber, FIRST))).status).toBe(200)
      },
    ],
    [
      'with the provider down, good tokens go on, nobody registers or resets, and a ticket stays good',
      async () => {
        const phone = newNumber()
        const ticket = await ticketFor(phone)
        await world().stop()
        try {
          expect((await call('GET /api/v1/me', undefined, now)).status).toBe(200)
          const refused = await complete(ticket, FIRST)
          expect([refused.status, refused.body.code]).toEqual([503, 'account_unavailable'])
          expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
          for (const phoneNumber of [person.phone, newNumber()]) {
            const asked = await call('POST /api/v1/account/password-reset/request', { phoneNumber })
            expect([asked.status, asked.body.code]).toEqual([503, 'identity_unavailable'])
          }
        } finally {
          await world().start()
        }
        const made = await complete(ticket, FIRST)
        expect([made.status, made.body.username]).toEqual([201, phone])
        expect((await call('GET /api/v1/me', undefined, await enter(phone, FIRST))).body.id).toBe(made.body.userId)
        expect((await complete(ticket, FIRST)).body.code).toBe('ticket_invalid')
        expect(await world().refresh(now.refreshToken)).toBeDefined()
      },
    ],
    [
      'nothing of it stands in the log, and the service ends in good order',
      async () => {
        const output = loyer.output()
        expect(output).toContain('identity_admin_failed')
        for (const secret of [person.phone, FIRST, SECOND, SECRET, now.accessToken, now.refreshToken])
          expect(output).not.toContain(secret)
        expect((await loyer.end('SIGTERM')).code).toBe(0)
      },
    ],
  ]
}
