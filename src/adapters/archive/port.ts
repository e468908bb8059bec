/** A chunk of a file; text is written as UTF-8. */
export type Piece = string | Uint8Array

export type ArchiveFile = {
  /** Path inside the archive, with `/` between folders; `core/file-names.ts` cleans names that users chose. */
  readonly name: string
  /** The whole content, or chunks that are read one at a time. */
  readonly content: Piece | Iterable<Piece> | AsyncIterable<Piece>
  /** Already compressed (photos, PDF): stored without compression. */
  readonly stored?: boolean
}

/**
 * Streams files as a ZIP: each file is opened when its turn comes, and one chunk is in memory at a time. `at` is the
 * modification time of every entry. The stream fails when reading a file fails, and beyond the limits of a ZIP without
 * extensions (65,535 files, 4 GiB); cancelling it closes the open file.
 */
export type Zip = (
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  at: Date,
) => ReadableStream<Uint8Array<ArrayBuffer>>

/** A file that is read chunk by chunk: the bytes from `start` up to `end`, fewer where the file ends earlier. */
export type Readable = {
  readonly size: number
  readonly read: (start: number, end: number) => Uint8Array
}
export type ArchiveEntry = {
  readonly name: string
  /** The size that the archive states; `pieces` yields exactly this many bytes or fails. */
  readonly sizeBytes: number
  /** Decompressed while it is read, a chunk at a time. */
  readonly pieces: () => Iterable<Uint8Array>
}
/**
 * The entries of a ZIP without extensions. Refused before anything is unpacked: more entries or bytes than `limits`, an
 * entry with an implausible compression ratio, duplicate names (also by case only), folders, links, encryption. @throws
 * Error where the archive is truncated, is no ZIP, or does not match its directory
 */
export type Unzip = (
  archive: Readable,
  limits: { readonly entries: number; readonly bytes: number },
) => Promise<readonly ArchiveEntry[]>
