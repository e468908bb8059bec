import { Elysia } from 'elysia'
import type { Db } from '../../../../db/open.ts'
import { isTimeZone } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { invalid } from '../../../errors.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { Organization, OrganizationPatch, toOrganization } from './model.ts'
import { updateOrganization } from './service.ts'
import { findOrganization, type OrganizationRow, revisionOf } from './store.ts'

const settingsOf = (db: Db, orgId: string): OrganizationRow | undefined => {
  const row = findOrganization(db, orgId)
  return row && { ...row, version: revisionOf(row) }
}

export const organizations = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/organization', tags: ['Administration'] })
    .use(http)
    .get('', ({ caller, one }) => one(settingsOf(deps.db, caller.orgId), toOrganization), {
      access: ADMINS,
      answers: { 200: Organization },
      detail: { summary: "The organization's settings", operationId: 'getOrganization' },
    })
    .patch(
      '',
      ({ body, mutate }) => {
        if (body.timeZone !== undefined && !isTimeZone(body.timeZone))
          throw invalid('/timeZone', 'There is no such time zone.', "Ce fuseau horaire n'existe pas.")
        return mutate(
          200,
          body,
          (ctx) => updateOrganization(ctx, body),
          toOrganization,
          ({ tx, caller }) => settingsOf(tx, caller.orgId),
        )
      },
      {
        access: { roles: ADMINS, stepUp: true },
        body: OrganizationPatch,
        answers: { 200: Organization },
        detail: { summary: "Change the organization's settings", operationId: 'updateOrganization' },
      },
    )
