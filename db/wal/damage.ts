import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// https://sqlite.org/fileformat2.html#the_write_ahead_log
const HEADER = 32
const FRAME = 24
/** Of a log whose sums are over words in the order of this machine's bytes; Loyer runs on no machine of the other. */
const MAGIC = 0x377f0682
const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
const PAGE = 4096

/** The sums of a log, which go on from frame to frame, over the 32-bit words `from` to `to`. */
function summing() {
  let first = 0
  let second = 0
  return (words: Int32Array, from: number, to: number): readonly [number, number] => {
    for (let i = from; i < to; i += 2) {
      first = (first + (words[i] ?? 0) + second) | 0
      second = (second + (words[i + 1] ?? 0) + first) | 0
    }
    return [first, second]
  }
}

const wordsOf = (bytes: Buffer) => new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)

/**
 * Where a write-ahead log is damaged before changes that were saved, as the number of bytes before it that are whole;
 * undefined for a sound one. SQLite itself leaves out all that follows the damage and says nothing. What a crash left
 * half written is no damage: a commit that another frame follows was on disk before that frame was written.
 */
export function breakOf(log: string): number | undefined {
  const file = openSync(log, 'r')
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(HEADER)
    if (readSync(file, head, 0, HEADER, 0) < HEADER) return undefined
    const pageSize = PAGE_SIZES.find((n) => n === head.readUInt32BE(8)) ?? PAGE
    const sums = summing()
    const agrees = ([first, second]: readonly [number, number], bytes: Buffer, at: number): boolean =>
      bytes.readInt32BE(at) === first && bytes.readInt32BE(at + 4) === second
    let whole = head.readUInt32BE(0) === MAGIC && agrees(sums(wordsOf(head), 0, 6), head, 24)
    let end = whole ? HEADER : 0
    let lost = false
    const frame = Buffer.alloc(FRAME + pageSize)
    const words = wordsOf(frame)
    // A damaged header does not say which frames are its own: the first one does.
    let salts = whole ? head.toString('hex', 16, 24) : undefined
    for (let at = HEADER; at + frame.length <= size; at += frame.length) {
      readSync(file, frame, 0, frame.length, at)
      const its = frame.toString('hex', 8, 16)
      salts ??= its
      // Frames of an earlier round of the log have other salts.
      const current = its === salts
      const commits = frame.readUInt32BE(4) !== 0
      if (whole) {
        sums(words, 0, 2)
        whole = agrees(sums(words, FRAME / 4, words.length), frame, 16) && current
        if (whole && commits) end = at + frame.length
      }
      if (whole || !current) continue
      if (lost) return end
      lost = commits
    }
    return undefined
  } finally {
    closeSync(file)
  }
}
