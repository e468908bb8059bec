import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'
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
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

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
