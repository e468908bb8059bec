/** Errors for a body that cannot be read: it has too many bytes, or its client cut it off. */
type Refusals = { readonly tooLarge: () => Error; readonly cutOff: (cause: unknown) => Error }

/** The bytes of a body that comes in pieces, read no further than `limit`; empty where there is none. */
export async function readStream(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
  { tooLarge, cutOff }: Refusals,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch (e) {
    throw cutOff(e)
  }
  if (size > limit) throw tooLarge()
  return Buffer.concat(chunks)
}
