import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export const ROLES = ['OWNER', 'MANAGER', 'ADMIN', 'TENANT'] as const
export const TONE: Readonly<Record<Schemas['UserStatus'], Tone>> = {
  INVITED: 'warn',
  ACTIVE: 'good',
  DISABLED: 'bad',
  ERASED: 'plain',
}
export const nameOf = ({ firstName, lastName }: Schemas['User']): string =>
  [firstName, lastName].filter(Boolean).join(' ')
/** The roles ticked in a form. */
export const ticked = (values: Readonly<Record<string, string | boolean>>) =>
  ROLES.filter((role) => values[role] === true)
