// The age format with a passphrase (https://age-encryption.org/v1): `age -d FILE` opens it without Loyer.
const MAGIC = 'age-encryption.org/v1'
/** Memory of scrypt is 2^n KiB: 128 MB here. */
const WORK = 17
const MOST_WORK = 18
const HEADER_BYTES = 1024
/** The header of a file with one passphrase. The library would take lines of any length. */
const HEADER =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9]\d?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/
/** Bytes between the header and the first piece. */
const NONCE = 16

const library = () => import('age-encryption')
/** Bun and Deno have `ReadableStream.from`; the types of Bun lack it. */
const { from: streamOf } = ReadableStream as unknown as {
  readonly from: (chunks: AsyncIterable<Uint8Array>) => ReadableStream<Uint8Array>
}

export const isSealed = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, MAGIC.length)).toString('latin1') === MAGIC

export async function* seal(chunks: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await library()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase.normalize('NFC'))
  encrypter.setScryptWorkFactor(WORK)
  yield* await encrypter.encrypt(streamOf(chunks))
}

/** @throws Error with the end of a sentence: a wrong passphrase, damage, a missing end; or what reading throws */
export async function* unseal(chunks: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array(0)
  while (head.byteLength < HEADER_BYTES) {
    const next = await source.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const [header, work] = HEADER.exec(Buffer.from(head).toString('latin1', 0, HEADER_BYTES)) ?? []
  if (header === undefined || Number(work) > MOST_WORK) throw new Error('it is damaged, or was not encrypted by Loyer')
  if (head.byteLength < header.length + NONCE) throw new Error('it ends too early')

  let unread: unknown
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } catch (e) {
      unread = e
      throw e
    }
  }
  const { Decrypter } = await library()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase.normalize('NFC'))
  const plain = await decrypter.decrypt(streamOf(whole())).catch(() => {
    throw unread ?? new Error('BACKUP_PASSPHRASE does not open it, or it is damaged')
  })
  try {
    yield* plain
  } catch {
    throw unread ?? new Error('it is damaged or ends too early')
  }
}
