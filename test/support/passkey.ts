import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const b64 = (data: Uint8Array | string) => Buffer.from(data).toString('base64url')

/** The few kinds of CBOR that an authenticator writes. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([k, v]) => [cbor(k), cbor(v)])])
  throw new Error('no such CBOR here')
}

/** An attestation that nobody asked for: none, one signed by the new key itself, or an unreadable one. */
export type Attested = 'none' | 'packed' | 'tpm'
type Lies = {
  readonly origin?: string
  readonly rpId?: string
  readonly verified?: boolean
  readonly challenge?: string
  readonly counter?: number
  readonly type?: string
}
type Options = { readonly challenge: string; readonly rp?: { id: string }; readonly rpId?: string }

/** An authenticator in software: makes one passkey and answers with it; `lies` says what it is to get wrong. */
export function softwareKey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  const clientData = (type: string, { challenge }: Options, lies: Lies) =>
    JSON.stringify({ type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? origin })
  const authData = (rpId: string, lies: Lies, extra = Buffer.alloc(0)) => {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.counter ?? counter)
    const flags = 0x01 | (lies.verified === false ? 0 : 0x04) | (extra.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count, extra])
  }
  return {
    id: b64(id),
    create(json: string, lies: Lies = {}, attested: Attested = 'none'): string {
      const options = JSON.parse(json) as Options
      const client = clientData('webauthn.create', options, lies)
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const made = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authData(options.rp?.id ?? '', lies, made)
      const sig = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const statements: Record<Attested, [string, unknown][]> = {
        none: [],
        packed: [
          ['alg', -7],
          ['sig', sig],
        ],
        tpm: [['ver', '2.0']],
      }
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', attested],
          ['attStmt', new Map(statements[attested])],
          ['authData', data],
        ]),
      )
      const response = {
        clientDataJSON: b64(client),
        attestationObject: b64(attestation),
      }
      return JSON.stringify({ id: b64(id), rawId: b64(id), type: 'public-key', response, clientExtensionResults: {} })
    },
    sign(json: string, lies: Lies = {}): string {
      const options = JSON.parse(json) as Options
      const data = authData(options.rpId ?? '', lies)
      const client = clientData('webauthn.get', options, lies)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) }
      return JSON.stringify({ id: b64(id), rawId: b64(id), type: 'public-key', response, clientExtensionResults: {} })
    },
  }
}
