import { Buffer } from 'node:buffer'
import PDFDocument from 'pdfkit'
import { FONTS, printable } from './fonts.ts'
import { packObjects } from './internals.ts'
import type { Block } from './port.ts'
import { BRAND, INK, LINE, PAGE, SOFT, type Style, WIDTH } from './style.ts'

type Struct = PDFKit.PDFStructureElement
type Doc = PDFKit.PDFDocument

export type Kit = ReturnType<typeof createKit>

/**
 * The building blocks of documents; each draws at the cursor, moves it down, and enters the structure tree in reading
 * order.
 */
export function createKit(meta: { title: string; locale: 'fr' | 'en'; issuedOn: string; keywords?: string }) {
  const doc: Doc = new PDFDocument({
    size: 'A4',
    margins: { top: PAGE.top, bottom: PAGE.bottom, left: PAGE.left, right: PAGE.right },
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    lang: meta.locale,
    // The standard fonts are not part of the compiled binary.
    font: null as never,
    info: {
      Title: printable(meta.title),
      Creator: 'Loyer',
      Producer: 'Loyer',
      // The fixed date makes equal data yield equal bytes.
      CreationDate: new Date(`${meta.issuedOn}T00:00:00.000Z`),
    },
  })
  packObjects(doc)
  const chunks: Buffer[] = []
  const ended = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    doc.on('error', reject)
  })
  for (const [cut, font] of Object.entries(FONTS)) doc.registerFont(cut, font as never)
  const root: Struct = doc.struct('Document')
  doc.addStructure(root)
  const bottom = PAGE.height - PAGE.bottom

  function dress({ size = 9.5, cut = 'regular', color = INK }: Style): void {
    doc.font(cut).fontSize(size).fillColor(color)
  }
  /** Decoration (lines, boxes), which screen readers skip. */
  function artifact(draw: () => void): void {
    doc.markContent('Artifact', { type: 'Layout' })
    doc.save()
    draw()
    doc.restore()
    doc.endMarkedContent()
  }
  const options = (width: number, { align = 'left', gap = 2 }: Style) => ({ width, align, lineGap: gap })
  function heightOf(text: string, width: number, style: Style): number {
    dress(style)
    return doc.heightOfString(printable(text), options(width, style))
  }
  /** Width of the widest line. */
  function widthOf(text: string, style: Style): number {
    dress(style)
    return Math.max(...text.split('\n').map((line) => doc.widthOfString(printable(line))))
  }
  /** Text at a place; it may continue on the next page. */
  function put(within: Struct, tag: string, text: string, x: number, y: number, width: number, style: Style): void {
    const element = doc.struct(tag as never, {}, () => {
      dress(style)
      doc.text(printable(text), x, y, options(width, style))
    })
    within.add(element)
  }
  const room = (height: number): void => {
    if (doc.y + height > bottom) doc.addPage()
  }
  const space = (points: number): void => {
    doc.y += points
  }
  function rule(color = LINE, weight = 0.7): void {
    const { y } = doc
    artifact(() =>
      doc
        .lineWidth(weight)
        .strokeColor(color)
        .moveTo(PAGE.left, y)
        .lineTo(PAGE.left + WIDTH, y)
        .stroke(),
    )
  }

  function text(words: string, style: Style = {}, tag = 'P', width = WIDTH, x: number = PAGE.left): void {
    put(root, tag, words, x, doc.y, width, style)
  }
  /** A heading that stays on the page of what follows it: `points` of height, by default two lines. */
  function heading(words: string, tag: 'H1' | 'H2' | 'H3', style: Style, follow = 34): void {
    room(heightOf(words, WIDTH, style) + follow)
    text(words, style, tag)
  }
  const section = (words: string, follow = 56): void => {
    space(12)
    heading(words, 'H2', { size: 11, cut: 'bold', color: BRAND }, follow + 3)
    space(3)
  }

  const indentOf = ({ kind }: Block): number => (kind === 'item' ? 12 : 0)
  const blockHeight = (block: Block, style: Style): number =>
    heightOf(block.runs.map((r) => r.text).join(''), WIDTH - indentOf(block), style) + 1.5
  /** Points that paragraphs and lists take on one page. */
  const blocksHeight = (list: readonly Block[], style: Style): number =>
    list.reduce((sum, block) => sum + blockHeight(block, style), 0)
  /** Points of a block that stay together: all of a short one with a list's first entry, else two lines. */
  function together(list: readonly Block[], i: number, style: Style): number {
    const block = list[i]
    if (!block) return 0
    const line = heightOf('x', WIDTH, style)
    const height = blockHeight(block, style)
    if (height > 6 * line + 2) return 2 * line
    return height + (block.kind !== 'item' && list[i + 1]?.kind === 'item' ? line + 2 : 0)
  }
  /** Where a long block breaks across pages, at least two lines follow. */
  function noWidow(block: Block, style: Style): void {
    const line = heightOf('x', WIDTH, style)
    const over = doc.y + blockHeight(block, style) - 1.5 - bottom
    if (over > 0 && over <= line) doc.page.margins.bottom += line
  }

  /** Paragraphs and lists of runs. */
  function blocks(list: readonly Block[], style: Style = {}): void {
    let items: Struct | undefined
    for (const [n, block] of list.entries()) {
      const { kind, runs } = block
      room(together(list, n, style))
      noWidow(block, style)
      const indent = indentOf(block)
      if (kind === 'item' && !items) {
        items = doc.struct('L')
        root.add(items)
      }
      if (kind !== 'item') items = undefined
      const within = kind === 'item' ? doc.struct('LI') : root
      if (kind === 'item') items?.add(within)
      const { y } = doc
      if (kind === 'item') {
        put(within, 'Lbl', '–', PAGE.left + 2, y, indent, style)
        doc.y = y
      }
      const body = doc.struct(kind === 'item' ? 'LBody' : 'P', {}, () => {
        const visible = runs.filter((r) => r.text !== '')
        for (const [i, run] of visible.entries()) {
          dress({ ...style, cut: run.bold ? 'bold' : 'regular' })
          const more = { ...options(WIDTH - indent, style), continued: i < visible.length - 1 }
          if (i === 0) doc.text(printable(run.text), PAGE.left + indent, y, more)
          else doc.text(printable(run.text), more)
        }
      })
      within.add(body)
      space(1.5)
    }
    doc.x = PAGE.left
  }

  /** Squares of a QR code, as runs of one row each. */
  function squares(matrix: readonly (readonly boolean[])[], x: number, y: number, size: number, alt: string): void {
    const unit = size / matrix.length
    const figure = doc.struct('Figure', { alt }, () => {
      doc.save().fillColor('#000000')
      for (const [r, cells] of matrix.entries())
        for (let c = 0; c < cells.length; c++) {
          if (!cells[c]) continue
          let n = 1
          while (cells[c + n]) n += 1
          doc.rect(x + c * unit, y + r * unit, n * unit, unit)
          c += n
        }
      doc.fill().restore()
    })
    root.add(figure)
  }

  /** A line of the footer, on every page. */
  function footer(
    draw: (page: number, pages: number, line: (words: string, y: number, style: Style) => void) => void,
  ): void {
    const { start, count } = doc.bufferedPageRange()
    for (let i = start; i < start + count; i++) {
      doc.switchToPage(i)
      doc.page.margins.bottom = 0
      doc.markContent('Artifact', { type: 'Pagination' })
      doc
        .lineWidth(0.5)
        .strokeColor(LINE)
        .moveTo(PAGE.left, bottom + 12)
        .lineTo(PAGE.left + WIDTH, bottom + 12)
        .stroke()
      draw(i + 1 - start, count, (words, y, style) => {
        dress({ size: 7.5, color: SOFT, ...style })
        doc.text(printable(words), PAGE.left, y, { width: WIDTH, align: style.align ?? 'left', lineBreak: false })
      })
      doc.endMarkedContent()
    }
  }

  return {
    doc,
    root,
    bottom,
    text,
    heading,
    section,
    blocks,
    blocksHeight,
    together,
    squares,
    artifact,
    rule,
    room,
    space,
    put,
    heightOf,
    widthOf,
    footer,
    finish(): Promise<Uint8Array<ArrayBuffer>> {
      doc.end()
      return ended
    },
  }
}
