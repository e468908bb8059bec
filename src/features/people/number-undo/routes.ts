import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { readBytes } from '../../../http/body.ts'
import { edgeOf, languageChosen, languageOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { closedPage, openPage, passwordPage, setPage, undonePage } from '../../../web/number-undo.ts'
import { findOrganization } from '../organizations/store.ts'
import { codeAfterUndo, newPasswordAfterUndo, openUndo, undoPhoneChange } from './service.ts'

const PAGE = { parse: 'none', detail: { hide: true, 'x-roles': 'public' } as object } as const
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
    const asked = languageChosen(request)
    return { address, requestId, asked, locale: asked ?? languageOf(request, deps.config.locale) }
  }
  /** Renders the page of a link in its present state. */
  function show(request: Request, token: string): Response {
    const found = openUndo(deps, deps.db, token)
    const { asked, locale: otherwise } = asking(request)
    if (!('row' in found)) return closedPage({ locale: asked ?? otherwise, token }, found.state)
    const { row, user } = found
    const locale = asked ?? user.locale ?? otherwise
    if (found.state === 'undone') return undonePage({ locale, token })
    const { timeZone = deps.config.timeZone } = findOrganization(deps.db, row.orgId) ?? {}
    return openPage({ locale, token }, row, timeZone)
  }
  return new Elysia({ prefix: '/u' })
    .use(http)
    .get('/:token', ({ params: { token }, request }) => show(request, token), PAGE)
    .post(
      '/:token',
      async ({ params: { token }, request }) => {
        const { address, requestId, locale } = asking(request)
        const undoing = { address, requestId, locale }
        try {
          await undoPhoneChange(deps, token, undoing)
        } catch (e) {
          if (e instanceof AppError && e.code === 'link_expired') return show(request, token)
          if (e instanceof AppError && e.code === 'duplicate') return closedPage({ locale, token }, 'taken')
          throw e
        }
        const challenge = await codeAfterUndo(deps, token, undoing)
        return passwordPage({ locale, token }, challenge?.challengeId, 'restored')
      },
      PAGE,
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
      PAGE,
    )
    .post(
      '/:token/password',
      async ({ params: { token }, request }) => {
        const { requestId, locale } = asking(request)
        const found = openUndo(deps, deps.db, token)
        if (found.state !== 'undone') return show(request, token)
        const given = await form(request)
        const [challengeId = '', code = '', newPassword = ''] = ['challengeId', 'code', 'newPassword'].map(
          (name) => given.get(name)?.slice(0, 1024).normalize('NFC') ?? '',
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
      PAGE,
    )
}
