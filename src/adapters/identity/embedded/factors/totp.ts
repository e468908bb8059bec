import { createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth/bare'

const PERIOD = 30

const totp = (secret: string, label = 'Loyer'): TOTP =>
  new TOTP({
    issuer: 'Loyer',
    label,
    // What every authenticator app takes; some ignore other algorithms and then show wrong codes.
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
    secret: Secret.fromBase32(secret),
    hmac: (_algorithm, key, message) => createHmac('sha1', key).update(message).digest(),
  })

/** 160 bits in base32, as apps take it. */
export const newSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return new Secret({ buffer: bytes.buffer }).base32
}

/** The otpauth: address that the QR code holds. */
export const addressOf = (secret: string, label: string): string => totp(secret, label).toString()

/** The time step of a code that is right now, or one step earlier or later; undefined for any other. `at`: epoch ms. */
export function stepOf(secret: string, code: string, at: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totp(secret).validate({ token: code, timestamp: at, window: 1 })
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD) + delta
}
