import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { Backups } from './model.ts'
import { askForBackup, makeBackup, refuseOthers, stateOf } from './service.ts'

const OPERATOR =
  'For administrators of the operator’s organization, the first one of the server, because a backup contains the data of all organizations.'

export const backups = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/backups', tags: ['Service'] })
    .use(http)
    .get(
      '',
      ({ caller }) => {
        refuseOthers(deps.db, caller.orgId)
        return stateOf(deps)
      },
      {
        access: ADMINS,
        answers: { 200: Backups },
        detail: {
          summary: 'List the backups and the last failure',
          operationId: 'backups',
          description: `${OPERATOR} A backup is one file with the database, keys, media and papers; \`loyer restore\` restores it. Get the files from their storage location; they cannot be downloaded here.`,
        },
      },
    )
    .post(
      '',
      async ({ body, perform }) => {
        let requested = false
        const answer = await perform({
          status: 202,
          body,
          run: (ctx) => {
            askForBackup(ctx, deps)
            requested = true
            return { running: true }
          },
        })
        if (requested) void makeBackup(deps)
        return { ...stateOf(deps), ...answer }
      },
      {
        access: ADMINS,
        body: Body({}),
        problems: ['backups_off'],
        answers: { 202: Backups },
        detail: {
          summary: 'Make a backup now',
          operationId: 'makeBackup',
          description: `${OPERATOR} The backup is made in the background, opened and checked; read the backups again until \`running\` is false. Only one backup runs at a time. Afterwards old backups are removed: the newest three stay, and the last of each of seven days, four weeks and twelve months.`,
        },
      },
    )
