// People with accounts at an identity provider, whichever it is.
import type { Store } from '../../db/open.ts'
import type { Identity, NewAccount } from '../../src/adapters/identity/port.ts'
import { AppError } from '../../src/errors.ts'
import { ORG } from './oidc.ts'

export type SignedIn = { readonly accessToken: string; readonly refreshToken: string }
/** An authenticator app; without a secret until it is set up. */
export type App = { secret?: string }
export type People = {
  /** As a person on the sign-in page; undefined when refused. With an app a second factor is asked for. */
  readonly signIn: (phoneNumber: string, password: string, app?: App) => Promise<SignedIn | undefined>
  readonly refresh: (refreshToken: string) => Promise<SignedIn | undefined>
}
export type Provider = People & {
  readonly identity: Identity
  /** The service's own row of the account. */
  readonly row: (userId: string) => Readonly<Record<string, unknown>> | undefined
  /** Makes the row of somebody invited, as MANAGER. */
  readonly invite: (userId: string, phoneNumber: string) => void
}

/** The rows of users in a store, to look at and to invite. */
export const rowsOf = ({ client }: Store): Pick<Provider, 'row' | 'invite'> => ({
  row: (userId) => client.prepare('select * from app_user where id = ?').get(userId) as Row | undefined,
  invite: (userId, phoneNumber) =>
    void client
      .prepare(
        `insert into app_user(id, org_id, subject, phone_number, phone_verified, roles, status, created_at, updated_at)
         values (?, ?, ?, ?, 0, '["MANAGER"]', 'INVITED', ?, ?)`,
      )
      .run(userId, ORG, userId, phoneNumber, START, START),
})
type Row = Readonly<Record<string, unknown>>
const START = '2026-01-01T00:00:00.000Z'

export const FIRST = 'trois mangues mûres'
export const SECOND = 'quatre ananas verts'

let numbers = 0
export const newNumber = (): string => `+2376${String(70_000_000 + 7_919 * ++numbers).slice(0, 8)}`

export const account = (changes: Partial<NewAccount> = {}): NewAccount => ({
  orgId: ORG,
  phoneNumber: newNumber(),
  phoneVerified: true,
  password: FIRST,
  firstName: 'Ama',
  lastName: 'Ngo Bell',
  locale: 'fr',
  roles: ['TENANT'],
  ...changes,
})

/** The error's code; `done` without one. */
export const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )
