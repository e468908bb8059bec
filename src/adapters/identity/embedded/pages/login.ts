import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Configuration, Interaction, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { PASSWORDS } from '../../../../core/budgets.ts'
import { AppError } from '../../../../errors.ts'
import type { Terms } from '../../port.ts'
import { ANNOUNCED } from '../claims.ts'
import type { Proved, SecondStep } from '../factors/second-step.ts'
import { createSecurity, type SecurityDeps } from '../factors/security.ts'
import { PATHS } from '../paths.ts'
import { TERMS_CHANGED } from '../policy.ts'
import type { OidcStore } from '../rows/store.ts'
import { liveAccount } from '../rows/users.ts'
import { readBrowser } from './browsers.ts'
import { consentPage } from './consent.ts'
import {
  errorPage,
  type HelpLinks,
  loggedOutPage,
  loginPage,
  logoutPage,
  type PageContext,
  switchPage,
} from './pages.ts'
import type { SignIn } from './sign-in.ts'
import { chooseLang, type TextKey } from './texts.ts'

type Ctx = KoaContextWithOIDC
/** The cookie that marks a browser as known for the accounts that signed in with it. */
const KNOWN = 'loyer_known'
/** Koa's context carries the library's part only within one of the library's routes. */
const oidcOf = (ctx: Ctx): Ctx['oidc'] | undefined => ('oidc' in ctx ? ctx.oidc : undefined)

export type PageDeps = {
  readonly issuer: URL
  /** Start page of the product, for visitors without an app to return to. */
  readonly home: string
  readonly links: HelpLinks
  readonly csrfKey: Uint8Array
  readonly masterKey: Uint8Array
  readonly signIn: SignIn
  readonly store: OidcStore
  readonly second: SecondStep
  readonly terms: Terms | undefined
  /** What the service's own pages ask the provider under this path. */
  readonly visitAt: (path: string) => ((ctx: Ctx, provider: Provider) => Promise<void>) | undefined
} & Pick<SecurityDeps, 'db' | 'factors'>

/** Chrome applies form-action to redirects after a form post too, so the page must name the redirect target. */
export function formTarget(uri: string | undefined): string {
  const url = uri === undefined ? null : URL.parse(uri)
  if (!url) return ''
  // A host source cannot be an IPv6 address.
  return /^https?:$/.test(url.protocol) && !url.hostname.startsWith('[') ? url.origin : url.protocol
}

async function formOf(ctx: Ctx): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(ctx.get('content-type'))) return new URLSearchParams()
  const chunks: Buffer[] = []
  for await (const chunk of ctx.req) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/** The pages that people see, as Koa functions: sign-in, sign-out, errors. */
