import { randomBytes } from 'node:crypto'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Db } from '../../../../../db/open.ts'
import { AppError } from '../../../../errors.ts'
import { PATHS } from '../paths.ts'
import { idleSince } from '../policy.ts'
import type { OidcStore } from '../rows/store.ts'
import { type AccountRow, liveAccount } from '../rows/users.ts'
import { formTarget } from './login.ts'

type Ctx = KoaContextWithOIDC
type Work<T> = (ctx: Ctx, provider: Provider) => Promise<T>
/** Hands a request to the provider under a path of its own. */
type Run = (path: string) => Promise<Response>

export type Resumed = { readonly href: string; readonly target: string }
type VisitDeps = { readonly db: Db; readonly store: OidcStore; readonly issuer: URL }

/**
 * Answers questions of the service's own pages about the provider's session in a browser. The provider reads and writes its cookies
 * only within a request of its own, so each question runs as one, under a random path that no client can ask for.
 */
export function createVisits({ db, store, issuer }: VisitDeps) {
  const waiting = new Map<string, Work<void>>()

  async function within<T>(run: Run, work: Work<T>): Promise<{ readonly value: T; readonly cookies: string[] }> {
    const path = `/inside/${randomBytes(16).toString('base64url')}`
    const results: T[] = []
    waiting.set(path, async (ctx, provider) => {
      results.push(await work(ctx, provider))
      ctx.status = 204
    })
    try {
      const { headers } = await run(path)
      const [value] = results
      // The provider's own error handler has logged the reason.
      if (value === undefined) throw new AppError('internal')
      return { value, cookies: headers.getSetCookie() }
    } finally {
      waiting.delete(path)
    }
  }

  return {
    /** The work that waits under this path. */
    at: (path: string): Work<void> | undefined => waiting.get(path),
    /** The account that is signed in, or null. */
    who: async (run: Run): Promise<AccountRow | null> => {
      const { value } = await within(run, async (ctx, provider) => {
        const { accountId, loginTs } = await provider.Session.get(ctx)
        return (accountId === undefined ? undefined : liveAccount(db, accountId, loginTs)) ?? null
      })
      return value
    },
    /** Signs an account in; the session that the browser had before ends. @returns Set-Cookie headers */
    begin: async (run: Run, accountId: string, amr: string[]): Promise<string[]> => {
      const { cookies } = await within(run, async (ctx, provider) => {
        const before = await provider.Session.get(ctx)
        if (before.accountId !== undefined) await store.endSession(before.accountId, before.uid)
        const session = new provider.Session()
        const now = Math.floor(Date.now() / 1000)
        session.loginAccount({ accountId, loginTs: now, acr: '1', amr })
        const seconds = idleSince(now)
        await session.save(seconds)
        ctx.cookies.set(provider.cookieName('session'), session.jti, {
          expires: new Date((now + seconds) * 1000),
          httpOnly: true,
          overwrite: true,
          sameSite: 'lax',
          secure: issuer.protocol === 'https:',
          signed: true,
        })
        return true
      })
      return cookies
    },
    /** The address that continues an unfinished sign-in, and the target that its form-action policy must allow; null if expired. */
    resume: async (run: Run, uid: string): Promise<Resumed | null> => {
      const { value } = await within(run, async (_ctx, provider) => {
        const { params } = (await provider.Interaction.find(uid)) ?? {}
        if (params === undefined) return null
        const query = new URLSearchParams()
        // The person has just proved who they are: to ask once more, as `prompt=login` wants, would end nowhere.
        for (const [name, of] of Object.entries(params))
          if (typeof of === 'string' && name !== 'prompt') query.set(name, of)
        const href = `${issuer.href}${PATHS.authorization}?${query}`
        return { href, target: formTarget(query.get('redirect_uri') ?? undefined) }
      })
      return value
    },
  }
}
