/** How long a second factor counts at Keycloak, in seconds: as long as for Loyer's sensitive operations. */
const SECOND_FACTOR_S = 900
/** A password counts as long as the session. */
const SESSION_S = 30 * 86_400

type Execution = Readonly<Record<string, string | number | boolean>>
const flow = (alias: string, executions: readonly Execution[], topLevel = false) => ({
  alias,
  providerId: 'basic-flow',
  topLevel,
  builtIn: false,
  authenticationExecutions: executions.map((execution, n) => ({
    authenticatorFlow: 'flowAlias' in execution,
    priority: 10 * (n + 1),
    userSetupAllowed: false,
    ...execution,
  })),
})
const level = (n: number): Execution => ({
  authenticator: 'conditional-level-of-authentication',
  authenticatorConfig: `svc level ${n}`,
  requirement: 'REQUIRED',
})
const levelConfig = (n: number, seconds: number) => ({
  alias: `svc level ${n}`,
  config: { 'loa-condition-level': String(n), 'loa-max-age': String(seconds) },
})

/**
 * Sign-in in two levels, as members of a realm file: the password, and on request (`acr_values=2`) an authenticator app,
 * which is set up at that moment by those who have none. The token's `acr` names the level.
 */
export const STEP_UP = {
  attributes: { 'acr.loa.map': JSON.stringify({ 1: 1, 2: 2 }) },
  browserFlow: 'svc browser',
  authenticationFlows: [
    flow(
      'svc browser',
      [
        { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE' },
        { flowAlias: 'svc sign-in', requirement: 'ALTERNATIVE' },
      ],
      true,
    ),
    flow('svc sign-in', [
      { flowAlias: 'svc password', requirement: 'CONDITIONAL' },
      { flowAlias: 'svc second factor', requirement: 'CONDITIONAL' },
    ]),
    flow('svc password', [level(1), { authenticator: 'auth-username-password-form', requirement: 'REQUIRED' }]),
    flow('svc second factor', [level(2), { authenticator: 'auth-otp-form', requirement: 'REQUIRED' }]),
  ],
  authenticatorConfig: [levelConfig(1, SESSION_S), levelConfig(2, SECOND_FACTOR_S)],
}
