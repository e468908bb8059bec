import { inflateRawSync } from 'node:zlib'
import type { Unzip } from './port.ts'

const END = { mark: 0x06054b50, size: 22, comment: 0xffff }
const ENTRY = { mark: 0x02014b50, size: 46 }
const LOCAL = { mark: 0x04034b50, size: 30 }

const broken = () => new Error('the archive is damaged')
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const marked = (bytes: Uint8Array, { mark, size }: { mark: number; size: number }): DataView => {
  if (bytes.byteLength < size || view(bytes).getUint32(0, true) !== mark) throw broken()
  return view(bytes)
}

/** By its directory, so that an archive within an archive is a file as any other. */
export const unzip: Unzip = async function* unzip({ size, read }) {
  const tail = await read(Math.max(0, size - END.size - END.comment), size)
  let at = tail.byteLength - END.size
  while (at >= 0 && view(tail).getUint32(at, true) !== END.mark) at--
  if (at < 0) throw broken()
  const end = view(tail.subarray(at))
  const from = end.getUint32(16, true)
  let directory = await read(from, from + end.getUint32(12, true))
  for (let left = end.getUint16(10, true); left > 0; left--) {
    const entry = marked(directory, ENTRY)
    const [method, packed, full] = [entry.getUint16(10, true), entry.getUint32(20, true), entry.getUint32(24, true)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => entry.getUint16(offset, true)) as [
      number,
      number,
      number,
    ]
    const start = entry.getUint32(42, true)
    yield {
      name: new TextDecoder().decode(directory.subarray(ENTRY.size, ENTRY.size + name)),
      sizeBytes: full,
      async bytes() {
        const head = marked(await read(start, start + LOCAL.size), LOCAL)
        const begin = start + LOCAL.size + head.getUint16(26, true) + head.getUint16(28, true)
        const body = await read(begin, begin + packed)
        const whole = method === 8 && full > 0 ? inflateRawSync(body, { maxOutputLength: full }) : body
        if ((method !== 8 && method !== 0) || (full > 0 ? whole.byteLength : 0) !== full) throw broken()
        return full > 0 ? whole : new Uint8Array(0)
      },
    }
    directory = directory.subarray(ENTRY.size + name + extra + comment)
  }
}
