import { randomBytes } from 'node:crypto'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Db } from '../../../../../db/open.ts'
import { ACCOUNT } from '../clients.ts'
import type { PageContext } from '../pages/pages.ts'
import { PATHS } from '../paths.ts'
import { liveAccount } from '../rows/users.ts'
import { codesPage, type FactorForm, securityPage } from './factor-pages.ts'
import type { FactorText } from './factor-texts.ts'
import type { Factors } from './factors.ts'

/** Largest age of the sign-in for changes. */
const FRESH_SECONDS = 900

export type SecurityDeps = {
  readonly db: Db
  readonly factors: Factors
  readonly issuer: URL
  readonly pageOf: (ctx: KoaContextWithOIDC) => PageContext
  readonly formOf: (ctx: KoaContextWithOIDC) => Promise<URLSearchParams>
  readonly csrf: {
    readonly of: (what: string) => string
    readonly holds: (ctx: KoaContextWithOIDC, what: string, token: string | null) => boolean
  }
  readonly show: (ctx: KoaContextWithOIDC, status: number, page: string, script: boolean) => void
  readonly failed: (ctx: KoaContextWithOIDC) => void
}

/** A person's own page for second factors, behind a recent sign-in at this provider. */
export function createSecurity({ db, factors, issuer, pageOf, formOf, csrf, show, failed }: SecurityDeps) {
  const own = issuer.href + PATHS.security

  /** The sign-in returns here. Its code is never exchanged: nobody knows the PKCE verifier. */
  function signIn(ctx: KoaContextWithOIDC, lang: string): void {
    const params = new URLSearchParams({
      client_id: ACCOUNT,
      redirect_uri: own,
      response_type: 'code',
      scope: 'openid',
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
      max_age: String(FRESH_SECONDS - 60),
      ui_locales: lang,
    })
    ctx.status = 303
    ctx.redirect(`${issuer.pathname}${PATHS.authorization}?${params}`)
  }

  return async function security(ctx: KoaContextWithOIDC, provider: Provider): Promise<void> {
    const session = await provider.Session.get(ctx)
    const { accountId, loginTs = 0, acr, uid } = session
    const account = accountId === undefined ? undefined : liveAccount(db, accountId, loginTs)
    const recent = loginTs + FRESH_SECONDS > Date.now() / 1000
    const changed = account && loginTs < Math.floor(Date.parse(account.changedAt) / 1000)
    if (!account || !recent || changed || (factors.isRequired(account) && acr !== '2')) {
      // The sign-in was cancelled or refused: asking again would loop.
      if (ctx.query.error !== undefined) return failed(ctx)
      return signIn(ctx, pageOf(ctx).lang)
    }
    const form = ctx.method === 'POST' ? await formOf(ctx) : undefined
    ctx.query.lang ??= form?.get('lang') ?? undefined
    const page = pageOf(ctx)
    const action = issuer.pathname + PATHS.security
    const otherLang = `${action}?lang=${page.lang === 'fr' ? 'en' : 'fr'}`
    const base: FactorForm = { action, csrf: csrf.of(`security ${uid}`), otherLang }

    async function overview(error?: FactorText, done = false): Promise<void> {
      if (!account) return
      const list = factors.of(account.id)
      const passkey = await factors.passkeyToMake(uid, account)
      const offer = list.some((f) => f.kind === 'TOTP') ? undefined : factors.offered(uid, account)
      const content = { factors: list, codesLeft: factors.codesLeft(account.id), offer, changed: done }
      const html = securityPage(page, { ...base, error, passkey }, content)
      show(ctx, error === 'stale' ? 403 : 200, html, passkey !== undefined)
    }
    const codes = (list: readonly string[]): void => show(ctx, 200, codesPage(page, base, list), false)
    /** The first factor counts as second step for the session that set it up. */
    async function added(list: readonly string[] | undefined, by: string, error: FactorText): Promise<void> {
      if (!list) return overview(error)
      session.acr = '2'
      session.amr = ['pwd', by, 'mfa']
      await session.persist()
      return list.length > 0 ? codes(list) : overview(undefined, true)
    }

    if (!form) return overview()
    if (!csrf.holds(ctx, `security ${uid}`, form.get('csrf'))) return overview('stale')
    switch (form.get('step')) {
      case 'app':
        return added(await factors.addApp(uid, account, form.get('code') ?? '', uid), 'otp', 'wrongSetup')
      case 'new-passkey':
        return added(await factors.addPasskey(uid, account, form.get('answer') ?? '', uid), 'pop', 'notAdded')
      case 'remove':
        return overview(undefined, await factors.remove(account, form.get('factor') ?? '', uid))
      case 'renew':
        return factors.has(account.id) ? codes(await factors.renewCodes(account)) : overview()
      default:
        return overview(undefined, true)
    }
  }
}
