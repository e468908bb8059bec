import type { Db } from '../../../../db/open.ts'
import { record, update } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { addDays, formatDate, minDate } from '../../../core/dates.ts'
import { type ImportKind, PARTIES, PARTY_MEMBERS, TENANT_MEMBERS } from '../../../core/import-columns.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import type { LeasePartiesPut } from '../../lease/contracts/model.ts'
import { createBooking, moveBooking } from '../../lease/leases/service.ts'
import { putParties } from '../../lease/signing/cosigning.ts'
import { takeOverDeposit } from '../../money/deposits/service.ts'
import { ownMedia } from '../../papers/media/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { createTenant, tenantOfPhone } from '../../people/tenants/service.ts'
import { getTenant, seesTenant, tenantsWithPhone } from '../../people/tenants/store.ts'
import { createProperty, propertyOf, updateProperty } from '../../property/properties/service.ts'
import { getProperty } from '../../property/properties/store.ts'
import { createUnit } from '../../property/units/service.ts'
import { usableUnits } from '../../property/units/store.ts'
import type { ImportCreate } from './model.ts'
import { type Asked, type PreviewRow, plain, type Row } from './rules.ts'
import { billFromAfter } from './sheets.ts'
import {
  findImport,
  forgetImports,
  forgetPreviews,
  hasOpenImport,
  type ImportRow,
  insertImport,
  propertyNames,
  saveImport,
  tenantNames,
  unitLabels,
  unitLeases,
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

/** What is said beside the file, without what is not said. */
function askedOf({ kind, dryRun: _, csv: __, mediaObjectId: ___, ...said }: ImportCreate): Asked {
  const entries = Object.entries(said).filter(([, value]) => value !== undefined && value !== null)
  return { ...Object.fromEntries(entries), ...(kind ? {} : { anyKind: true }) }
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
    kind: body.kind ?? 'leases',
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
    asked: askedOf(body),
    reading: null,
    preview: null,
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

/** Takes the rows of all files away when a person of the organization is erased. */
export const forgetRows = (ctx: Ctx): void => forgetPreviews(ctx.tx, ctx.caller.orgId, ctx.now)

/** What rows may refer to by name; each imported row is added. */
export function createIndex(db: Db, { orgId, userId, scope }: Caller, asked: Asked = {}) {
  const properties = new Map<string, string[]>()
  const units = new Map<string, string[]>()
  const tenants = new Map<string, string[]>()
  const leases = new Map<string, UnitLease[]>()
  const names = new Map<string, string>()
  /** What rows of this file have made. */
  const made = new Set<string>()
  const put = (map: Map<string, string[]>, key: string, id: string): void =>
    void map.set(key, [...(map.get(key) ?? []), id])
  const add = (map: Map<string, string[]>, key: string, id: string): void => {
    put(map, key, id)
    made.add(id)
  }
  for (const p of propertyNames(db, { orgId }))
    if (scope.kind === 'all' || p.ownerUserId === userId) {
      put(properties, plain(p.name), p.id)
      names.set(p.id, p.name)
    }
  for (const u of unitLabels(db, { orgId })) put(units, `${u.propertyId} ${plain(u.label)}`, u.id)
  for (const t of tenantNames(db, { orgId })) put(tenants, plain(t.fullName), t.id)
  for (const lease of unitLeases(db, { orgId })) leases.set(lease.unitId, [...(leases.get(lease.unitId) ?? []), lease])
  return { properties, units, tenants, leases, names, made, asked, add }
}
type Index = ReturnType<typeof createIndex>
type UnitLease = ReturnType<typeof unitLeases>[number]

const twice = (path: string) => invalid(path, 'This is there already.', 'Ceci existe déjà.')
function only(ids: readonly string[] | undefined, path: string): string {
  const [id] = ids ?? []
  if (id === undefined) throw invalid(path, 'Nothing of this name is there.', 'Rien de ce nom n’existe.')
  if ((ids?.length ?? 0) > 1)
    throw invalid(path, 'Several have this name: rename one first.', 'Plusieurs portent ce nom\u00a0: renommez-en un.')
  return id
}

/** Checks a row against a request body's schema; throws validation_failed with its members. */
export type Judge = (schema: 'property' | 'unit' | 'tenant' | 'booking' | 'parties', body: Row) => void
/** What became of a row. */
export type Brought = Pick<PreviewRow, 'outcome' | 'differs' | 'message'>
const NEW: Brought = { outcome: 'NEW' }
const THERE: Brought = {
  outcome: 'KNOWN',
  message: { en: 'Already there: nothing to do.', fr: 'Déjà là\u00a0: rien à faire.' },
}
/** Whether what a name means was there before this file; one that the file names twice is refused. */
function isThere(index: Index, ids: readonly string[] | undefined, path: string): boolean {
  if (ids?.some((id) => index.made.has(id))) throw twice(path)
  return ids !== undefined && ids.length > 0
}

function bringProperty(ctx: Ctx, row: Row, index: Index, judge: Judge): Brought {
  const { type, ...body } = row as Row & { name: string; addressLine: string; city: string }
  judge('property', row)
  const key = plain(body.name)
  if (isThere(index, index.properties.get(key), '/name')) return THERE
  const property = createProperty(ctx, body)
  if (type !== undefined && type !== property.type)
    updateProperty(ctx, property.id, { type: type as typeof property.type })
  index.add(index.properties, key, property.id)
  return NEW
}

function bringUnit(ctx: Ctx, row: Row, index: Index, judge: Judge): Brought {
  const { property, ...body } = row as Row & { property: string; label: string }
  judge('unit', body)
  const propertyId = only(index.properties.get(plain(property)), '/property')
  const key = `${propertyId} ${plain(body.label)}`
  if (isThere(index, index.units.get(key), '/label')) return THERE
  index.add(index.units, key, createUnit(ctx, propertyId, body).id)
  return NEW
}

function bringTenant(ctx: Ctx, row: Row, index: Index, judge: Judge): Brought {
  const { phoneNumber, fullName } = row as { phoneNumber?: string; fullName: string }
  const { orgId, scope } = ctx.caller
  const ids =
    phoneNumber === undefined
      ? visible(ctx, index.tenants.get(plain(fullName)))
      : tenantsWithPhone(ctx.tx, orgId, phoneNumber).flatMap((t) =>
          seesTenant(ctx.tx, scope, t) && !index.made.has(t.id) ? [t.id] : [],
        )
  if (isThere(index, ids, '/fullName')) return THERE
  createTenantOf(ctx, row, index, judge)
  return NEW
}
function createTenantOf(ctx: Ctx, row: Row, index: Index, judge: Judge): string {
  const { rccm, representativeName } = row
  // Only companies have a register's number, and somebody who signs for them.
  const kind = row.kind ?? (rccm === undefined && representativeName === undefined ? undefined : 'COMPANY')
  const body = { ...row, ...(kind === undefined ? {} : { kind }) } as Row & { fullName: string; phoneNumber?: string }
  judge('tenant', body)
  const { id } = createTenant(ctx, body)
  index.add(index.tenants, plain(body.fullName), id)
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
/** The property of a row of leases; one that is not there yet is created where the caller said in which city. */
function propertyOfRow(ctx: Ctx, name: string | undefined, { properties, names, asked, add }: Index): string {
  const said = name ?? asked.property?.name ?? undefined
  if (said === undefined) {
    if (asked.propertyId !== undefined) {
      if (!names.has(asked.propertyId))
        throw invalid('/property', 'There is no such property.', 'Ce bien n’existe pas.')
      return asked.propertyId
    }
    const [one, ...others] = names.keys()
    if (one === undefined || others.length > 0)
      throw invalid('/property', 'Say which property this is.', 'Dites de quel bien il s’agit.')
    return one
  }
  const ids = properties.get(plain(said))
  if (ids || !asked.property) return only(ids, '/property')
  const { city, addressLine } = asked.property
  const { id } = createProperty(ctx, { name: said, city, addressLine: addressLine ?? city })
  add(properties, plain(said), id)
  return id
}
/** The unit of a row, created where the caller wants so. */
function unitOfRow(
  ctx: Ctx,
  propertyId: string,
  { label, rentAmount }: { readonly label: string; readonly rentAmount: unknown },
  { index, judge }: { readonly index: Index; readonly judge: Judge },
): string {
  const key = `${propertyId} ${plain(label)}`
  const ids = index.units.get(key)
  if (ids || !index.asked.createUnits) return only(ids, '/unit')
  const body = { label, ...(rentAmount === undefined ? {} : { rentAmount: rentAmount as number }) }
  judge('unit', body)
  const { id } = createUnit(ctx, propertyId, body)
  index.add(index.units, key, id)
  return id
}

/** A vacant unit of a file of leases: it is there, or made where the caller wants so. */
export function bringVacant(ctx: Ctx, { property, unit, rentAmount }: Row, index: Index, judge: Judge): void {
  if (!index.asked.createUnits) return
  const propertyId = propertyOfRow(ctx, property as string | undefined, index)
  unitOfRow(ctx, propertyId, { label: unit as string, rentAmount }, { index, judge })
}

/** What a lease of the home says of a row: that it is there, over, or that somebody else lives there. */
function leaseOfRow(ctx: Ctx, row: Row, unitId: string, index: Index): Brought | undefined {
  const { tenant, phoneNumber, startDate } = row as { tenant: string; phoneNumber?: string; startDate: string }
  const leases = (index.leases.get(unitId) ?? []).filter(({ id }) => !index.made.has(id))
  if (leases.length === 0) return undefined
  const ids =
    phoneNumber === undefined ? [] : tenantsWithPhone(ctx.tx, ctx.caller.orgId, phoneNumber).map(({ id }) => id)
  // A number is sure; a name only within the home.
  const isTheirs = (lease: UnitLease): boolean =>
    ids.includes(lease.tenantId) || (plain(lease.tenantName) === plain(tenant) && ids.length === 0)
  const reaches = ({ startDate: from, endDate: to }: UnitLease): boolean =>
    (to === undefined || startDate <= to) && (row.endDate === undefined || (row.endDate as string) >= from)
  const open = leases.filter(({ status }) => status !== 'TERMINATED')
  const known = open.find(isTheirs)
  if (known) {
    const differs =
      row.rentAmount === undefined || row.rentAmount === known.rentAmount
        ? []
        : [{ member: 'rentAmount', here: known.rentAmount, sheet: row.rentAmount }]
    return { ...THERE, ...(differs.length > 0 && { differs }) }
  }
  const other = open.find((lease) => lease.status !== 'DRAFT' && reaches(lease))
  if (other)
    return {
      outcome: 'OCCUPIED',
      message: { en: `${other.tenantName} lives there.`, fr: `${other.tenantName} y habite.` },
    }
  const ended = leases.flatMap((lease) =>
    lease.status === 'TERMINATED' && lease.endDate !== undefined && startDate <= lease.endDate
      ? [{ ...lease, endDate: lease.endDate }]
      : [],
  )
  const [over] = ended.filter(isTheirs)
  if (over) {
    const [en, fr] = (['en', 'fr'] as const).map((locale) => formatDate(over.endDate, locale))
    return {
      outcome: 'ENDED',
      message: {
        en: `This lease ended on ${en}: it does not come back.`,
        fr: `Ce bail a pris fin le ${fr}\u00a0: il ne revient pas.`,
      },
    }
  }
  // Two leases of one home never overlap, also where the first has ended.
  const last = ended
    .map(({ endDate }) => endDate)
    .sort()
    .at(-1)
  if (last === undefined) return undefined
  const [en, fr] = (['en', 'fr'] as const).map((locale) => formatDate(addDays(last, 1), locale))
  throw invalid(
    '/startDate',
    `Another lease of this home ran until the day before: begin on ${en} or later.`,
    `Un autre bail de ce logement courait encore\u00a0: commencez le ${fr} au plus tôt.`,
  )
}

function bringLease(ctx: Ctx, given: Row, index: Index, judge: Judge): Brought {
  const { property, unit, tenant, activate, paidUntil, ...rest } = given as Row & { unit: string; tenant: string }
  const propertyId = propertyOfRow(ctx, property as string | undefined, index)
  const unitId = unitOfRow(ctx, propertyId, { label: unit, rentAmount: rest.rentAmount }, { index, judge })
  const row = { ...rest, ...startOf({ ...rest, paidUntil }) }
  const there = leaseOfRow(ctx, { ...row, tenant }, unitId, index)
  if (there) return there
  const person = Object.fromEntries(Object.entries(row).filter(([k]) => k === 'locale' || TENANT_MEMBERS.includes(k)))
  const terms = Object.fromEntries(
    Object.entries(row).filter(([k]) => !TENANT_MEMBERS.includes(k) && !isOfParty(k)),
  ) as unknown as { startDate: string; depositAmount?: number }
  const phone = person.phoneNumber as string | undefined
  const named = visible(ctx, index.tenants.get(plain(tenant)))
  const { orgId, scope } = ctx.caller
  const { ownerUserId } = propertyOf(ctx, propertyId)
  const known = phone !== undefined && tenantsWithPhone(ctx.tx, orgId, phone).some((t) => seesTenant(ctx.tx, scope, t))
  let tenantId: string
  if (known) tenantId = tenantOfPhone(ctx, phone, ownerUserId).id
  else if (phone === undefined && named.length > 0) tenantId = only(named, '/tenant')
  else tenantId = createTenantOf(ctx, { fullName: tenant, ...person }, index, judge)
  const body = { ...terms, unitId, tenantId }
  judge('booking', body)
  const { id, locale } = createBooking(ctx, body)
  index.made.add(id)
  bringParties(ctx, id, row, judge)
  if (activate === false) return NEW
  moveBooking(ctx, id, 'submit', { how: 'BEFORE' })
  moveBooking(ctx, id, 'activate', { how: 'BEFORE' })
  const amount = terms.depositAmount ?? 0
  if (index.asked.depositsHeld && amount > 0)
    takeOverDeposit(ctx, id, {
      amount,
      paidOn: minDate(terms.startDate, todayOf(ctx)),
      reason: locale === 'fr' ? 'Repris de votre tableau' : 'Taken over from your list',
    })
  return NEW
}
/** The first day of a lease, and the day from which it is billed, by what is said of the last month paid. */
function startOf({ startDate, billFrom, paidUntil }: Row): { readonly startDate: string; readonly billFrom?: string } {
  const month = paidUntil as string | undefined
  const from = (startDate as string | undefined) ?? `${month}-01`
  const bill = (billFrom as string | undefined) ?? (month && (billFromAfter(from, month) ?? from))
  return { startDate: from, ...(bill !== undefined && { billFrom: bill }) }
}

/** What a row of each kind of file does: it calls the same use cases as the API. */
export const BRING: Readonly<Record<ImportKind, (ctx: Ctx, row: Row, index: Index, judge: Judge) => Brought>> = {
  properties: bringProperty,
  units: bringUnit,
  tenants: bringTenant,
  leases: bringLease,
}
