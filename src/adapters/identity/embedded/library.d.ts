// The package's own entry prints "Unsupported runtime" on anything but Node; these are the same modules without it.
declare module 'oidc-provider/lib/provider.js' {
  export { default as Provider } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/errors.js' {
  import type { errors } from 'oidc-provider'
  export const InvalidGrant: typeof errors.InvalidGrant
  export const InvalidRequest: typeof errors.InvalidRequest
  export const InvalidTarget: typeof errors.InvalidTarget
}
declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { interactionPolicy } from 'oidc-provider'
  export const Check: typeof interactionPolicy.Check
  export const base: typeof interactionPolicy.base
}
