import { ROLES } from '../../../core/roles.ts'
import { STEP_UP } from './step-up.ts'

export type RealmSettings = {
  readonly publicUrl: string
  readonly sandbox: boolean
  /** Exact redirect URIs of svc-mobile beyond the pages' own. */
  readonly redirectUris: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly locale: 'fr' | 'en'
  /** Secret of svc-admin; without one Keycloak makes its own. */
  readonly authAdminClientSecret: string | undefined
}

type Json = Readonly<Record<string, unknown>>
const DAY = 86_400

/** Attributes that only administrators may change: the number signs in, the organization gives access to its data. */
const ADMINS = { view: ['admin', 'user'], edit: ['admin'] }
const THEMSELVES = { view: ['admin', 'user'], edit: ['admin', 'user'] }
const INTERNAL = { view: ['admin'], edit: ['admin'] }
const length = (max: number): Json => ({ length: { max } })

// Keycloak silently drops attributes that are not declared here.
const PROFILE = {
  attributes: [
    { name: 'username', validations: { length: { min: 3, max: 255 } }, permissions: ADMINS },
    { name: 'email', validations: { email: {}, ...length(254) }, permissions: THEMSELVES },
    { name: 'firstName', validations: length(255), permissions: THEMSELVES },
    { name: 'lastName', validations: length(255), permissions: THEMSELVES },
    { name: 'org_id', validations: length(36), permissions: ADMINS },
    { name: 'phoneNumber', validations: length(16), permissions: ADMINS },
    { name: 'phoneVerified', validations: { options: { options: ['true', 'false'] } }, permissions: ADMINS },
    { name: 'unfinished', validations: length(40), permissions: INTERNAL },
  ],
  groups: [],
}

const mapper = (name: string, protocolMapper: string, config: Json): Json => ({
  name,
  protocol: 'openid-connect',
  protocolMapper,
  consentRequired: false,
  config: { 'access.token.claim': 'true', 'introspection.token.claim': 'true', ...config },
})
const attribute = (claim: string, name: string, type = 'String'): Json =>
  mapper(claim, 'oidc-usermodel-attribute-mapper', {
    'user.attribute': name,
    'claim.name': claim,
    'jsonType.label': type,
    'id.token.claim': 'true',
    'userinfo.token.claim': 'true',
  })

const client = (clientId: string, settings: Json): Json => ({
  clientId,
  protocol: 'openid-connect',
  enabled: true,
  standardFlowEnabled: false,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: false,
  publicClient: false,
  ...settings,
})

/** The realm `svc` as an import file for Keycloak: all that Loyer needs, and nothing that users could change themselves. */
export function keycloakRealm(settings: RealmSettings): Json {
  const { publicUrl, sandbox, redirectUris, corsOrigins, locale, authAdminClientSecret: secret } = settings
  const pages = ['/console/callback', '/portal/callback'].map((path) => publicUrl + path)
  const afterSignOut = ['/', '/console', '/portal'].map((path) => publicUrl + path)
  const developers = ['com.svc.app:/callback', 'http://localhost/*', 'http://127.0.0.1/*']
  return {
    realm: 'svc',
    displayName: 'Loyer',
    enabled: true,
    sslRequired: 'external',
    registrationAllowed: false,
    resetPasswordAllowed: false,
    rememberMe: false,
    verifyEmail: false,
    loginWithEmailAllowed: false,
    duplicateEmailsAllowed: true,
    // A new number is a new user name; the user profile below allows that to administrators only.
    editUsernameAllowed: true,
    internationalizationEnabled: true,
    supportedLocales: ['fr', 'en'],
    defaultLocale: locale,
    passwordPolicy: 'length(8) and maxLength(128) and notUsername(undefined)',
    bruteForceProtected: true,
    permanentLockout: false,
    failureFactor: 5,
    waitIncrementSeconds: 60,
    maxFailureWaitSeconds: 900,
    maxDeltaTimeSeconds: DAY,
    minimumQuickLoginWaitSeconds: 60,
    quickLoginCheckMilliSeconds: 1000,
    accessTokenLifespan: 300,
    accessCodeLifespan: 60,
    accessCodeLifespanLogin: 1800,
    ssoSessionIdleTimeout: 14 * DAY,
    ssoSessionMaxLifespan: 30 * DAY,
    // One reuse is allowed, for a phone that lost the response.
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 1,
    ...STEP_UP,
    roles: { realm: ROLES.map((name) => ({ name })) },
    clients: [
      client('svc-mobile', {
        name: 'Loyer',
        publicClient: true,
        standardFlowEnabled: true,
        // The password grant, for scripts of developers: in a sandbox alone, as at the embedded provider.
        directAccessGrantsEnabled: sandbox,
        redirectUris: [...pages, ...redirectUris, ...(sandbox ? developers : [])],
        webOrigins: [new URL(publicUrl).origin, ...corsOrigins],
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'post.logout.redirect.uris': ['+', ...afterSignOut].join('##'),
        },
        defaultClientScopes: ['basic', 'acr', 'profile', 'email', 'roles', 'web-origins'],
        // Without offline_access, because its tokens outlive the session.
        optionalClientScopes: ['phone'],
        protocolMappers: [
          mapper('svc-api', 'oidc-audience-mapper', { 'included.client.audience': 'svc-api' }),
          attribute('org_id', 'org_id'),
          attribute('phone_number', 'phoneNumber'),
          attribute('phone_number_verified', 'phoneVerified', 'boolean'),
        ],
      }),
      client('svc-api', { name: 'Loyer API', bearerOnly: true }),
      client('svc-admin', {
        name: 'Loyer accounts',
        serviceAccountsEnabled: true,
        ...(secret === undefined ? {} : { secret }),
        defaultClientScopes: ['basic', 'roles'],
        optionalClientScopes: [],
      }),
    ],
    users: [
      {
        username: 'service-account-svc-admin',
        enabled: true,
        serviceAccountClientId: 'svc-admin',
        clientRoles: { 'realm-management': ['manage-users', 'view-users', 'query-users'] },
      },
    ],
    components: {
      'org.keycloak.userprofile.UserProfileProvider': [
        {
          providerId: 'declarative-user-profile',
          subComponents: {},
          config: { 'kc.user.profile.config': [JSON.stringify(PROFILE)] },
        },
      ],
    },
  }
}
