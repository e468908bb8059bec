import { createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth/bare'

const PERIOD = 30

const totp = (secret: string, label = 'Loyer'): TOTP =>
  new TOTP({
    issuer: 'Loyer',
    label,
    // The parameters that every authenticator app supports; some ignore other algorithms and then show wrong codes.
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
    secret: Secret.fromBase32(secret),
    hmac: (_algorithm, key, message) => createHmac('sha1', key).update(message).digest(),
  })

/** 160 random bits in base32, as authenticator apps expect. */
export const newSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return new Secret({ buffer: bytes.buffer }).base32
}

/** The otpauth: URI in the QR code. */
export const addressOf = (secret: string, label: string): string => totp(secret, label).toString()

/** The time step of a valid code, at most one step early or late; otherwise undefined. `at`: epoch ms. */
export function stepOf(secret: string, code: string, at: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totp(secret).validate({ token: code, timestamp: at, window: 1 })
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD) + delta
}
