// The identity provider of the servers under test: a key set on loopback, and tokens as Keycloak writes them.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export type Issuer = {
  /** AUTH_URL of the servers. */
  readonly url: string
  readonly token: (who: { sub: string; orgId: string; role: string }) => Promise<string>
  readonly close: () => Promise<void>
}

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }]
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({ keys }) })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    token: ({ sub, orgId, role }) =>
      new SignJWT({ typ: 'Bearer', azp: 'svc-mobile', org_id: orgId, realm_access: { roles: [role] } })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'bench' })
        .setIssuer(`${url}/realms/svc`)
        .setAudience('svc-api')
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime('2h')
        .sign(privateKey),
    close: () => server.stop(true),
  }
}
