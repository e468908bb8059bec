/** The encodings that a client accepts: brotli, gzip, and none. */
export type Accepted = { readonly br: boolean; readonly gzip: boolean; readonly plain: boolean }
const PLAIN: Accepted = { br: false, gzip: false, plain: true }
/** Parsed headers: browsers send few different ones. */
const read = new Map<string, Accepted>()

/** Reads an Accept-Encoding (RFC 9110, 12.5.3): an encoding counts if its weight is at least that of no encoding. */
export function accepted(header: string | null): Accepted {
  if (header === null) return PLAIN
  const known = read.get(header)
  if (known) return known
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().slice(0, 200).split(',')) {
    const [, coding, q] = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? []
    if (coding !== undefined) weights.set(coding, Number(q ?? 1))
  }
  const others = weights.get('*')
  const plain = weights.get('identity') ?? (others === 0 ? 0 : undefined)
  const takes = (weight = others ?? 0): boolean => weight > 0 && weight >= (plain ?? 0)
  const parsed = {
    br: takes(weights.get('br')),
    gzip: takes(weights.get('gzip') ?? weights.get('x-gzip')),
    plain: plain !== 0,
  }
  if (read.size < 100) read.set(header, parsed)
  return parsed
}
