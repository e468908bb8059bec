import type { Db } from '../../../../db/open.ts'
import { record, update } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors.ts'
import { createBooking, moveBooking } from '../../lease/bookings/service.ts'
import { ownMedia } from '../../papers/media/service.ts'
import { createTenant, tenantOfPhone } from '../../people/tenants/service.ts'
import { getTenant, seesTenant, tenantsWithPhone } from '../../people/tenants/store.ts'
import { createProperty, propertyOf, updateProperty } from '../../property/properties/service.ts'
import { createUnit } from '../../property/units/service.ts'
import type { ImportCreate } from './model.ts'
import { type ImportKind, plain, type Row } from './rules.ts'
import {
  findImport,
  forgetImports,
  hasOpenImport,
  type ImportRow,
  insertImport,
  propertyNames,
  saveImport,
  tenantNames,
  unitLabels,
} from './store.ts'

/** A run, for its maker, a manager or an administrator. @throws not_found */
export function getImport(db: Db, { orgId, userId, scope }: Caller, id: string): ImportRow | undefined {
  const row = findImport(db, orgId, id)
  return row && (scope.kind === 'all' || row.createdBy === userId) ? row : undefined
}

/** Queues a file for import. @throws validation_failed, not_found, already_running */
export function createImport(ctx: Ctx, body: ImportCreate): ImportRow {
  const { orgId, userId } = ctx.caller
  const csv = body.csv ?? null
  const mediaObjectId = body.mediaObjectId ?? null
  if ((csv === null) === (mediaObjectId === null))
    throw invalid('/csv', 'Give either csv or mediaObjectId.', 'Donnez soit csv, soit mediaObjectId.')
  if (mediaObjectId !== null) ownMedia(ctx, mediaObjectId, 'USER')
  if (hasOpenImport(ctx.tx, orgId)) throw new AppError('already_running')
  const row: ImportRow = {
    id: ctx.newId(),
    orgId,
    createdBy: userId,
    kind: body.kind,
    dryRun: body.dryRun ?? false,
    status: 'QUEUED',
    mediaObjectId,
    csv,
    rows: 0,
    rowsDone: 0,
    problemCount: 0,
    problems: [],
    created: {},
    attempts: 0,
    createdAt: ctx.now,
    finishedAt: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertImport(ctx.tx, row)
  forgetImports(ctx.tx, orgId)
  record(ctx, 'import.create', { type: 'import', after: { id: row.id, kind: row.kind, dryRun: row.dryRun } })
  return row
}

/** Saves a run's progress. @throws precondition_failed if another process has taken it over */
export function changeImport(ctx: Ctx, before: ImportRow, changes: Partial<ImportRow>): ImportRow {
  const after = update(ctx, saveImport, before, changes)
  if (after.finishedAt !== null && before.finishedAt === null)
    record(ctx, 'import.finish', {
      type: 'import',
      after: { id: after.id, status: after.status },
      details: { kind: after.kind, dryRun: after.dryRun, rows: after.rows, problems: after.problemCount },
    })
  return after
}

/** What rows may refer to by name; each imported row is added. */
export function createIndex(db: Db, { orgId, userId, scope }: Caller) {
  const properties = new Map<string, string[]>()
  const units = new Map<string, string[]>()
  const tenants = new Map<string, string[]>()
  const add = (map: Map<string, string[]>, key: string, id: string): void =>
    void map.set(key, [...(map.get(key) ?? []), id])
  for (const p of propertyNames(db, { orgId }))
    if (scope.kind === 'all' || p.ownerUserId === userId) add(properties, plain(p.name), p.id)
  for (const u of unitLabels(db, { orgId })) add(units, `${u.propertyId} ${plain(u.label)}`, u.id)
  for (const t of tenantNames(db, { orgId })) add(tenants, plain(t.fullName), t.id)
  return { properties, units, tenants, add }
}
type Index = ReturnType<typeof createIndex>

const twice = (path: string) => invalid(path, 'This is there already.', 'Ceci existe déjà.')
function only(ids: readonly string[] | undefined, path: string): string {
  const [id] = ids ?? []
  if (id === undefined) throw invalid(path, 'Nothing of this name is there.', "Rien de ce nom n'existe.")
  if ((ids?.length ?? 0) > 1)
    throw invalid(path, 'Several have this name: rename one first.', 'Plusieurs portent ce nom : renommez-en un.')
  return id
}

/** Checks a row against a request body's schema; throws validation_failed with its members. */
export type Judge = (schema: 'property' | 'unit' | 'tenant' | 'booking', body: Row) => void

function bringProperty(ctx: Ctx, row: Row, index: Index, judge: Judge): void {
  const { type, ...body } = row as Row & { name: string; addressLine: string; city: string }
  judge('property', row)
  const key = plain(body.name)
  if (index.properties.has(key)) throw twice('/name')
  const made = createProperty(ctx, body)
  if (type !== undefined && type !== made.type) updateProperty(ctx, made.id, { type: type as typeof made.type })
  index.add(index.properties, key, made.id)
}

function bringUnit(ctx: Ctx, row: Row, index: Index, judge: Judge): void {
  const { property, ...body } = row as Row & { property: string; label: string }
  judge('unit', body)
  const propertyId = only(index.properties.get(plain(property)), '/property')
  const key = `${propertyId} ${plain(body.label)}`
  if (index.units.has(key)) throw twice('/label')
  index.add(index.units, key, createUnit(ctx, propertyId, body).id)
}

function bringTenant(ctx: Ctx, row: Row, index: Index, judge: Judge): string {
  const body = row as Row & { fullName: string; phoneNumber?: string }
  judge('tenant', body)
  const key = plain(body.fullName)
  // Without a number, only the name distinguishes people.
  if (body.phoneNumber === undefined && visible(ctx, index.tenants.get(key)).length > 0) throw twice('/fullName')
  const { id } = createTenant(ctx, body)
  index.add(index.tenants, key, id)
  return id
}
const visible = ({ tx, caller }: Ctx, ids: readonly string[] = []): string[] =>
  ids.filter((id) => getTenant(tx, caller.orgId, caller.scope, id) !== undefined)

const TENANT_MEMBERS = ['phoneNumber', 'idType', 'idNumber', 'niu', 'address', 'locale']
function bringLease(ctx: Ctx, row: Row, index: Index, judge: Judge): void {
  const { property, unit, tenant, activate, ...rest } = row as Row & { property: string; unit: string; tenant: string }
  const propertyId = only(index.properties.get(plain(property)), '/property')
  const unitId = only(index.units.get(`${propertyId} ${plain(unit)}`), '/unit')
  const person = Object.fromEntries(Object.entries(rest).filter(([k]) => TENANT_MEMBERS.includes(k)))
  const terms = Object.fromEntries(
    Object.entries(rest).filter(([k]) => k === 'locale' || !TENANT_MEMBERS.includes(k)),
  ) as { startDate: string }
  const phone = person.phoneNumber as string | undefined
  const named = visible(ctx, index.tenants.get(plain(tenant)))
  const { orgId, scope } = ctx.caller
  const { ownerUserId } = propertyOf(ctx, propertyId)
  const known = phone !== undefined && tenantsWithPhone(ctx.tx, orgId, phone).some((t) => seesTenant(ctx.tx, scope, t))
  let tenantId: string
  if (known) tenantId = tenantOfPhone(ctx, phone, ownerUserId).id
  else if (phone === undefined && named.length > 0) tenantId = only(named, '/tenant')
  else tenantId = bringTenant(ctx, { fullName: tenant, ...person }, index, judge)
  const body = { ...terms, unitId, tenantId }
  judge('booking', body)
  const { id } = createBooking(ctx, body)
  if (activate === false) return
  moveBooking(ctx, id, 'submit', { how: 'BEFORE' })
  moveBooking(ctx, id, 'activate', { how: 'BEFORE' })
}

/** What a row of each kind of file does: it calls the same use cases as the API. */
export const BRING: Readonly<Record<ImportKind, (ctx: Ctx, row: Row, index: Index, judge: Judge) => unknown>> = {
  properties: bringProperty,
  units: bringUnit,
  tenants: bringTenant,
  leases: bringLease,
}
