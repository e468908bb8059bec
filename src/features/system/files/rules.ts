/** RFC 6266 and 8187: the full name, and an ASCII name for clients that support only that. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.toWellFormed().replace(/[/\\]/g, '_').replace(/^\.+/, '_')
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["%;]/g, '_')
  const full = encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${full}`
}

export type Span = { readonly start: number; readonly end: number }
/** One byte range of a file (RFC 9110, section 14), end included. Several ranges or an invalid one are ignored. */
export function spanOf(header: string | null, size: number): Span | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  const [, from = '', to = ''] = match ?? []
  if (!match || (from === '' && to === '')) return undefined
  if (from === '') return to === '0' ? 'unsatisfiable' : { start: Math.max(0, size - Number(to)), end: size - 1 }
  const span = { start: Number(from), end: Math.min(size - 1, to === '' ? size - 1 : Number(to)) }
  if (to !== '' && Number(to) < span.start) return undefined
  return span.start >= size ? 'unsatisfiable' : span
}
