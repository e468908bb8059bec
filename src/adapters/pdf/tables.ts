import type { createKit } from './kit.ts'
import { BRAND, type Column, INK, LINE, PAGE, type Run, SHADE, SOFT, type Style, WIDTH } from './style.ts'

type Base = Pick<
  ReturnType<typeof createKit>,
  'doc' | 'root' | 'bottom' | 'put' | 'heightOf' | 'widthOf' | 'artifact' | 'room' | 'space' | 'rule'
>

/** Columns of lines side by side; the first line of each is its heading. */
export function columns(
  { doc, root, bottom, put, heightOf, artifact, room, space }: Base,
  parts: readonly (readonly Run[])[],
  framed = true,
): void {
  const gap = 14
  const pad = framed ? 10 : 0
  const width = (WIDTH - gap * (parts.length - 1)) / parts.length
  const styleOf = (run: Run, i: number): Style =>
    i === 0 ? { size: 8, cut: 'bold', color: BRAND } : run.bold ? { size: 10.5, cut: 'bold' } : { size: 9, color: SOFT }
  const heights = parts.map((runs) =>
    runs.reduce((sum, run, i) => sum + heightOf(run.text, width - 2 * pad, styleOf(run, i)) + 1.5, 2 * pad),
  )
  const height = Math.max(...heights)
  // A box with very long names would fit on no page: it is left out.
  const boxed = framed && height < bottom - PAGE.top
  if (boxed) room(height)
  const top = doc.y
  const page = doc.page
  let end = top
  for (const [c, runs] of parts.entries()) {
    if (c > 0 && !boxed && doc.page !== page) doc.y += 8
    else doc.y = top
    const x = PAGE.left + c * (width + gap)
    if (boxed) artifact(() => doc.roundedRect(x, top, width, height, 4).lineWidth(0.7).strokeColor(LINE).stroke())
    doc.y += pad
    const part = doc.struct('Sect')
    root.add(part)
    for (const [i, run] of runs.entries()) {
      put(part, 'P', run.text, x + pad, doc.y, width - 2 * pad, styleOf(run, i))
      space(1.5)
    }
    end = boxed || doc.page === page ? Math.max(end, doc.y) : doc.y
  }
  doc.y = boxed ? top + height : end
  doc.x = PAGE.left
}

type Row = { readonly cells: readonly string[]; readonly strong?: boolean }
type Around = {
  /** Draws the title, which stays on the page of the first row: `follow` is the height of that row in points. */
  readonly under?: (follow: number) => void
  /** Points below that stay on the page of the last row. */
  readonly after?: number
}
/** A table whose head comes again on each page; a row without a label in its first cells is a total. */
export function table(
  { doc, root, bottom, put, heightOf, widthOf, artifact, rule }: Base,
  cols: readonly Column[],
  rows: readonly Row[],
  head = true,
  { under, after = 0 }: Around = {},
): void {
  const size = 9
  const pad = 5
  const widths = cols.map((c) => c.share * WIDTH)
  const labels = cols.map((c) => c.label)
  const styleOf = (c: number, th: boolean, strong = false): Style => ({
    size: th ? 8 : size,
    cut: th || strong ? 'bold' : 'regular',
    color: th ? SOFT : INK,
    align: cols[c]?.align ?? 'left',
  })
  /** Text that must not wrap: what is too long for its column is drawn smaller. */
  function fitting(c: number, whole: string, style: Style): Style {
    const wide = widthOf(whole, style)
    const width = (widths[c] ?? 0) - 2 * pad
    return wide > width ? { ...style, size: Math.floor(((style.size ?? size) * 20 * width) / wide) / 20 } : style
  }
  /** Figures stay in one piece, and so do each word of a heading and the number of a paper. */
  function dressed(c: number, cell: string, th: boolean, strong: boolean): Style {
    const style = styleOf(c, th, strong)
    if (th) return cell.split(/[\s-]/).reduce((so, word) => fitting(c, word, so), style)
    const [number] = /\b(?:[A-Z]+-)?\d{4}-\d{6}\b/.exec(cell) ?? []
    return style.align === 'right' ? fitting(c, cell, style) : number ? fitting(c, number, style) : style
  }
  const tallOf = (cells: readonly string[], th: boolean, strong = false): number =>
    Math.max(
      ...cells.map((cell, c) =>
        cell === '' ? 0 : heightOf(cell, (widths[c] ?? 0) - 2 * pad, dressed(c, cell, th, strong)),
      ),
    )
  /** `follow`: points that stay on the page of the row. */
  function row(cells: readonly string[], th: boolean, strong = false, follow = 0): void {
    const tall = tallOf(cells, th, strong)
    const whole = tall + 2 * pad + follow
    if (doc.y + whole > bottom && whole < bottom - PAGE.top) {
      doc.addPage()
      if (head && !th) row(labels, true)
    }
    const top = doc.y
    const page = doc.page
    if (th || strong)
      artifact(() => doc.rect(PAGE.left, top, WIDTH, Math.min(tall + 2 * pad, bottom - top)).fill(SHADE))
    const tr = doc.struct('TR')
    structure.add(tr)
    let x: number = PAGE.left
    let end = top
    for (const [c, cell] of cells.entries()) {
      const width = widths[c] ?? 0
      const tag = th || (!head && c === 0) ? 'TH' : 'TD'
      const style = dressed(c, cell, th, strong || (!head && c === 0))
      doc.y = top
      put(tr, tag, cell, x + pad, doc.page === page ? top + pad : PAGE.top, width - 2 * pad, style)
      end = doc.page === page ? Math.max(end, doc.y) : doc.y
      x += width
    }
    doc.y = end + pad - 2
    doc.x = PAGE.left
    rule(th ? '#94a3b8' : LINE, 0.5)
  }
  const [first] = rows
  const begins = first ? tallOf(first.cells, false, first.strong) + 2 * pad + (rows.length === 1 ? after : 0) : 0
  under?.(begins + (head ? tallOf(labels, true) + 2 * pad : 0))
  const structure = doc.struct('Table')
  root.add(structure)
  if (head) row(labels, true, false, begins)
  for (const [n, { cells, strong }] of rows.entries()) row(cells, false, strong, n === rows.length - 1 ? after : 0)
}
