/** The field, and the constant of the curve (RFC 8032, 5.1). */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

const mod = (n: bigint): bigint => ((n % P) + P) % P
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) if (e & 1n) result = (result * b) % P
  return result
}
const inverse = (n: bigint): bigint => power(n, P - 2n)

/** The x² of points with this y²; it is a square where there are such points. */
const xx = (yy: bigint): bigint => mod((yy - 1n) * inverse(D * yy + 1n))
/** The y of a point added to itself. */
function doubled(y: bigint): bigint {
  const yy = mod(y * y)
  return mod((yy + xx(yy)) * inverse(1n - D * xx(yy) * yy))
}

/**
 * Whether 32 bytes are a public key that signatures can be checked with: half of all bytes are no point of the curve, and
 * with one of the few points of small order anybody can sign.
 */
export function isPublicKey(bytes: Uint8Array): boolean {
  const whole = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)
  const y = whole & (2n ** 255n - 1n)
  if (bytes.byteLength !== 32 || y >= P) return false
  if (power(xx(y * y), (P - 1n) / 2n) > 1n) return false
  return doubled(doubled(doubled(y))) !== 1n
}

/** Whether a text is a public key as minisign prints it: `Ed`, eight bytes of an id and the key, in base64. */
export const isReleaseKey = (text: string): boolean =>
  /^RW[Q-T][A-Za-z0-9+/]{53}$/.test(text) && isPublicKey(Buffer.from(text, 'base64').subarray(10))
