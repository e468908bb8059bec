/** A piece of a file: text leaves as UTF-8. */
export type Piece = string | Uint8Array

export type ArchiveFile = {
  /** Path inside the archive, with `/` between folders; see `core/files.ts` for what people named. */
  readonly name: string
  /** All of it, or pieces that are asked for one at a time. */
  readonly content: Piece | Iterable<Piece> | AsyncIterable<Piece>
  /** Already compressed (photos, PDF): kept as it is. */
  readonly stored?: boolean
}

/**
 * Packs files into a ZIP while it is read: a file is opened when its turn comes, and one piece is held at a time.
 * `at` is the time that every file carries. The stream fails with what a file fails with, and beyond what a ZIP without
 * extensions holds (65,535 files, 4 GiB); giving it up closes the file at hand.
 */
export type Zip = (
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  at: Date,
) => ReadableStream<Uint8Array<ArrayBuffer>>

/** A file to be read piece by piece: bytes from `start` up to `end`, fewer where it ends before. */
export type Readable = {
  readonly size: number
  readonly read: (start: number, end: number) => Uint8Array
}
export type ArchiveEntry = {
  readonly name: string
  /** As the archive says; `pieces` gives exactly this many bytes or fails. */
  readonly sizeBytes: number
  /** Unpacked while it is read, a piece at a time. */
  readonly pieces: () => Iterable<Uint8Array>
}
/**
 * The entries of a ZIP without extensions. Refused before anything is unpacked: more entries or bytes than `limits`, an
 * entry that claims to shrink more than text does, a name that is there twice or differs by case only, folders, links,
 * encryption. @throws Error where the archive is cut, is none, or unpacks to something else than it says
 */
export type Unzip = (
  archive: Readable,
  limits: { readonly entries: number; readonly bytes: number },
) => Promise<readonly ArchiveEntry[]>
