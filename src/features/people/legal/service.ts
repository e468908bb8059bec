import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '../../../../db/open.ts'
import type { Terms } from '../../../adapters/identity/port.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { insertConsent, latestConsents } from './store.ts'
import { SHIPPED, SHIPPED_VERSION } from './texts.ts'

export const LEGAL_DOCUMENTS = ['terms', 'privacy'] as const
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number]
type Locale = 'fr' | 'en'
type Edition = {
  readonly version: string
  readonly text: Readonly<Record<Locale, string>>
  readonly sha256: Readonly<Record<Locale, string>>
}
export type Legal = {
  readonly current: (document: LegalDocument) => Edition
  readonly find: (document: LegalDocument, version: string) => Edition | undefined
}

const VERSION = /^(\d{4}-\d{2}-\d{2}[a-z0-9.-]{0,20})\.(fr|en)\.md$/
const edition = (version: string, text: Record<Locale, string>): Edition => ({
  version,
  text,
  sha256: { fr: sha256(text.fr), en: sha256(text.en) },
})
const sha256 = (text: string): string => hash('sha256', text, 'hex')

/**
 * The terms and privacy texts: those shipped, or the operator's own in
 * `<data>/legal/{terms,privacy}/<version>.{fr,en}.md`. They are read once, at start; the newest version by name
 * applies, and it needs both languages.
 */
export function readLegal(dataDir: string): Legal {
  const editions = (document: LegalDocument): Edition[] => {
    const folder = join(dataDir, 'legal', document)
    const own = new Map<string, Partial<Record<Locale, string>>>()
    for (const file of existsSync(folder) ? readdirSync(folder).sort() : []) {
      const [, version, locale] = VERSION.exec(file) ?? []
      if (version !== undefined)
        own.set(version, { ...own.get(version), [locale as Locale]: readFileSync(join(folder, file), 'utf8') })
    }
    const complete = [...own].flatMap(([version, { fr, en }]) =>
      fr === undefined || en === undefined ? [] : [edition(version, { fr, en })],
    )
    return [edition(SHIPPED_VERSION, SHIPPED[document]), ...complete].sort((a, b) => (a.version < b.version ? -1 : 1))
  }
  const all = { terms: editions('terms'), privacy: editions('privacy') }
  return {
    current: (document) => {
      const own = all[document].filter((e) => e.version !== SHIPPED_VERSION)
      const newest = own.at(-1) ?? all[document].at(-1)
      if (!newest) throw new Error('there is always a shipped text')
      return newest
    },
    find: (document, version) => all[document].find((e) => e.version === version),
  }
}

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
