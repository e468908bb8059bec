import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import { ERROR_CODES, ERRORS } from '../../error-codes.ts'
import type { Operation } from './operation.ts'
import type { Json } from './schemas.ts'

const LOCAL = 'http://localhost:3000'

/** The document's preface, in Markdown. */
export const describe = (
  config: Config,
): string => `Loyer manages rented property: properties and their units, tenants, leases (bookings), invoices and payments.

## Getting a token

Every request carries \`Authorization: Bearer <access token>\`, except to the few operations marked public. The OpenID provider of realm \`svc\` issues tokens: authorization code with PKCE (S256), client \`svc-mobile\`, scopes \`openid profile email\`. Its discovery document is at ${issuerOf(config)}/.well-known/openid-configuration. An access token lives five minutes, or until its session ends, and belongs to one organization; it reaches nothing of any other. Each operation names the roles that may call it, in its text and in \`x-roles\`. What a role may not see answers 404; what it may see but not do answers 403.

In a sandbox (\`loyer demo\`) one line gets a token for a demo user of a role (TENANT, OWNER, MANAGER or ADMIN):

\`\`\`sh
curl -s ${config.sandbox ? config.publicUrl : LOCAL}/api/v1/sandbox/token -H 'Content-Type: application/json' -d '{"role":"OWNER"}'
\`\`\`

A few operations ask for a second factor: users, exports, closing an account, the organization's settings, webhook secrets. They ask everybody who has set one up, and ADMIN and MANAGER wherever the organization requires it (\`secondFactor\`). The token's \`acr\` must then be \`2\` and its \`auth_time\` at most 15 minutes old. Otherwise the answer is 401 \`step_up_required\` with \`WWW-Authenticate: Bearer error="insufficient_user_authentication", acr_values="2", max_age=900\` (RFC 9470). Send the person through the authorization endpoint with \`acr_values=2&max_age=900\`, then repeat the request with the new token. Where the rent is paid, management fees, the owner of a property and a tenant's number ask everybody for a sign-in of the last five minutes: otherwise 403 \`reauthentication_required\` with \`max_age="300"\`. ${config.authUrl === undefined ? `People set up authenticator apps and passkeys at ${issuerOf(config)}/account/security.` : 'People set up second factors at the identity provider, whose access tokens must carry `acr` and `auth_time`.'}

## Requests and answers

- Bodies are JSON (\`application/json\`, at most 64 KiB). Unknown members are refused by name; unknown query parameters are ignored. In answers, an optional member without a value is absent. In requests, \`null\` counts as absent on POST and clears the member on PATCH.
- Money: XAF has no decimals, so every amount is a whole number of francs. Each amount is accompanied by its currency.
- Times are UTC, like \`2026-03-04T10:12:30.000Z\`; dates are like \`2026-03-04\` and must exist in the calendar. Ids are UUIDs in lower case.
- \`X-Request-Id\` (8 to 128 letters, digits, dots, dashes or underscores) is taken from the request, or else made; every answer returns it.

## Lists, versions, sending again

Parameters and headers say it at each operation: \`limit\`, \`cursor\` and \`Link\`; \`ETag\`, \`If-Match\` and \`If-None-Match\`; \`Idempotency-Key\`. The handbook tells it in one piece, at ${config.publicUrl}/docs/handbook/api. Within v1, members, filters and operations are added, never renamed, retyped or removed: ignore members that you do not know.

## Problems

Every failure answers \`application/problem+json\` (RFC 9457). Program against \`code\`: \`detail\` is a sentence for people, in French or English according to \`Accept-Language\`. With 429 and 503, \`Retry-After\` says when to try again. A method that an address does not take answers 405 with \`Allow\`.

| code | status | meaning |
| --- | --- | --- |
${ERROR_CODES.map((code) => `| \`${code}\` | ${ERRORS[code].status} | ${ERRORS[code].en} |`).join('\n')}

## Limits

Beyond a limit the answer is 429 with \`Retry-After\`, or names its own code. Every figure is in the handbook, at ${config.publicUrl}/docs/handbook/limits.`

const issuerOf = ({ authUrl, publicUrl }: Config): string => `${authUrl ?? publicUrl}/realms/svc`

const place = (name: string, description: string, address: string) => ({
  url: `{${name}}`,
  description,
  variables: { [name]: { default: address } },
})
/** The document's head, the part that needs no routes. */
export const documentInfo = (config: Config) => ({
  info: { title: 'Loyer API', version: manifest.version, description: '', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [
    { url: config.publicUrl, description: 'This server' },
    place(
      'sandbox_url',
      'Sandbox: sample data, and tokens for the asking; `loyer demo` starts one',
      config.sandbox ? config.publicUrl : LOCAL,
    ),
    place('local_url', 'Local development: where `loyer serve` or `loyer demo` listens', LOCAL),
  ],
})

/** The security schemes: the bearer token, and where it comes from. */
export function securitySchemes(config: Config): Json {
  const issuer = issuerOf(config)
  const protocol = `${issuer}/protocol/openid-connect`
  const tokenUrl = `${protocol}/token`
  const scopes = { openid: 'Sign in', profile: 'Names and language', email: 'E-mail address' }
  const authorizationCode = { authorizationUrl: `${protocol}/auth`, tokenUrl, refreshUrl: tokenUrl, scopes }
  // The password grant exists only in the sandbox, at the embedded provider.
  const password = config.sandbox && config.authUrl === undefined ? { password: { tokenUrl, scopes } } : {}
  const token = `An access token of ${issuer} whose audience includes svc-api.`
  const client = `Client \`svc-mobile\` (public, PKCE with S256 required). Discovery: ${issuer}/.well-known/openid-configuration`
  return {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: token },
    signIn: { type: 'oauth2', description: client, flows: { authorizationCode, ...password } },
  }
}

const SECOND_FACTOR =
  'a second factor given in the last 15 minutes if the organization requires one or the caller has one; otherwise refused with 401 `step_up_required`.'
const FRESH =
  'a sign-in of the last five minutes (`auth_time` of the token), of everybody; otherwise refused with 403 `reauthentication_required`.'

/** Says in a sentence who may call an operation, and in another whether it asks for a recent second factor or sign-in. */
export function audience(op: Operation): string {
  const { 'x-roles': roles, 'x-step-up': stepUp, 'x-fresh': fresh } = op
  if (!Array.isArray(roles)) return 'Public: no token needed.'
  const limited = op['x-whole'] ? ' Not for a MANAGER who is limited to some properties.' : ''
  const named = (names: readonly string[]) => `With ${names.map((name) => `\`${name}\``).join(' or ')} it requires`
  const factor = stepUp && `${stepUp === true ? 'Requires' : named(stepUp)} ${SECOND_FACTOR}`
  const signIn = fresh && `${named(fresh)} ${FRESH}`
  return [`For ${roles.join(', ')}.${limited}`, factor, signIn].filter(Boolean).join('\n\n')
}
