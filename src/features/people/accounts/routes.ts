import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { NUMBER_CHANGES, RECOVERIES, SESSIONS } from '../../../core/budgets.ts'
import { normalizePhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { ERRORS } from '../../../error-codes.ts'
import { AppError, notFound } from '../../../errors.ts'
import { readBytes } from '../../../http/body.ts'
import { askingOf, ONCE } from '../../../http/codes.ts'
import { createForms, PAGE, seeOther } from '../../../http/forms.ts'
import { languageChosen, languageOf } from '../../../http/language.ts'
import { edgeOf } from '../../../http/request.ts'
import { ADMINS, EVERYONE, type Http, section } from '../../../http/routes.ts'
import { Body, PersonName, Phone } from '../../../http/schema.ts'
import { createSignedCookie } from '../../../http/signed-cookie.ts'
import { codePage, endPage, finishPage, phonePage, type Step, type Way } from '../../../web/doors/sign-up.ts'
import { WORDS } from '../../../web/doors/words.ts'
import { closedPage, openPage, passwordPage, setPage, takenPage, undonePage } from '../../../web/number-undo.ts'
import { recoveryPage } from '../../../web/recovery.ts'
import { AnyCode, ChallengeId, Channel, PhoneChallenge } from '../codes/model.ts'
import { CHANNELS, MOST_RECOVERIES, RESEND_MS } from '../codes/rules.ts'
import { findOrganization } from '../organizations/store.ts'
import { CurrentUser, toCurrentUser } from '../users/model.ts'
import { nameIn, propertiesOf, type UserRow } from '../users/store.ts'
import { changePassword } from './account.ts'
import {
  ChangePassword,
  Completion,
  NewPhone,
  OnFile,
  OtpRequest,
  OtpVerify,
  Password,
  Recovery,
  RecoveryCode,
  Registered,
  Session,
  Ticket,
  VerifyCode,
} from './model.ts'
import { completeReset, requestReset } from './password-reset.ts'
import {
  changePhone,
  requestOldNumberCode,
  requestPhoneChange,
  requestVerification,
  verifyPhone,
} from './phone-change.ts'
import { codeAfterUndo, newPasswordAfterUndo, openUndo, undoPhoneChange } from './phone-undo.ts'
import {
  answerByLink,
  issueRecoveryCode,
  openRecovery,
  resetSecondFactor,
  stopRecovery,
  toRecovery,
  visibleRecoveries,
} from './recovery.ts'
import { completeRegistration, requestRegistration, verifyRegistration } from './registration.ts'
import { signUp } from './sign-up.ts'

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** What signed-in people do with their own account. Nothing is replayed: codes and passwords are never stored. */
export function account(deps: Deps, http: Http) {
  const self = askingOf(deps)
  return new Elysia({ prefix: '/api/v1/account', tags: ['Account'] })
    .use(http)
    .post(
      '/password',
      async ({ body, caller, request }) => {
        await changePassword(deps, self(request, caller), body)
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        body: ChangePassword,
        problems: ['weak_password', 'demo_account', 'identity_unavailable'],
        answers: { 204: Type.Null() },
        detail: {
          summary: 'Change the password',
          operationId: 'changePassword',
          description:
            'Ends all other sessions and invalidates every open code of the account: for password resets, changes of number and signatures. A message informs the number on file.',
          ...ONCE,
        },
      },
    )
    .get(
      '/sessions',
      ({ caller }) =>
        (deps.embedded?.sessions(caller.userId) ?? []).map((s) => ({
          id: s.id,
          signedInAt: instant(s.signedInAt),
          expiresAt: instant(s.expiresAt),
          current: s.id === caller.sessionId,
        })),
      {
        access: EVERYONE,
        answers: { 200: Type.Array(Session) },
        detail: {
          summary: "List the caller's sessions",
          description: `At most ${SESSIONS.stored}: a sign-in beyond that ends the oldest. None with an external identity provider.`,
          operationId: 'listSessions',
        },
      },
    )
    .delete(
      '/sessions/:session',
      async ({ caller, params }) => {
        if (!deps.embedded) throw new AppError('identity_unavailable')
        if (!(await deps.embedded.endSession(caller.userId, params.session))) throw notFound()
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        params: Type.Object({ session: Type.String({ maxLength: 100, description: 'The id of the session.' }) }),
        problems: ['not_found', 'identity_unavailable'],
        answers: { 204: Type.Null() },
        detail: { summary: "End one of the caller's sessions", operationId: 'endSession' },
      },
    )
}

export const registration = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/registration', ...section('Registration', 'Signing up with a phone number.') })
    .use(http)
    .post(
      '/otp',
      ({ body, request, set }) => {
        set.status = 202
        const { address } = edgeOf(request)
        return requestRegistration(deps, {
          phoneNumber: body.phoneNumber,
          channel: body.channel ?? undefined,
          address,
          locale: languageOf(request, deps.config.locale),
        })
      },
      {
        access: 'public',
        body: OtpRequest,
        problems: ['phone_prefix_not_allowed', 'too_many_requests', 'delivery_unavailable'],
        answers: { 202: PhoneChallenge },
        detail: {
          summary: 'Send a code to a number to create an account',
          operationId: 'registrationOtp',
          description:
            'The answer is the same for every number. If the same network asks again, the answer names the same challenge and a new code is sent. If somebody else has just had a code sent to this number, that code also opens this challenge, and no second code is sent at once (see Limits).',
        },
      },
    )
    .post('/otp/verify', ({ body }) => verifyRegistration(deps, body.challengeId, body.code), {
      access: 'public',
      body: OtpVerify,
      problems: ['challenge_gone', 'wrong_code', 'attempts_exhausted'],
      answers: { 200: Ticket },
      detail: { summary: 'Exchange the code for a registration ticket', operationId: 'registrationVerify' },
    })
    .post(
      '/complete',
      ({ body, request, set }) => {
        set.status = 201
        const { requestId, address } = edgeOf(request)
        const locale = languageOf(request, deps.config.locale)
        return completeRegistration(deps, body, { locale, requestId, address })
      },
      {
        access: 'public',
        body: Completion,
        problems: ['ticket_invalid', 'duplicate', 'outdated_terms', 'weak_password', 'account_unavailable'],
        creates: ['/api/v1/me'],
        answers: { 201: Registered },
        detail: { summary: 'Create the account with the ticket', operationId: 'registrationComplete' },
      },
    )

/** What the cookie keeps between the steps, so that a visit to WhatsApp loses nothing. */
type SentCode = {
  readonly phoneNumber: string
  readonly challengeId: string
  readonly channel: 'WHATSAPP' | 'SMS'
  readonly maskedDestination: string
  /** Epoch ms. */
  readonly sentAt: number
  readonly ticket?: string
  /** The sign-in that goes on afterwards, or ''. */
  readonly back: string
}
const SECONDS = 600
const UID = /^[\w-]{1,64}$/

/** Signing up and recovering an account in a browser, without scripts: the API's use cases behind forms. */
export function signUpPages(deps: Deps, http: Http) {
  const routes = new Elysia().use(http)
  const { embedded, config, messenger, clock } = deps
  // An external provider has pages of its own.
  if (!embedded) return routes
  const forms = createForms(config)
  const terms = signUp.termsInForce(deps)
  const channels = CHANNELS.filter((channel) => messenger.vendors[channel] !== undefined)
  const cookies = {
    register: createSignedCookie<SentCode>(deps, { name: 'loyer_register', path: '/register', seconds: SECONDS }),
    recover: createSignedCookie<SentCode>(deps, { name: 'loyer_recover', path: '/recover', seconds: SECONDS }),
  }
  const stepOf = (way: Way, request: Request): Step => ({ way, ...forms.languageOf(request) })
  /** The same step with an error: a sentence, with the status of the API, at a field or at the top. */
  function refused(step: Step, e: unknown, field = ''): Step {
    if (!(e instanceof AppError)) throw e
    const { status, ...sentence } = ERRORS[e.code]
    const headers = { ...(e.details.retryAfter ? { 'retry-after': String(e.details.retryAfter) } : {}) }
    return { ...step, status, headers, faults: { [field]: (e.text ?? sentence)[step.locale] } }
  }
  const wrong = (step: Step, faults: Record<string, string>): Step => ({ ...step, status: 422, faults })
  const time = (locale: string, at: number): string =>
    new Intl.DateTimeFormat(locale === 'fr' ? 'fr' : 'en-GB', { timeStyle: 'short', timeZone: config.timeZone }).format(
      at,
    )

  const showCode = (step: Step, sent: SentCode): Response =>
    codePage(step, {
      ...sent,
      at: time(step.locale, sent.sentAt),
      againAt: time(step.locale, sent.sentAt + RESEND_MS + 59_999),
      wait: Math.max(0, Math.ceil((sent.sentAt + RESEND_MS - clock.wall()) / 1000)),
      channels,
      messages: config.sandbox ? `/api/v1/sandbox/messages?to=${encodeURIComponent(sent.phoneNumber)}` : undefined,
    })
  const passwordFault = (step: Step, e: unknown, field: string): Step => {
    const [first] = e instanceof AppError ? (e.details.errors ?? []) : []
    return first?.path === `/${field}` ? wrong(step, { [field]: first.message[step.locale] }) : refused(step, e)
  }

  /** Sends a code and keeps the challenge. @throws AppError */
  async function ask(way: Way, request: Request, phoneNumber: string, back: string, channel?: SentCode['channel']) {
    const { address } = edgeOf(request)
    const { locale } = forms.languageOf(request)
    const send = way === 'register' ? signUp.requestRegistration : signUp.requestReset
    const sent = await send(deps, { phoneNumber, channel, address, locale })
    return cookies[way].put({ ...sent, phoneNumber, sentAt: clock.wall(), back })
  }
  /** Where the browser goes on once signed in: the sign-in that it came from, or its place. */
  const goOn = async (request: Request, back: string, otherwise: string) => {
    const resumed = UID.test(back) ? await embedded.resume(request, edgeOf(request).address, back) : null
    return resumed ?? { href: otherwise, target: '' }
  }

  for (const way of ['register', 'recover'] as const) {
    const cookie = cookies[way]
    routes
      .get(
        `/${way}`,
        ({ request }) => {
          const back = new URL(request.url).searchParams.get('back') ?? ''
          const sent = cookie.read(request)
          const values = { phoneNumber: sent?.phoneNumber ?? '', back: UID.test(back) ? back : (sent?.back ?? '') }
          return forms.elsewhere(request) ?? phonePage(stepOf(way, request), values)
        },
        PAGE,
      )
      .post(
        `/${way}`,
        async ({ request }) => {
          // The address is gone with the connection: read it before anything is awaited.
          edgeOf(request).readAddress()
          const field = await forms.fieldsOf(request)
          const step = stepOf(way, request)
          const back = UID.test(field('back')) ? field('back') : ''
          const typed = { phoneNumber: field('phoneNumber').slice(0, 40), back }
          const phoneNumber = normalizePhone(typed.phoneNumber)
          if (phoneNumber === undefined)
            return phonePage(wrong(step, { phoneNumber: WORDS[step.locale].wrongPhone }), typed)
          try {
            return seeOther(`/${way}/code${step.lang}`, [await ask(way, request, phoneNumber, back)])
          } catch (e) {
            return phonePage(refused(step, e), typed)
          }
        },
        PAGE,
      )
      .get(
        `/${way}/code`,
        ({ request }) => {
          const sent = cookie.read(request)
          return sent ? showCode(stepOf(way, request), sent) : seeOther(`/${way}`)
        },
        PAGE,
      )
  }

  return routes
    .post(
      '/register/code',
      async ({ request }) => {
        const field = await forms.fieldsOf(request)
        const step = stepOf('register', request)
        const sent = cookies.register.read(request)
        if (!sent) return seeOther('/register')
        try {
          const resendBy = CHANNELS.find((channel) => channel === field('again'))
          if (resendBy)
            return seeOther(`/register/code${step.lang}`, [
              await ask('register', request, sent.phoneNumber, sent.back, resendBy),
            ])
          const code = field('code').replaceAll(/\D/g, '')
          const { ticket } = await signUp.verifyRegistration(deps, sent.challengeId, code)
          return seeOther(`/register/finish${step.lang}`, [cookies.register.put({ ...sent, ticket })])
        } catch (e) {
          return showCode(refused(step, e, field('again') === '' ? 'code' : ''), sent)
        }
      },
      PAGE,
    )
    .get(
      '/register/finish',
      async ({ request }) => {
        const step = stepOf('register', request)
        const sent = cookies.register.read(request)
        if (sent?.ticket === undefined) return seeOther('/register')
        const { target } = await goOn(request, sent.back, '/')
        return finishPage(step, { firstName: '', lastName: '' }, terms.texts(step.locale), target)
      },
      PAGE,
    )
    .post(
      '/register/finish',
      async ({ request }) => {
        const { requestId, address } = edgeOf(request)
        const field = await forms.fieldsOf(request)
        const step = stepOf('register', request)
        const sent = cookies.register.read(request)
        if (sent?.ticket === undefined) return seeOther('/register')
        const name = { firstName: field('firstName').trim(), lastName: field('lastName').trim() }
        const w = WORDS[step.locale]
        const { target, href } = await goOn(request, sent.back, '/')
        const show = (now: Step) => finishPage(now, name, terms.texts(step.locale), target)
        const missing = Object.entries(name).filter(([, value]) => !Value.Check(PersonName, value))
        if (missing.length > 0)
          return show(
            wrong(step, Object.fromEntries(missing.map(([of, value]) => [of, value === '' ? w.missing : w.wrongName]))),
          )
        if (field('terms') === '' || field('privacy') === '') return show(wrong(step, { '': w.bothBoxes }))
        try {
          const { userId } = await signUp.completeRegistration(
            deps,
            {
              ...name,
              ticket: sent.ticket,
              password: field('password'),
              acceptedTermsVersion: field('terms'),
              acceptedPrivacyVersion: field('privacy'),
            },
            { locale: step.locale, requestId, address },
          )
          const session = await embedded.beginSession(request, address, userId, ['pwd'])
          return seeOther(href, [...session, cookies.register.drop()])
        } catch (e) {
          if (e instanceof AppError && e.code === 'duplicate')
            return endPage({ ...step, status: 409 }, 'known', sent.back === '' ? '/console' : href)
          if (e instanceof AppError && e.code === 'ticket_invalid')
            return phonePage(refused(step, e), { phoneNumber: sent.phoneNumber, back: sent.back })
          return show(passwordFault(step, e, 'password'))
        }
      },
      PAGE,
    )
    .post(
      '/recover/code',
      async ({ request }) => {
        const { requestId } = edgeOf(request)
        const field = await forms.fieldsOf(request)
        const step = stepOf('recover', request)
        const sent = cookies.recover.read(request)
        if (!sent) return seeOther('/recover')
        const { challengeId, phoneNumber, back } = sent
        try {
          const resendBy = CHANNELS.find((channel) => channel === field('again'))
          if (resendBy)
            return seeOther(`/recover/code${step.lang}`, [await ask('recover', request, phoneNumber, back, resendBy)])
          const code = field('code').replaceAll(/\D/g, '')
          await signUp.completeReset(deps, { challengeId, code, newPassword: field('newPassword') }, requestId)
          const { href } = await goOn(request, back, '/console')
          return endPage({ ...step, cookies: [cookies.recover.drop()] }, 'done', href)
        } catch (e) {
          const isCode = e instanceof AppError && ['wrong_code', 'challenge_gone'].includes(e.code)
          return showCode(isCode ? refused(step, e, 'code') : passwordFault(step, e, 'newPassword'), sent)
        }
      },
      PAGE,
    )
}

export const passwordReset = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/account/password-reset', tags: ['Account'] })
    .use(http)
    .post(
      '/request',
      ({ body, request, set }) => {
        set.status = 202
        const { address } = edgeOf(request)
        return requestReset(deps, {
          phoneNumber: body.phoneNumber,
          channel: body.channel ?? undefined,
          address,
          locale: languageOf(request, deps.config.locale),
        })
      },
      {
        access: 'public',
        body: Body(
          {
            phoneNumber: Phone,
            channel: Channel,
          },
          { examples: [{ phoneNumber: '+237677123456' }] },
        ),
        problems: ['too_many_requests', 'identity_unavailable', 'delivery_unavailable'],
        answers: { 202: PhoneChallenge },
        detail: {
          summary: 'Send a code to reset a forgotten password',
          operationId: 'passwordResetRequest',
          description:
            'The answer is the same for every number. If the same network asks again, the answer names the same challenge and a new code is sent. If somebody else has just had a code sent to this number, that code also opens this challenge, and no second code is sent at once (see Limits).',
        },
      },
    )
    .post(
      '/complete',
      async ({ body, request, set }) => {
        await completeReset(deps, body, edgeOf(request).requestId)
        set.status = 204
        return new Response(null, { status: 204 })
      },
      {
        access: 'public',
        body: Body({
          challengeId: ChallengeId,
          code: AnyCode,
          newPassword: { ...Password, examples: ['trois mangues mûres'] },
        }),
        problems: [
          'challenge_gone',
          'wrong_code',
          'weak_password',
          'attempts_exhausted',
          'demo_account',
          'identity_unavailable',
        ],
        answers: { 204: Type.Null() },
        detail: { summary: 'Set a new password with the code', operationId: 'passwordResetComplete' },
      },
    )

/** Verifies and changes the number of an account. */
export function phoneChange(deps: Deps, http: Http) {
  const asking = askingOf(deps)
  const view = (row: UserRow) => toCurrentUser(propertiesOf(deps.db, row), row)
  return new Elysia({ prefix: '/api/v1/account/phone', tags: ['Account'] })
    .use(http)
    .post('/otp', ({ body, caller, request }) => requestPhoneChange(deps, asking(request, caller), body), {
      access: EVERYONE,
      body: NewPhone,
      problems: [
        'reauthentication_required',
        'challenge_gone',
        'wrong_code',
        'attempts_exhausted',
        'own_number',
        'duplicate',
        'phone_prefix_not_allowed',
        'too_many_requests',
        'delivery_unavailable',
      ],
      answers: { 200: PhoneChallenge },
      detail: {
        summary: 'Send a code to a new number',
        description: `If the sign-in is older than five minutes (\`auth_time\` of the token), the password or a code sent to the present number is required. Without one, the request is refused with 403 \`reauthentication_required\`, which names both. Its WWW-Authenticate header says \`insufficient_user_authentication\` with \`max_age="300"\` (RFC 9470), for apps that sign the user in again. The same number may be requested again without them while its code is valid. An account can request ${NUMBER_CHANGES} numbers a day; after that, every number is answered with 429.`,
        operationId: 'phoneChangeOtp',
        ...ONCE,
      },
    })
    .post(
      '/old-number/otp',
      ({ body, caller, request }) => requestOldNumberCode(deps, asking(request, caller), body.channel ?? undefined),
      {
        access: EVERYONE,
        body: OnFile,
        problems: ['invalid_state', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: {
          summary: 'Send a code to the present number, to change it without the password',
          description: 'The code is valid for one POST /api/v1/account/phone/otp, and for nothing else.',
          operationId: 'phoneOldNumberOtp',
          ...ONCE,
        },
      },
    )
    .post(
      '/verify',
      async ({ body, caller, request }) => view(await changePhone(deps, asking(request, caller), body)),
      {
        access: EVERYONE,
        body: VerifyCode,
        problems: [
          'challenge_gone',
          'wrong_code',
          'attempts_exhausted',
          'duplicate',
          'demo_account',
          'identity_unavailable',
        ],
        answers: { 200: CurrentUser },
        detail: {
          summary: 'Replace the login number with the verified one',
          description:
            'Ends all other sessions and invalidates every open code of the account. Both numbers get a message. The message to the previous number carries a link that takes the account back within 72 hours. The link also undoes every later change: all sessions end, the password stops working, and a code sent to the previous number sets a new one; the link itself signs nobody in. If somebody registers with the number that was given up, they get an account of their own, and the link no longer works.',
          operationId: 'phoneChangeVerify',
          ...ONCE,
        },
      },
    )
    .post(
      '/verification/otp',
      ({ body, caller, request }) => requestVerification(deps, asking(request, caller), body.channel ?? undefined),
      {
        access: EVERYONE,
        body: OnFile,
        problems: ['invalid_state', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: { summary: 'Send a code to the number on file', operationId: 'phoneVerificationOtp', ...ONCE },
      },
    )
    .post(
      '/verification/verify',
      async ({ body, caller, request }) => view(await verifyPhone(deps, asking(request, caller), body)),
      {
        access: EVERYONE,
        body: VerifyCode,
        problems: ['challenge_gone', 'wrong_code', 'attempts_exhausted'],
        answers: { 200: CurrentUser },
        detail: { summary: 'Verify the number on file', operationId: 'phoneVerificationVerify', ...ONCE },
      },
    )
}

const LINK_PAGE = { parse: 'none', detail: { hide: true, 'x-roles': 'public' } as object } as const
const FORM_BYTES = 4096
const form = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await readBytes(request, FORM_BYTES)))

/**
 * Pages behind the link sent to the old number after a change. Opening one changes nothing, because link previews open
 * them too.
 */
export function numberUndo(deps: Deps, http: Http) {
  const asking = (request: Request) => {
    const { address, requestId } = edgeOf(request)
    const requested = languageChosen(request)
    return { address, requestId, requested, locale: requested ?? languageOf(request, deps.config.locale) }
  }
  /** Renders the page of a link in its present state. */
  function show(request: Request, token: string): Response {
    const undo = openUndo(deps, deps.db, token)
    const { requested, locale: otherwise } = asking(request)
    if (!('row' in undo)) return closedPage({ locale: requested ?? otherwise, token }, undo.state)
    const { row, user } = undo
    const locale = requested ?? user.locale ?? otherwise
    if (undo.state === 'undone') return undonePage({ locale, token })
    const { timeZone = deps.config.timeZone } = findOrganization(deps.db, row.orgId) ?? {}
    return openPage({ locale, token }, row, timeZone)
  }
  return new Elysia({ prefix: '/u' })
    .use(http)
    .get('/:token', ({ params: { token }, request }) => show(request, token), LINK_PAGE)
    .post(
      '/:token',
      async ({ params: { token }, request }) => {
        const { address, requestId, locale } = asking(request)
        const undoing = { address, requestId, locale }
        try {
          await undoPhoneChange(deps, token, undoing)
        } catch (e) {
          if (e instanceof AppError && e.code === 'link_expired') return show(request, token)
          if (e instanceof AppError && e.code === 'duplicate') return takenPage({ locale, token })
          throw e
        }
        const challenge = await codeAfterUndo(deps, token, undoing)
        return passwordPage({ locale, token }, challenge?.challengeId, 'restored')
      },
      LINK_PAGE,
    )
    .post(
      '/:token/code',
      async ({ params: { token }, request }) => {
        const { address, requestId, locale } = asking(request)
        try {
          const challenge = await codeAfterUndo(deps, token, { address, requestId, locale })
          return passwordPage({ locale, token }, challenge?.challengeId, 'asked')
        } catch (e) {
          if (e instanceof AppError && e.code === 'link_expired') return show(request, token)
          throw e
        }
      },
      LINK_PAGE,
    )
    .post(
      '/:token/password',
      async ({ params: { token }, request }) => {
        const { requestId, locale } = asking(request)
        const undo = openUndo(deps, deps.db, token)
        if (undo.state !== 'undone') return show(request, token)
        const fields = await form(request)
        const [challengeId = '', code = '', newPassword = ''] = ['challengeId', 'code', 'newPassword'].map(
          (name) => fields.get(name)?.slice(0, 1024).normalize('NFC') ?? '',
        )
        try {
          await newPasswordAfterUndo(deps, { challengeId, code: code.replaceAll(/\s/g, ''), newPassword }, requestId)
        } catch (e) {
          if (!(e instanceof AppError) || e.details.retryAfter !== undefined) throw e
          if (e.code === 'challenge_gone') return passwordPage({ locale, token }, undefined, 'gone')
          return passwordPage({ locale, token }, challengeId, e.code === 'wrong_code' ? 'code' : 'password')
        }
        return setPage({ locale, token })
      },
      LINK_PAGE,
    )
}

/** An ADMIN's help for a user who lost phone or second factor; people manage their own on the provider's page. */
export const recoveryAdministration = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/users', tags: ['Administration'] })
    .use(http)
    .post(
      '/:id/recovery-code',
      async ({ caller, params, request, set }) => {
        set.status = 201
        set.headers['cache-control'] = 'no-store'
        return issueRecoveryCode(deps, { caller, requestId: edgeOf(request).requestId }, params.id)
      },
      {
        access: { roles: ADMINS, stepUp: true },
        body: Body({}),
        problems: ['invalid_state', 'own_account', 'demo_account', 'too_many_requests', 'identity_unavailable'],
        creates: ['/api/v1/admin/users/:id'],
        answers: { 201: RecoveryCode },
        detail: {
          summary: 'Issue a recovery code to a user who cannot receive codes',
          description: `Returns twelve digits, which are shown only this once and are valid for one day and one use. Hand them over to the user, who requests a password reset as usual and enters these digits in place of the code that was sent. A new recovery code invalidates the earlier one. The user gets a message on their number. The code of an ADMIN, and of somebody who was one within the last day, is valid from \`effectiveAt\`, a day later: the person is told at once, by WhatsApp and SMS, and can stop it or confirm it before; meanwhile another one is refused with 409 \`invalid_state\`, and more than ${RECOVERIES.most} recoveries of one person a day with 429.`,
          operationId: 'issueRecoveryCode',
          'x-idempotent': false,
        } as object,
      },
    )
    .delete(
      '/:id/second-factor',
      async ({ caller, params, request, set }) => {
        const row = await resetSecondFactor(deps, { caller, requestId: edgeOf(request).requestId }, params.id)
        if (!row) return new Response(null, { status: 204 })
        set.status = 202
        return toRecovery(deps.db)(row)
      },
      {
        access: { roles: ADMINS, stepUp: true },
        problems: ['invalid_state', 'own_account', 'too_many_requests', 'identity_unavailable'],
        answers: { 202: Recovery, 204: Type.Null() },
        detail: {
          summary: 'Remove the second factor of a user who lost it',
          description:
            "Deletes the user's apps, passkeys and recovery codes and ends their sessions; a message informs their number. If the organization requires a second factor, the user sets up a new one at the next sign-in. For an ADMIN, and for somebody who was one within the last day, answers 202: the second factor goes at `effectiveAt`, a day later, and the person can stop or confirm it as with a recovery code. Refused with 409 `invalid_state` if the user has no second factor or its removal waits already, and with 409 `own_account` for the caller's own: manage that at /realms/svc/account/security.",
          operationId: 'resetSecondFactor',
          'x-versioned': false,
        },
      },
    )

/** What waits before it lets an ADMIN back in. */
export const recoveries = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/account/recoveries', tags: ['Account'] })
    .use(http)
    .get('', ({ caller }) => visibleRecoveries(deps, caller).map(toRecovery(deps.db)), {
      access: EVERYONE,
      answers: { 200: Type.Array(Recovery, { maxItems: MOST_RECOVERIES }) },
      detail: {
        summary: 'List recoveries that can still be stopped',
        operationId: 'listRecoveries',
        description: `A recovery code or the removal of a second factor that one ADMIN asked for to let another back in. An ADMIN sees those of the organization, others those about themselves; newest first, at most ${MOST_RECOVERIES}.`,
      },
    })
    .post(
      '/:id/stop',
      ({ perform, body }) => perform({ body, run: (ctx, id) => toRecovery(ctx.tx)(stopRecovery(ctx, deps, id)) }),
      {
        access: EVERYONE,
        body: Body({}),
        problems: ['not_found', 'invalid_state'],
        answers: { 200: Recovery },
        detail: {
          summary: 'Stop a recovery',
          operationId: 'stopRecovery',
          'x-versioned': false,
          description:
            'For the person whom it is about, and for every ADMIN: its code opens nothing, and the second factor stays. Whoever asked for it, the person and the other ADMINs are told. Stopping again changes nothing; 409 `invalid_state` once it has taken effect.',
        },
      },
    )

/** Pages behind the link that a person receives when somebody else recovers their account. Opening one changes nothing. */
export function recoveryPages(deps: Deps, http: Http) {
  /** Renders the page of a link in its present state. */
  function show(request: Request, token: string): Response {
    const link = openRecovery(deps, deps.db, token)
    const chosen = languageChosen(request)
    const otherwise = languageOf(request, deps.config.locale)
    if (!('row' in link)) return recoveryPage({ locale: chosen ?? otherwise, token }, link.state)
    const { row, user } = link
    const locale = chosen ?? user.locale ?? otherwise
    const { timeZone = deps.config.timeZone } = findOrganization(deps.db, row.orgId) ?? {}
    const who = nameIn(deps.db, row.orgId, row.askedBy)
    return recoveryPage({ locale, token }, link.state, { ...row, who, timeZone })
  }
  const answered = async (request: Request, token: string, answer: 'stop' | 'confirm'): Promise<Response> => {
    try {
      await answerByLink(deps, token, answer, edgeOf(request).requestId)
    } catch (e) {
      if (!(e instanceof AppError && e.code === 'link_expired')) throw e
    }
    return show(request, token)
  }
  return new Elysia({ prefix: '/a' })
    .use(http)
    .get('/:token', ({ params: { token }, request }) => show(request, token), LINK_PAGE)
    .post('/:token/stop', ({ params: { token }, request }) => answered(request, token, 'stop'), LINK_PAGE)
    .post('/:token/confirm', ({ params: { token }, request }) => answered(request, token, 'confirm'), LINK_PAGE)
}
