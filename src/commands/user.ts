import { createInterface } from 'node:readline/promises'
import { Value } from '@sinclair/typebox/value'
import { isRole, ROLES } from '../core/roles.ts'
import type { Deps } from '../deps.ts'
import { addUser } from '../features/people/accounts/account.ts'
import { setPasswordByOperator } from '../features/people/accounts/password-reset.ts'
import { dropByOperator } from '../features/people/accounts/second-factor.ts'
import { findOrganization, operatorOrganization } from '../features/people/organizations/store.ts'
import { PersonName, Text } from '../http/schema.ts'
import { silentLog } from '../log.ts'
import { buildDeps } from '../wiring.ts'
import { type Command, UsageError } from './command.ts'
import { expectDatabase } from './folders.ts'

const OrganizationName = Text({ max: 200 })

/** Prompts for missing options; without a terminal it names the missing option instead. */
async function ask(questions: Readonly<Record<string, string>>): Promise<string[]> {
  const names = Object.keys(questions)
  if (names.length === 0) return []
  if (!process.stdin.isTTY) throw new UsageError(`Say ${names.map((name) => `--${name}`).join(' and ')}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answers: string[] = []
  for (const question of Object.values(questions)) answers.push((await terminal.question(`${question}: `)).trim())
  terminal.close()
  return answers
}

/** Refuses a name for an organization that has one: passed over, it would look as if a second one had been made. */
function refuseSecondName({ db, newId }: Pick<Deps, 'db' | 'newId'>, org: string | undefined): void {
  if (org !== undefined) {
    if (!findOrganization(db, org)) return
    throw new UsageError('--org-name: The organization with this id has a name already: leave --org-name out.')
  }
  if (!operatorOrganization(db)) return
  throw new UsageError(
    `--org-name: This server has an organization already. For a second one, add --org ${newId()}; for an account in the first one, leave --org-name out.`,
  )
}

/** `loyer user create`: an account, and the operator's organization with the first one. */
export const createUser: Command = async ({ folder, values: options }) => {
  const config = folder()
  const roles = (options.role ?? []).flatMap((r) => r.split(','))
  if (!options.phone || roles.length === 0 || !roles.every(isRole))
    throw new UsageError(`Say --phone and --role (${ROLES.join(', ')}).`)
  // Leases and receipts print the landlord's name, so an account must have one.
  const missing = {
    ...(options['first-name'] ? {} : { 'first-name': 'First name' }),
    ...(options['last-name'] ? {} : { 'last-name': 'Last name' }),
  }
  const answers = await ask(missing)
  const firstName = options['first-name'] || (answers.shift() ?? '')
  const lastName = options['last-name'] || (answers.shift() ?? '')
  const names = { 'first-name': firstName, 'last-name': lastName }
  for (const [option, name] of Object.entries(names))
    if (!Value.Check(PersonName, name))
      throw new UsageError(`--${option}: a name has 1 to 100 characters, on one line, and is no telephone number.`)
  if (options['org-name'] !== undefined && !Value.Check(OrganizationName, options['org-name']))
    throw new UsageError('--org-name: a name has 1 to 200 characters, on one line.')
  const running = await buildDeps(config, silentLog)
  try {
    if (options['org-name'] !== undefined) refuseSecondName(running.deps, options.org)
    const account = await addUser(running.deps, {
      phone: options.phone,
      roles: roles.filter(isRole),
      orgId: options.org,
      orgName: options['org-name'],
      firstName,
      lastName,
      password: options.password,
    })
    const lines = [`user ${account.userId}`, `organization ${account.orgId}`, `folder ${config.dataDir}`]
    return [...lines, ...(account.password ? [`password ${account.password}`] : [])].join('\n')
  } finally {
    await running.close()
  }
}

/** `loyer user password`: sets a new password for a user who is locked out. */
export const resetPassword: Command = async ({ folder, values: { phone, password } }) => {
  if (!phone) throw new UsageError('Say whose password, by --phone.')
  const config = folder()
  expectDatabase(config)
  const running = await buildDeps(config, silentLog)
  try {
    const result = await setPasswordByOperator(running.deps, { phone, password })
    return [`user ${result.userId}`, ...(result.password ? [`password ${result.password}`] : [])].join('\n')
  } finally {
    await running.close()
  }
}

/** `loyer user second-factor --off`: removes it for a user who lost it and whom no ADMIN can help. */
export const dropSecondFactor: Command = async ({ folder, values: { phone, off } }) => {
  if (!phone || !off) throw new UsageError('Say whose second factor, by --phone, and --off.')
  const config = folder()
  expectDatabase(config)
  const running = await buildDeps(config, silentLog)
  try {
    const had = await dropByOperator(running.deps, phone)
    return had
      ? 'The second factor is removed; the next sign-in sets up a new one if one is required.'
      : 'This account has no second factor.'
  } finally {
    await running.close()
  }
}
