import type { Deps } from '../../../deps.ts'
import { storedLetters } from '../../news/reminders/store.ts'
import { fileName } from '../../papers/documents/rules.ts'
import { storedDocuments } from '../../papers/documents/store.ts'
import { type PaperKind, readPaper, type Work } from './service.ts'

/** Papers checked in one call. */
const SLICE = 500
const STORED = { document: storedDocuments, letter: storedLetters } as const

/**
 * Checks the files of all papers, a slice per call, and starts over at the end. It redraws those that are missing or
 * have the wrong length; damage within a file is found when it is downloaded. It breaks
 * off at a stop. @returns how many it redrew
 */
export function createMender(deps: Work & Pick<Deps, 'stopping'>): () => Promise<number> {
  const after: Record<PaperKind, string> = { document: '', letter: '' }
  return async () => {
    let mended = 0
    for (const kind of ['document', 'letter'] as const) {
      const rows = STORED[kind](deps.db, after[kind], SLICE)
      for (const { id, sha256, sizeBytes } of rows) {
        const file = await deps.documents.open(fileName(id, sha256 ?? ''))
        await file?.close()
        if (file?.sizeBytes !== sizeBytes)
          try {
            await readPaper(deps, kind, id)
            mended += 1
          } catch (e) {
            // During a stop no paper can be drawn, so this one may be sound.
            if (deps.stopping.aborted) return mended
            deps.log.error('document.lost', e, { documentId: id })
          }
        if (deps.stopping.aborted) return mended
      }
      after[kind] = rows.length < SLICE ? '' : (rows.at(-1)?.id ?? '')
    }
    return mended
  }
}
