// The only file of this adapter that depends on the internals of PDFKit. Each function says what it saves.
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'

type Run = { readonly glyphs: readonly unknown[]; readonly positions: readonly object[] }
type Font = {
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly glyphForCodePoint: (codePoint: number) => unknown
  readonly characterSet: readonly number[]
  layout: (text: string, features?: unknown) => Run
}
/** Characters that share a glyph with an earlier one that is rarer in our papers. */
const COMMON = ['’', '”', 'ι']
const MAX_RUNS = 8192

/**
 * A font that is read once, and keeps how words are set. PDFKit takes it wherever it takes the bytes of one, which it
 * would read again for every document; both together are three quarters of its time. What is embedded of the font is
 * each document's own.
 */
export function readFont(bytes: Buffer): Font {
  const doc = new PDFDocument({ font: null as never, autoFirstPage: false }).font(bytes)
  const { font } = (doc as unknown as { readonly _font: { readonly font: Font } })._font
  // A glyph says in a copied text what it was first asked for: it must not depend on the papers drawn before.
  for (const char of COMMON) font.glyphForCodePoint(char.codePointAt(0) ?? 0)
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
  const layout = font.layout.bind(font)
  const runs = new Map<string, Run>()
  font.layout = (text, features) => {
    if (features) return layout(text, features)
    let run = runs.get(text)
    if (!run) {
      if (runs.size >= MAX_RUNS) runs.clear()
      run = layout(text)
      runs.set(text, run)
    }
    // PDFKit scales the positions in place.
    return Object.create(run, { positions: { value: run.positions.map((position) => ({ ...position })) } }) as Run
  }
  return font
}

/** The part of PDFKit's document that writes the file: `_write` is called three times per object, five with a stream. */
type Writer = {
  _write: (data: string | Uint8Array) => void
  _finalize: () => void
  readonly _offsets: number[]
  readonly _offset: number
  readonly _root: object
  readonly _info: object
  readonly _id: Uint8Array
  readonly push: (chunk: null) => boolean
}

/**
 * Puts all objects that are no streams into one compressed object stream, and the cross-reference table into another
 * (ISO 32000-1, 7.5.7 and 7.5.8): they are more than a third of a tagged document. Without it a receipt has 26 KB
 * instead of 19, a contract 38 instead of 26.
 */
export function packObjects(doc: object): void {
  const writer = doc as Writer
  const write = writer._write.bind(writer)
  const packed: { readonly id: number; readonly text: string }[] = []
  let id = 0
  let text = ''
  writer._write = (data) => {
    const begun = typeof data === 'string' ? /^(\d+) 0 obj$/.exec(data) : null
    if (begun) id = Number(begun[1])
    else if (id === 0) write(data)
    else if (data === 'endobj') {
      packed.push({ id, text })
      id = 0
    } else if (data === 'stream') {
      write(`${id} 0 obj`)
      write(text)
      write(data)
      id = 0
    } else text = String(data)
  }
  writer._finalize = () => {
    const stream = (n: number, members: string, bytes: Uint8Array): void => {
      const deflated = deflateSync(bytes, { level: 9 })
      write(`${n} 0 obj\n<< ${members} /Filter /FlateDecode /Length ${deflated.length} >>\nstream`)
      write(deflated)
      write('\nendstream\nendobj')
    }
    const pack = writer._offsets.length + 1
    let at = 0
    const places = packed.map((o) => {
      const place = `${o.id} ${at}`
      at += o.text.length + 1
      return place
    })
    const head = `${places.join(' ')}\n`
    const rows = new Map(packed.map((o, i) => [o.id, [2, pack, i] as const]))
    const packAt = writer._offset
    // PDFKit's strings are binary: one byte per character.
    const body = Buffer.from(head + packed.map((o) => `${o.text}\n`).join(''), 'latin1')
    stream(pack, `/Type /ObjStm /N ${packed.length} /First ${head.length}`, body)
    const tableAt = writer._offset
    // Two bytes hold the place of an object in the stream, in a long paper four.
    const indexBytes = packed.length > 65_536 ? 4 : 2
    const row = 5 + indexBytes
    const table = Buffer.alloc(row * (pack + 2))
    for (let n = 0; n < pack + 2; n++) {
      const offset = n === pack ? packAt : n > pack ? tableAt : writer._offsets[n - 1]
      const [type, where, index] = n === 0 ? [0, 0, 65_535] : (rows.get(n) ?? [1, offset ?? 0, 0])
      table.writeUInt8(type, row * n)
      table.writeUInt32BE(where, row * n + 1)
      table.writeUIntBE(index, row * n + 5, indexBytes)
    }
    const name = Buffer.from(writer._id).toString('hex')
    const members = `/Root ${writer._root} /Info ${writer._info} /ID [<${name}> <${name}>]`
    stream(pack + 1, `/Type /XRef /Size ${pack + 2} /W [1 4 ${indexBytes}] ${members}`, table)
    write(`startxref\n${tableAt}\n%%EOF`)
    writer.push(null)
  }
}
