import type { Tx } from '../../../../db/open.ts'
import type { Terms } from '../../../adapters/identity/port.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { insertConsent, latestConsents } from './store.ts'
import { LEGAL_DOCUMENTS, type Legal, type LegalDocument, type Locale } from './texts.ts'

/** @throws outdated_terms when either version accepted is not the current one */
export function checkAccepted(legal: Legal, terms: string, privacy: string): void {
  if (terms !== legal.current('terms').version || privacy !== legal.current('privacy').version)
    throw new AppError('outdated_terms')
}

const NAMES = { terms: 'TERMS', privacy: 'PRIVACY' } as const
type Accepting = {
  readonly orgId: string
  readonly userId: string
  readonly locale: Locale
  readonly acceptedAt: string
}
/** Records that somebody accepted the texts in force, in the language that they read. */
export function writeConsents(
  { legal, newId }: Pick<Deps, 'legal' | 'newId'>,
  tx: Tx,
  { locale, ...accepted }: Accepting,
): void {
  for (const document of LEGAL_DOCUMENTS) {
    const { version: documentVersion, sha256 } = legal.current(document)
    const text = { document: NAMES[document], documentVersion, textSha256: sha256[locale] }
    insertConsent(tx, { id: newId(), locale, ...accepted, ...text })
  }
}

/** What the sign-in asks of those who accepted an earlier text; accounts that the operator made never accepted one. */
export function termsInForce(deps: Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'legal'>): Terms {
  const { db, write, legal, clock } = deps
  const isCurrent = (versions: { readonly terms: string; readonly privacy: string }): boolean =>
    LEGAL_DOCUMENTS.every((document) => legal.current(document).version === versions[document])
  const textOf = (document: LegalDocument, locale: Locale) => {
    const { version, text } = legal.current(document)
    return { version, text: text[locale] }
  }
  return {
    texts: (locale) => ({ terms: textOf('terms', locale), privacy: textOf('privacy', locale) }),
    isDue({ id, orgId }) {
      const accepted = latestConsents(db, orgId, id)
      return LEGAL_DOCUMENTS.some((document) => {
        const last = accepted.find((row) => row.document === NAMES[document])
        return last !== undefined && last.version !== legal.current(document).version
      })
    },
    async accept({ id, orgId }, locale, versions) {
      if (!isCurrent(versions)) return false
      await write(orgId, (tx) => {
        const ctx = systemCtx({ ...deps, clock }, tx, orgId, `sign-in-${deps.newId()}`)
        writeConsents(deps, tx, { orgId, userId: id, locale, acceptedAt: ctx.now })
        record({ ...ctx, caller: { ...ctx.caller, userId: id } }, 'user.accept_terms', {
          type: 'user',
          after: { id },
          details: versions,
        })
      })
      return true
    },
  }
}
