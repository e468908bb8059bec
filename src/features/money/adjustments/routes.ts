import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { DAY_MS } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import { reachOf } from '../../../core/scope.ts'
import type { Deps } from '../../../deps.ts'
import { digestOf } from '../../../http/etag.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { Uuid } from '../../../http/schema.ts'
import { Adjustment, toAdjustment } from './model.ts'
import { DAYS, MOST } from './rules.ts'
import { ofSubject, recent } from './store.ts'

/** What lowered a debt, gave money back or changed a fee by hand. */
export const adjustments = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/adjustments', tags: ['Reports'] }).use(http).get(
    '',
    ({ caller, one, query: { subjectId } }) => {
      const about = { orgId: caller.orgId, owner: reachOf(caller.scope), limit: MOST }
      const rows =
        subjectId === undefined
          ? recent(deps.db).all({ ...about, of: leastIdAt(deps.clock.now() - DAYS * DAY_MS) })
          : ofSubject(deps.db).all({ ...about, of: subjectId })
      return one({ version: digestOf(rows), rows }, () => rows.map(toAdjustment))
    },
    {
      access: LANDLORDS,
      query: Type.Object(
        { subjectId: Type.Optional({ ...Uuid, description: 'Only those of this object, however old.' }) },
        { additionalProperties: true },
      ),
      answers: { 200: Type.Array(Adjustment, { maxItems: MOST }) },
      detail: {
        summary: 'List adjustments',
        operationId: 'listAdjustments',
        description: `Lists, newest first, who lowered a debt, gave money back or changed a fee by hand within the last ${DAYS} days, and why: at most ${MOST}. If somebody other than the owner of the property did it, the owner and the administrators get a message and a line in the overview.`,
        'x-versioned': true,
      } as object,
    },
  )
