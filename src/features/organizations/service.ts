import { localDate } from '../../core/dates.ts'
import { notFound } from '../../errors.ts'
import type { Ctx } from '../../http/caller.ts'
import { enqueue } from '../../jobs/queue.ts'
import { record } from '../audit/service.ts'
import type { OrganizationPatch } from './model.ts'
import { findOrganization, insertOrganization, type OrganizationRow, saveOrganization } from './store.ts'

export type OrganizationDefaults = { readonly timeZone: string; readonly locale: 'fr' | 'en' }

/** Makes an organization at the first sight of its id, with the operator's defaults. */
export function createOrganization(
  ctx: Ctx,
  id: string,
  defaults: OrganizationDefaults,
  name: string | null = null,
): OrganizationRow {
  const row: OrganizationRow = {
    id,
    name,
    address: null,
    niu: null,
    rccm: null,
    tvaRegistered: false,
    timeZone: defaults.timeZone,
    locale: defaults.locale,
    dueDay: null,
    issueDaysBefore: 0,
    requireProof: false,
    reminderSchedule: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertOrganization(ctx.tx, row)
  record(ctx, 'organization.create', { type: 'organization', after: row })
  return row
}

/** The caller's organization. @throws not_found */
export function organizationOf(ctx: Ctx): OrganizationRow {
  const row = findOrganization(ctx.tx, ctx.caller.orgId)
  if (!row) throw notFound()
  return row
}

/** Today in the organization's time zone: what periods, due dates and ends are judged by. */
export const todayOf = (ctx: Ctx, org: OrganizationRow = organizationOf(ctx)): string =>
  localDate(ctx.nowMs, org.timeZone)

/** Changes the settings named; the billing days of running leases follow in a job. */
export function updateOrganization(ctx: Ctx, patch: OrganizationPatch): OrganizationRow {
  const before = organizationOf(ctx)
  ctx.expectVersion(before.version)
  const after: OrganizationRow = { ...before, ...patch, updatedAt: ctx.now }
  saveOrganization(ctx.tx, after)
  record(ctx, 'organization.update', { type: 'organization', before, after })
  enqueue(ctx, 'billing.reschedule', `${before.id}:${before.version}`, { orgId: before.id })
  return { ...after, version: before.version + 1 }
}
