import { createHmac, hkdfSync, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

// The age format, version 1, with a passphrase (https://age-encryption.org/v1): `age -d FILE` opens it without Loyer.
const MAGIC = 'age-encryption.org/v1'
/** Memory of scrypt is 2^n KiB: 128 MB here. `age` itself refuses to open more than 2^22. */
const WORK = 17
const MOST_WORK = 18
const CHUNK = 64 * 1024
const TAG = 16
const HEADER_BYTES = 1024
const HEADER =
  /^(age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9]\d?)\n([A-Za-z0-9+/]{43})\n---) ([A-Za-z0-9+/]{43})\n/

/** Base64 without padding, the only spelling that the format allows. */
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
const decode = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64')
  if (encode(bytes) !== text) throw new Error('it is damaged')
  return bytes
}

const wrapKey = (passphrase: string, salt: Uint8Array, work: number): Uint8Array =>
  scryptSync(passphrase.normalize('NFC'), Buffer.concat([Buffer.from(`${MAGIC}/scrypt`), salt]), 32, {
    N: 2 ** work,
    r: 8,
    p: 1,
    maxmem: 2 ** work * 1024 + 2 ** 20,
  })
const derive = (key: Uint8Array, salt: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, salt, info, 32))
const sign = (key: Uint8Array, header: string): Uint8Array =>
  createHmac('sha256', derive(key, new Uint8Array(0), 'header'))
    .update(header)
    .digest()

/** The nonce of a chunk: its number, then 1 for the last one. */
function nonce(number: number, last: boolean): Uint8Array {
  const bytes = Buffer.alloc(12)
  bytes.writeUIntBE(number, 5, 6)
  bytes[11] = last ? 1 : 0
  return bytes
}

/** Pieces of exactly `size` bytes, and a last one that may be shorter; `last` says which it is. */
async function* even(chunks: AsyncIterable<Uint8Array>, size: number) {
  let ready: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    ready.push(chunk)
    length += chunk.byteLength
    // Strictly more: the last piece must be known as such when it is sealed.
    if (length <= size) continue
    let all = Buffer.concat(ready)
    for (; all.byteLength > size; all = all.subarray(size)) yield { piece: all.subarray(0, size), last: false }
    ready = [all]
    length = all.byteLength
  }
  yield { piece: Buffer.concat(ready), last: true }
}

const library = () => import('@noble/ciphers/chacha.js')

export const isSealed = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, MAGIC.length)).toString('latin1') === MAGIC

export async function* seal(chunks: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const { chacha20poly1305 } = await library()
  const [fileKey, salt, start] = [randomBytes(16), randomBytes(16), randomBytes(16)]
  const wrapped = chacha20poly1305(wrapKey(passphrase, salt, WORK), new Uint8Array(12)).encrypt(fileKey)
  const header = `${MAGIC}\n-> scrypt ${encode(salt)} ${WORK}\n${encode(wrapped)}\n---`
  yield Buffer.from(`${header} ${encode(sign(fileKey, header))}\n`)
  yield start
  const key = derive(fileKey, start, 'payload')
  let number = 0
  for await (const { piece, last } of even(chunks, CHUNK))
    yield chacha20poly1305(key, nonce(number++, last)).encrypt(piece)
}

/** @throws Error with the end of a sentence: a wrong passphrase, damage, a missing end */
export async function* unseal(chunks: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const { chacha20poly1305 } = await library()
  const source = chunks[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array(0)
  while (head.byteLength < HEADER_BYTES) {
    const next = await source.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const match = HEADER.exec(Buffer.from(head).toString('latin1', 0, HEADER_BYTES))
  const [all = '', header = '', salt = '', work = '', wrapped = '', mac = ''] = match ?? []
  if (!match || Number(work) > MOST_WORK) throw new Error('it is damaged, or was not encrypted by Loyer')
  let fileKey: Uint8Array
  try {
    fileKey = chacha20poly1305(wrapKey(passphrase, decode(salt), Number(work)), new Uint8Array(12)).decrypt(
      decode(wrapped),
    )
  } catch {
    throw new Error('BACKUP_PASSPHRASE does not open it, or it is damaged')
  }
  if (!timingSafeEqual(sign(fileKey, header), decode(mac))) throw new Error('it is damaged')
  const begin = all.length + 16
  if (head.byteLength < begin) throw new Error('it ends too early')
  const key = derive(fileKey, head.subarray(all.length, begin), 'payload')
  async function* payload(): AsyncGenerator<Uint8Array> {
    yield head.subarray(begin)
    for (;;) {
      const next = await source.next()
      if (next.done) return
      yield next.value
    }
  }
  let number = 0
  for await (const { piece, last } of even(payload(), CHUNK + TAG)) {
    if (piece.byteLength < TAG) throw new Error('it ends too early')
    let plain: Uint8Array
    try {
      plain = chacha20poly1305(key, nonce(number++, last)).decrypt(piece)
    } catch {
      throw new Error('it is damaged or ends too early')
    }
    yield plain
  }
}
