import type { Db } from '../../../../db/open.ts'
import { record, update } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { type ImportKind, PARTIES, PARTY_MEMBERS, TENANT_MEMBERS } from '../../../core/import-columns.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import type { LeasePartiesPut } from '../../lease/contracts/model.ts'
import { createBooking, moveBooking } from '../../lease/leases/service.ts'
import { putParties } from '../../lease/signing/cosigning.ts'
import { ownMedia } from '../../papers/media/service.ts'
import { createTenant, tenantOfPhone } from '../../people/tenants/service.ts'
import { getTenant, seesTenant, tenantsWithPhone } from '../../people/tenants/store.ts'
import { createProperty, propertyOf, updateProperty } from '../../property/properties/service.ts'
import { getProperty } from '../../property/properties/store.ts'
import { createUnit } from '../../property/units/service.ts'
import { usableUnits } from '../../property/units/store.ts'
import type { ImportCreate } from './model.ts'
import { plain, type Row } from './rules.ts'
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

/** Most rows that a template begins with. */
const MOST_UNITS = 1000
/** The vacant units of a property as rows of a file of leases; none where all are let. @throws not_found */
export function vacantUnits(db: Db, { orgId, scope }: Caller, id: string): Readonly<Record<string, string>>[] {
  const property = getProperty(db, orgId, scope, id)
  if (!property) throw notFound()
  return usableUnits(db, orgId, id, MOST_UNITS)
    .filter(({ status }) => status === 'AVAILABLE')
    .map(({ label, rentAmount }) => ({ property: property.name, unit: label, rentAmount: String(rentAmount ?? '') }))
}

/** Queues a file for import: one at a time a person, so that nobody holds up the others. @throws validation_failed, not_found, already_running */
export function createImport(ctx: Ctx, body: ImportCreate): ImportRow {
  const { orgId, userId } = ctx.caller
  const csv = body.csv ?? null
  const mediaObjectId = body.mediaObjectId ?? null
  if ((csv === null) === (mediaObjectId === null))
    throw invalid('/csv', 'Give either csv or mediaObjectId.', 'Donnez soit csv, soit mediaObjectId.')
  if (mediaObjectId !== null) ownMedia(ctx, mediaObjectId, 'USER')
  if (hasOpenImport(ctx.tx, { orgId, userId })) throw new AppError('already_running')
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
  if (id === undefined) throw invalid(path, 'Nothing of this name is there.', 'Rien de ce nom n’existe.')
  if ((ids?.length ?? 0) > 1)
    throw invalid(path, 'Several have this name: rename one first.', 'Plusieurs portent ce nom : renommez-en un.')
  return id
}

/** Checks a row against a request body's schema; throws validation_failed with its members. */
export type Judge = (schema: 'property' | 'unit' | 'tenant' | 'booking' | 'parties', body: Row) => void

function bringProperty(ctx: Ctx, row: Row, index: Index, judge: Judge): void {
  const { type, ...body } = row as Row & { name: string; addressLine: string; city: string }
  judge('property', row)
  const key = plain(body.name)
  if (index.properties.has(key)) throw twice('/name')
  const property = createProperty(ctx, body)
  if (type !== undefined && type !== property.type)
    updateProperty(ctx, property.id, { type: type as typeof property.type })
  index.add(index.properties, key, property.id)
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
  const { rccm, representativeName } = row
  // Only companies have a register's number, and somebody who signs for them.
  const kind = row.kind ?? (rccm === undefined && representativeName === undefined ? undefined : 'COMPANY')
  const body = { ...row, ...(kind === undefined ? {} : { kind }) } as Row & { fullName: string; phoneNumber?: string }
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

/** Puts the co-tenants and the guarantor of a row on its lease; faults are reported at their cells. */
function bringParties(ctx: Ctx, bookingId: string, row: Row, judge: Judge): void {
  const parties = PARTIES.map(({ at, role }) => ({
    at,
    role,
    said: Object.entries(PARTY_MEMBERS).flatMap(([end, member]) =>
      row[at + end] === undefined ? [] : [[member, row[at + end]] as const],
    ),
  })).filter(({ said }) => said.length > 0)
  if (parties.length === 0) return
  const body = { parties: parties.map(({ role, said }) => ({ role, ...Object.fromEntries(said) })) }
  try {
    judge('parties', body)
    putParties(ctx, bookingId, body as LeasePartiesPut)
  } catch (e) {
    if (!(e instanceof AppError) || e.details.errors === undefined) throw e
    const errors = e.details.errors.map(({ path, message }) => {
      const [, , n = '', member] = path.split('/')
      const end = Object.entries(PARTY_MEMBERS).find(([, name]) => name === member)?.[0] ?? ''
      return { path: `/${parties[Number(n)]?.at ?? ''}${end}`, message }
    })
    throw new AppError(e.code, e.text, { errors })
  }
}

const isOfParty = (member: string): boolean => PARTIES.some(({ at }) => member.startsWith(at))
function bringLease(ctx: Ctx, row: Row, index: Index, judge: Judge): void {
  const { property, unit, tenant, activate, ...rest } = row as Row & { property: string; unit: string; tenant: string }
  const propertyId = only(index.properties.get(plain(property)), '/property')
  const unitId = only(index.units.get(`${propertyId} ${plain(unit)}`), '/unit')
  const person = Object.fromEntries(Object.entries(rest).filter(([k]) => k === 'locale' || TENANT_MEMBERS.includes(k)))
  const terms = Object.fromEntries(
    Object.entries(rest).filter(([k]) => !TENANT_MEMBERS.includes(k) && !isOfParty(k)),
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
  bringParties(ctx, id, row, judge)
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
