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
  /** The rows of a CSV or XLSX file as text. @throws validation_failed with a sentence: unknown format, or too large */
  readonly read: ReadTable
  /** XLSX of one sheet, streamed: real numbers and dates, a heading that stays in view; `at` is the time of its parts. */
  readonly xlsx: (sheet: Sheet, at: Date, rest: () => Promise<void>) => ReadableStream<Uint8Array<ArrayBuffer>>
}

/** Reads the rows of a CSV or XLSX file (the first sheet) as text, blank rows too. */
export type ReadTable = (
  bytes: Uint8Array<ArrayBuffer>,
  /** Largest number of rows below the headings; a file with more is refused unread. */
  maxRows: number,
  rest: () => Promise<void>,
) => Promise<string[][]>
