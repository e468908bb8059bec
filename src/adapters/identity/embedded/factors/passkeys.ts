import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FactorRow } from './factor-rows.ts'

/** The relying party of passkeys: they are bound to its host name and origin. */
export type Site = { readonly id: string; readonly origin: string }

/** Browsers refuse passkeys for IP addresses. */
export function siteOf(publicUrl: string): Site | undefined {
  const { hostname, origin } = new URL(publicUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin }
}

/** The library is loaded at the first passkey. */
const library = () => import('@simplewebauthn/server')
/** ES256 and RS256, which authenticators support. */
const ALGORITHMS = [-7, -257]

/** Options for the browser, as JSON. */
export async function registrationOptions(
  site: Site,
  person: { readonly id: string; readonly name: string },
  known: readonly FactorRow[],
): Promise<{ challenge: string; json: string }> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Loyer',
    rpID: site.id,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.name,
    attestationType: 'none',
    excludeCredentials: idsOf(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { challenge: options.challenge, json: JSON.stringify(options) }
}

export async function authenticationOptions(
  site: Site,
  known: readonly FactorRow[],
): Promise<{ challenge: string; json: string }> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    allowCredentials: idsOf(known),
    userVerification: 'required',
  })
  return { challenge: options.challenge, json: JSON.stringify(options) }
}
const idsOf = (known: readonly FactorRow[]) => known.flatMap((f) => (f.credentialId ? [{ id: f.credentialId }] : []))

/**
 * The new passkey; undefined when challenge, origin or host differ, the user was not verified, or the answer is
 * malformed.
 */
export async function readRegistration(site: Site, challenge: string, answer: string) {
  const { verifyRegistrationResponse } = await library()
  const checked = await attempt(async () =>
    verifyRegistrationResponse({
      // The library validates every member that it reads.
      response: await withoutAttestation(JSON.parse(answer) as RegistrationResponseJSON),
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!checked?.verified) return undefined
  const { id, publicKey, counter } = checked.registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
}

/**
 * A registration without the attestation, by which an authenticator names its maker. Some send it unasked; nothing depends
 * on it, and the binary has no code to check it.
 */
async function withoutAttestation(response: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject)).get('authData')
  const bare = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ])
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare))
  return { ...response, response: { ...response.response, attestationObject } }
}

/** The passkey that signed and its new counter; undefined for anything else, including a counter that went back. */
export async function readAuthentication(site: Site, challenge: string, answer: string, known: readonly FactorRow[]) {
  const { verifyAuthenticationResponse } = await library()
  const checked = await attempt(async () => {
    const response = JSON.parse(answer) as AuthenticationResponseJSON
    const factor = known.find((f) => f.credentialId !== null && f.credentialId === response.id)
    if (!factor?.credentialId || !factor.publicKey) return undefined
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: {
        id: factor.credentialId,
        publicKey: new Uint8Array(Buffer.from(factor.publicKey, 'base64url')),
        counter: factor.counter,
      },
    })
    return verified ? { factor, counter: authenticationInfo.newCounter } : undefined
  })
  return checked
}

/** The library throws on every failed check. */
const attempt = async <T>(check: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await check()
  } catch {
    return undefined
  }
}
