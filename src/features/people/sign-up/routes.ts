import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { normalizePhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { ERRORS } from '../../../error-codes.ts'
import { AppError } from '../../../errors.ts'
import { createForms, PAGE, seeOther } from '../../../http/forms.ts'
import { edgeOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { PersonName } from '../../../http/schema.ts'
import { createSignedCookie } from '../../../http/signed-cookie.ts'
import { codePage, endPage, finishPage, phonePage, type Step, type Way } from '../../../web/doors/sign-up.ts'
import { WORDS } from '../../../web/doors/words.ts'
import { CHANNELS, RESEND_MS } from '../challenges/rules.ts'
import { signUp } from './service.ts'

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

  const showCode = (step: Step, kept: SentCode): Response =>
    codePage(step, {
      ...kept,
      at: time(step.locale, kept.sentAt),
      againAt: time(step.locale, kept.sentAt + RESEND_MS + 59_999),
      wait: Math.max(0, Math.ceil((kept.sentAt + RESEND_MS - clock.wall()) / 1000)),
      channels,
      messages: config.sandbox ? `/api/v1/sandbox/messages?to=${encodeURIComponent(kept.phoneNumber)}` : undefined,
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
    const found = UID.test(back) ? await embedded.resume(request, edgeOf(request).address, back) : null
    return found ?? { href: otherwise, target: '' }
  }

  for (const way of ['register', 'recover'] as const) {
    const cookie = cookies[way]
    routes
      .get(
        `/${way}`,
        ({ request }) => {
          const back = new URL(request.url).searchParams.get('back') ?? ''
          const kept = cookie.read(request)
          const shown = { phoneNumber: kept?.phoneNumber ?? '', back: UID.test(back) ? back : (kept?.back ?? '') }
          return forms.elsewhere(request) ?? phonePage(stepOf(way, request), shown)
        },
        PAGE,
      )
      .post(
        `/${way}`,
        async ({ request }) => {
          // The address is gone with the connection: read it before anything is awaited.
          edgeOf(request).readAddress()
          const given = await forms.fieldsOf(request)
          const step = stepOf(way, request)
          const back = UID.test(given('back')) ? given('back') : ''
          const typed = { phoneNumber: given('phoneNumber').slice(0, 40), back }
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
          const kept = cookie.read(request)
          return kept ? showCode(stepOf(way, request), kept) : seeOther(`/${way}`)
        },
        PAGE,
      )
  }

  return routes
    .post(
      '/register/code',
      async ({ request }) => {
        const given = await forms.fieldsOf(request)
        const step = stepOf('register', request)
        const kept = cookies.register.read(request)
        if (!kept) return seeOther('/register')
        try {
          const resendBy = CHANNELS.find((channel) => channel === given('again'))
          if (resendBy)
            return seeOther(`/register/code${step.lang}`, [
              await ask('register', request, kept.phoneNumber, kept.back, resendBy),
            ])
          const code = given('code').replaceAll(/\D/g, '')
          const { ticket } = await signUp.verifyRegistration(deps, kept.challengeId, code)
          return seeOther(`/register/finish${step.lang}`, [cookies.register.put({ ...kept, ticket })])
        } catch (e) {
          return showCode(refused(step, e, given('again') === '' ? 'code' : ''), kept)
        }
      },
      PAGE,
    )
    .get(
      '/register/finish',
      async ({ request }) => {
        const step = stepOf('register', request)
        const kept = cookies.register.read(request)
        if (kept?.ticket === undefined) return seeOther('/register')
        const { target } = await goOn(request, kept.back, '/')
        return finishPage(step, { firstName: '', lastName: '' }, terms.texts(step.locale), target)
      },
      PAGE,
    )
    .post(
      '/register/finish',
      async ({ request }) => {
        const { requestId, address } = edgeOf(request)
        const given = await forms.fieldsOf(request)
        const step = stepOf('register', request)
        const kept = cookies.register.read(request)
        if (kept?.ticket === undefined) return seeOther('/register')
        const name = { firstName: given('firstName').trim(), lastName: given('lastName').trim() }
        const w = WORDS[step.locale]
        const { target, href } = await goOn(request, kept.back, '/')
        const show = (now: Step) => finishPage(now, name, terms.texts(step.locale), target)
        const missing = Object.entries(name).filter(([, value]) => !Value.Check(PersonName, value))
        if (missing.length > 0)
          return show(
            wrong(step, Object.fromEntries(missing.map(([of, value]) => [of, value === '' ? w.missing : w.wrongName]))),
          )
        if (given('terms') === '' || given('privacy') === '') return show(wrong(step, { '': w.bothBoxes }))
        try {
          const { userId } = await signUp.completeRegistration(
            deps,
            {
              ...name,
              ticket: kept.ticket,
              password: given('password'),
              acceptedTermsVersion: given('terms'),
              acceptedPrivacyVersion: given('privacy'),
            },
            { locale: step.locale, requestId, address },
          )
          const session = await embedded.beginSession(request, address, userId, ['pwd'])
          return seeOther(href, [...session, cookies.register.drop()])
        } catch (e) {
          if (e instanceof AppError && e.code === 'duplicate')
            return endPage({ ...step, status: 409 }, 'known', kept.back === '' ? '/console' : href)
          if (e instanceof AppError && e.code === 'ticket_invalid')
            return phonePage(refused(step, e), { phoneNumber: kept.phoneNumber, back: kept.back })
          return show(passwordFault(step, e, 'password'))
        }
      },
      PAGE,
    )
    .post(
      '/recover/code',
      async ({ request }) => {
        const { requestId } = edgeOf(request)
        const given = await forms.fieldsOf(request)
        const step = stepOf('recover', request)
        const kept = cookies.recover.read(request)
        if (!kept) return seeOther('/recover')
        const { challengeId, phoneNumber, back } = kept
        try {
          const resendBy = CHANNELS.find((channel) => channel === given('again'))
          if (resendBy)
            return seeOther(`/recover/code${step.lang}`, [await ask('recover', request, phoneNumber, back, resendBy)])
          const code = given('code').replaceAll(/\D/g, '')
          await signUp.completeReset(deps, { challengeId, code, newPassword: given('newPassword') }, requestId)
          const { href } = await goOn(request, back, '/console')
          return endPage({ ...step, cookies: [cookies.recover.drop()] }, 'done', href)
        } catch (e) {
          const isCode = e instanceof AppError && ['wrong_code', 'challenge_gone'].includes(e.code)
          return showCode(isCode ? refused(step, e, 'code') : passwordFault(step, e, 'newPassword'), kept)
        }
      },
      PAGE,
    )
}
