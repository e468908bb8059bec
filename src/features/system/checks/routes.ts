import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { oneOf } from '../../../http/schema.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { CHECKS, STATES } from './rules.ts'
import { checkService } from './service.ts'

const Finding = Type.Object({
  check: oneOf(CHECKS, {
    description:
      'SETTINGS: mode, address, limits. CLOCK: the clock of the machine. DISK: free space. PERMISSIONS: of the data folder. INTEGRITY: of the database. JOBS: work that failed or is late. MESSAGING: the messaging vendor. ISSUER: the identity provider. PROXY: whether PUBLIC_URL leads here. TIME_ZONE: of new organizations. BACKUPS: the age of the last good one. PROCESSES: those that answer reads, see WORKERS.',
  }),
  state: oneOf(STATES, { description: 'GOOD, WARNING (works, but should be changed), BAD (something does not work).' }),
  text: Type.Object(
    {
      en: Type.String({ description: 'In English.', examples: ['6 GB of disk are free.'] }),
      fr: Type.String({ description: 'In French.', examples: ['6 Go de disque sont libres.'] }),
    },
    { description: 'The result of the check; if it is not good, also what to do.' },
  ),
})
const Checkup = Type.Object(
  {
    checkedAt: Type.String({ format: 'date-time', description: 'When the server was checked.' }),
    state: oneOf(STATES, { description: 'The worst of the findings.' }),
    findings: Type.Array(Finding, { description: 'One for each check, in a fixed order.' }),
  },
  { $id: 'Checkup' },
)

export const checks = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/health', tags: ['Service'] }).use(http).get(
    '',
    async ({ caller, inTurn }) => {
      if (caller.orgId !== operatorOrganization(deps.db)?.id) throw new AppError('forbidden')
      const findings = await inTurn(() => checkService(deps))
      const state = STATES.findLast((worst) => findings.some((finding) => finding.state === worst)) ?? 'GOOD'
      return { checkedAt: new Date(deps.clock.wall()).toISOString(), state, findings }
    },
    {
      access: ADMINS,
      problems: ['forbidden'],
      answers: { 200: Checkup },
      detail: {
        summary: 'Check the server and list what is wrong',
        operationId: 'checkup',
        description:
          'Checks settings, clock, disk, folder, database, waiting jobs, messaging vendor, issuer, address, time zone, backups and processes, as `loyer doctor` does, and says what to do. Takes up to 4 s if another server does not answer. For an ADMIN of the organization that operates the server; others get 403.',
      },
    },
  )