export function createPages(deps: PageDeps) {
  const { issuer, home, links, csrfKey, masterKey, signIn, store, second, db, factors, visitAt, terms } = deps
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const pageOf = (ctx: Ctx, ...wishes: (string | undefined)[]): PageContext => ({
    lang: chooseLang([textOf(ctx.query.lang), ...wishes, textOf(ctx.query.ui_locales)], ctx.get('accept-language')),
    base: issuer.pathname,
    home,
    links,
  })

  function show(ctx: Ctx, status: number, page: string, target?: string, script = false): void {
    ctx.status = status
    ctx.type = 'text/html; charset=utf-8'
    ctx.set(
      'Content-Security-Policy',
      `default-src 'none'; ${script ? "script-src 'self'; " : ''}style-src 'self'; img-src 'self'; form-action 'self' ${issuer.origin} ${formTarget(target)}`.trimEnd() +
        `; base-uri 'none'; frame-ancestors 'none'`,
    )
    ctx.set('Vary', 'Accept-Language')
    ctx.body = page
  }

  /** The CSRF token is bound to this sign-in, whose address and cookie only this browser has. */
  const tokenOf = (what: string): string => createHmac('sha256', csrfKey).update(what).digest('base64url')
  const csrfOf = (uid: string): string => tokenOf(`login ${uid}`)
  const csrfHolds = (ctx: Ctx, uid: string, token: string | null): boolean => tokenHolds(ctx, `login ${uid}`, token)
  function tokenHolds(ctx: Ctx, what: string, token: string | null): boolean {
    const [a, b] = [Buffer.from(tokenOf(what)), Buffer.from(token ?? '')]
    const site = ctx.get('sec-fetch-site')
    return a.length === b.length && timingSafeEqual(a, b) && (site === '' || site === 'same-origin')
  }

  /** Signs the account in; the session of another account in this browser ends, and this sign-in starts a new one. */
  async function finish(interaction: Interaction, account: Proved, acr: string, amr: string[]): Promise<void> {
    const { id: accountId, changedAt: password } = account
    const before = interaction.session
    if (before && before.accountId !== accountId) {
      await store.endSession(before.accountId, before.uid)
      interaction.session = undefined
    }
    interaction.result = { login: { accountId, ts: Math.floor(Date.now() / 1000), acr, amr }, password }
    await interaction.persist()
  }

  async function submit(
    ctx: Ctx,
    interaction: Interaction,
    form: URLSearchParams,
  ): Promise<TextKey | 'moved' | undefined> {
    if (!csrfHolds(ctx, interaction.uid, form.get('csrf'))) return 'stale'
    const [username, password] = [form.get('username')?.trim() ?? '', form.get('password') ?? '']
    ctx.query.username = username
    if (username === '' || password === '') return 'empty'
    try {
      const browser = readBrowser(masterKey, ctx.cookies.get(KNOWN, { signed: false }))
      const user = await signIn(username, password, ctx.ip, { browser })
      // Wrong passwords entered by strangers do not lock out this browser.
      ctx.cookies.set(KNOWN, browser.value(), {
        path: issuer.pathname,
        maxAge: PASSWORDS.knownMs,
        httpOnly: true,
        sameSite: 'lax',
        secure: issuer.protocol === 'https:',
        signed: false,
      })
      if (second.begin(interaction, user)) await interaction.persist()
      else await finish(interaction, user, '1', ['pwd'])
      return undefined
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.details.movedTo !== undefined) {
        ctx.status = 303
        ctx.redirect(`${error.details.movedTo}/`)
        return 'moved'
      }
      if (error.details.retryAfter !== undefined) ctx.set('Retry-After', String(error.details.retryAfter))
      return error.code === 'invalid_credentials' ? 'wrong' : error.code === 'too_many_requests' ? 'tooMany' : 'busy'
    }
  }
  const STATUS: Partial<Record<TextKey, number>> = { stale: 403, tooMany: 429, busy: 503 }

  /** The page or answer of the second step; true once it has redirected elsewhere. */
  async function secondStep(ctx: Ctx, interaction: Interaction, form: URLSearchParams | undefined): Promise<boolean> {
    const page = pageOf(ctx, textOf(interaction.params.ui_locales))
    const action = issuer.pathname + ctx.path
    const otherLang = `${action}?lang=${page.lang === 'fr' ? 'en' : 'fr'}`
    const holds = form && csrfHolds(ctx, interaction.uid, form.get('csrf'))
    const base = { action, csrf: csrfOf(interaction.uid), otherLang }
    const step = await second.step(
      interaction,
      page,
      form && !holds ? { ...base, error: 'stale' } : base,
      holds ? form : undefined,
      { address: ctx.ip, browser: readBrowser(masterKey, ctx.cookies.get(KNOWN, { signed: false })) },
    )
    if (step.next === 'page') {
      const status = form && !holds ? 403 : step.status
      show(ctx, status, step.page, textOf(interaction.params.redirect_uri), step.script)
      return false
    }
    if (step.next === 'signed-in') await finish(interaction, step.account, '2', step.amr)
    return true
  }

  /** The changed terms, and their acceptance; true once there is nothing left to accept. */
  async function consent(ctx: Ctx, interaction: Interaction): Promise<boolean> {
    const { accountId = '' } = interaction.session ?? {}
    const account = liveAccount(db, accountId)
    if (!terms || !account) return true
    const form = ctx.method === 'POST' ? await formOf(ctx) : undefined
    ctx.query.lang ??= form?.get('lang') ?? undefined
    const page = pageOf(ctx, textOf(interaction.params.ui_locales))
    const versions = { terms: form?.get('terms') ?? '', privacy: form?.get('privacy') ?? '' }
    const holds = form && csrfHolds(ctx, interaction.uid, form.get('csrf'))
    if (holds && (await terms.accept(account, page.lang, versions))) return true
    const action = issuer.pathname + ctx.path
    const otherLang = `${action}?lang=${page.lang === 'fr' ? 'en' : 'fr'}`
    const error = !form ? undefined : holds ? 'bothBoxes' : 'stale'
    const content = { action, csrf: csrfOf(interaction.uid), otherLang, error } as const
    const text = consentPage(page, content, terms.texts(page.lang))
    show(ctx, error === 'stale' ? 403 : error ? 422 : 200, text, textOf(interaction.params.redirect_uri))
    return false
  }

  async function login(ctx: Ctx, provider: Provider): Promise<void> {
    const uid = ctx.path.slice(PATHS.login.length)
    const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch(() => undefined)
    if (!interaction || interaction.uid !== uid)
      return show(ctx, 400, errorPage(pageOf(ctx), 'expiredTitle', 'expired'))
    if (interaction.prompt.name === 'consent') {
      if (interaction.prompt.reasons.includes(TERMS_CHANGED) && !(await consent(ctx, interaction))) return
      interaction.result = { ...interaction.lastSubmission, consent: {} }
      await interaction.persist()
    } else {
      const form = ctx.method === 'POST' ? await formOf(ctx) : undefined
      ctx.query.lang ??= form?.get('lang') ?? undefined
      const waits = second.waits(interaction) && !form?.has('password')
      if (waits && !(await secondStep(ctx, interaction, form))) return
      const error = form && !waits ? await submit(ctx, interaction, form) : undefined
      if (error === 'moved') return
      if (!waits && (!form || error)) {
        const page = pageOf(ctx, textOf(interaction.params.ui_locales))
        const action = issuer.pathname + ctx.path
        const username = textOf(ctx.query.username) ?? textOf(interaction.params.login_hint)
        const otherLang = `${action}?lang=${page.lang === 'fr' ? 'en' : 'fr'}`
        const content = { action, csrf: csrfOf(uid), username, error, otherLang }
        return show(
          ctx,
          error ? (STATUS[error] ?? 200) : 200,
          loginPage(page, content),
          textOf(interaction.params.redirect_uri),
        )
      }
    }
    ctx.status = 303
    // Until both steps are passed, the form posts to this page.
    const done = interaction.result?.login ?? interaction.result?.consent
    ctx.redirect(done ? interaction.returnTo : issuer.pathname + ctx.path + languageQuery(ctx))
  }
  const languageQuery = (ctx: Ctx): string => {
    const lang = textOf(ctx.query.lang)
    return lang === 'fr' || lang === 'en' ? `?lang=${lang}` : ''
  }

  const secretOf = (ctx: Ctx): string => textOf(oidcOf(ctx)?.session?.state?.secret) ?? ''
  const returnUriOf = (ctx: Ctx): string | undefined => textOf(oidcOf(ctx)?.session?.state?.postLogoutRedirectUri)

  const renderError: Configuration['renderError'] = (ctx, out, error) => {
    const expired = error.name === 'SessionNotFound'
    const text = out.error === 'server_error' ? 'errorServer' : 'errorClient'
    const page = pageOf(ctx, textOf(oidcOf(ctx)?.params?.ui_locales))
    if (expired) show(ctx, ctx.status, errorPage(page, 'expiredTitle', 'expired'))
    else
      show(
        ctx,
        ctx.status,
        errorPage(page, 'errorTitle', text, [out.error, out.error_description].filter(Boolean).join(': ')),
      )
  }

  const security = createSecurity({
    db,
    factors,
    issuer,
    pageOf,
    formOf,
    csrf: { of: tokenOf, holds: tokenHolds },
    show: (ctx, status, page, script) => show(ctx, status, page, undefined, script),
    failed: (ctx) => show(ctx, 400, errorPage(pageOf(ctx), 'errorTitle', 'expired')),
  })

  return {
    renderError,
    logout: (ctx: KoaContextWithOIDC) => {
      const page = pageOf(ctx, textOf(ctx.oidc.params?.ui_locales))
      const post = { action: ctx.oidc.urlFor('end_session_confirm'), fields: { xsrf: secretOf(ctx) } }
      show(ctx, 200, logoutPage(page, post), returnUriOf(ctx))
    },
    loggedOut: (ctx: KoaContextWithOIDC) => show(ctx, 200, loggedOutPage(pageOf(ctx))),
    /** Runs before the provider's own routes. */
    middleware:
      (provider: Provider) =>
      async (ctx: Ctx, next: () => Promise<unknown>): Promise<void> => {
        const visit = visitAt(ctx.path)
        if (visit) return visit(ctx, provider)
        if (ctx.path.startsWith(PATHS.login) && (ctx.method === 'GET' || ctx.method === 'POST')) {
          ctx.set('Cache-Control', 'no-store')
          return login(ctx, provider)
        }
        if (ctx.path === PATHS.security && (ctx.method === 'GET' || ctx.method === 'POST')) {
          ctx.set('Cache-Control', 'no-store')
          return security(ctx, provider)
        }
        await next()
        if (ctx.path.startsWith('/.well-known/') && typeof ctx.body === 'object')
          // The library lists all response modes that it knows, though svc-mobile may use only one, and too few claims.
          Object.assign(ctx.body ?? {}, { response_modes_supported: ['query'], claims_supported: ANNOUNCED })
        // Some pages of the library submit themselves by a script, which our CSP forbids.
        const automatic = typeof ctx.body === 'string' && ctx.body.includes('document.forms[0]')
        if (!automatic || !oidcOf(ctx)) return
        const action = ctx.oidc.urlFor('end_session_confirm')
        const { route } = ctx.oidc
        if (route === 'resume') {
          const fields = { xsrf: secretOf(ctx), logout: 'yes' }
          return show(ctx, 200, switchPage(pageOf(ctx), { action, fields }), returnUriOf(ctx))
        }
        // The error would be posted to the app (form_post), which none of our clients may ask for.
        if (route !== 'end_session') return show(ctx, 400, errorPage(pageOf(ctx), 'errorTitle', 'errorClient'))
        // Nobody was signed in, so there is nothing to confirm.
        const { state } = ctx.oidc.params ?? {}
        const target = new URL(returnUriOf(ctx) ?? ctx.oidc.urlFor('end_session_success'))
        if (returnUriOf(ctx) !== undefined && typeof state === 'string') target.searchParams.set('state', state)
        ctx.status = 303
        ctx.redirect(target.href)
      },
  }
}
