/** What is in a cell; a rate is in basis points, a date is YYYY-MM-DD. */
export type CellKind = 'text' | 'amount' | 'count' | 'date' | 'rate'
export type Cell = string | number | undefined
export type Sheet = {
  readonly name: string
  readonly columns: readonly { readonly heading: string; readonly kind: CellKind }[]
  readonly rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>
}

/** Tables as files for office programs; `rest` yields to other work now and then. */
export type Tables = {
  /**
   * CSV as French and English Excel open it by a double click: UTF-8 with BOM, semicolons, formulas disarmed. The line of
   * headings comes first, then some hundred rows at a time.
   */
  readonly csv: (sheet: Sheet, locale: 'fr' | 'en', rest: () => Promise<void>) => AsyncGenerator<string>
  /** A sheet of a CSV or XLSX file as text. @throws validation_failed with a sentence: unknown format, or too large */
  readonly read: ReadTable
  /** XLSX of one sheet, streamed: real numbers and dates, a heading that stays in view; `at` is the time of its parts. */
  readonly xlsx: (sheet: Sheet, at: Date, rest: () => Promise<void>) => ReadableStream<Uint8Array<ArrayBuffer>>
}

/** A sheet as it was read; lines and columns count from 0. */
export type ReadSheet = {
  /** None where the file is CSV. */
  readonly name?: string
  readonly isHidden: boolean
  /** The cells as text, blank rows too. */
  readonly rows: string[][]
  /** The lines that a filter or a person has hidden. */
  readonly hiddenLines: ReadonlySet<number>
  /** The merged cells that reach over several lines; the first line holds the text. */
  readonly merged: readonly { readonly column: number; readonly from: number; readonly to: number }[]
  /** The cells, as `line:column`, whose formula no program has computed. */
  readonly uncomputed: ReadonlySet<string>
}
/** A sheet, and the names of the others in its file. */
export type ReadFile = ReadSheet & {
  readonly others: readonly { readonly name: string; readonly isHidden: boolean }[]
}

/** Reads the first sheet that is wanted; if none is, the first visible one. */
export type ReadTable = (
  bytes: Uint8Array<ArrayBuffer>,
  /** Largest number of rows below the first; a sheet with more is refused unread. */
  maxRows: number,
  rest: () => Promise<void>,
  options?: {
    readonly isWanted?: (sheet: ReadSheet) => boolean
    /** Lines that may stand above the headings beyond those rows. */
    readonly linesAbove?: number
  },
) => Promise<ReadFile>
