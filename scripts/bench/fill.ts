// What the generated database holds: organizations, their leases, and their invoices month by month.
import type Database from 'better-sqlite3'
import { convert } from '../../db/ledger/convert.ts'
import { addDays, addMonths } from '../../src/core/dates.ts'
import { leastIdAt } from '../../src/core/id.ts'
import { idOf } from './ids.ts'

/** An organization of some leases, in both databases: what it is asked must not depend on the others. */
export const MIDDLE = { org: 2, leases: 200, months: 45 }
/** With one lease in place of each of these there would be 20,000. */
const ORGANIZATIONS = 19_801
const BIG = { leases: 2_000, months: 50 }
const SMALL = { leases: 2, months: 50 }
/** Of the other organizations, with one lease each; the last ten have a month less, for a round million. */
const OTHER_MONTHS = 45
const FIRST_MONTH = '2022-01-01'
/** The due date of ISSUED invoices, so that no job finds anything to do. */
const FAR = '2099-12-31'
/** Coprime to the number of leases: neighbours in the table are of different organizations, as in life. */
const STRIDE = 7919

/** The database for reports: one organization with a year of invoices, whose ids are made as the service makes them. */
export const REPORTED = { leases: 5_000, months: 12 }

type Lease = { readonly org: number; readonly n: number; readonly months: number }
const million = () =>
  Array.from({ length: ORGANIZATIONS }, (_, org) => {
    if (org === 0) return BIG
    if (org === 1) return SMALL
    if (org === MIDDLE.org) return MIDDLE
    return { leases: 1, months: org < ORGANIZATIONS - 10 ? OTHER_MONTHS : OTHER_MONTHS - 1 }
  })
/** The middle organization among others of one lease. */
const tenThousand = () =>
  Array.from({ length: 23 }, (_, org) => (org === MIDDLE.org ? MIDDLE : { leases: 1, months: OTHER_MONTHS }))
const leases = (sizes: readonly (typeof BIG)[]): Lease[] => {
  const all = sizes.flatMap(({ leases, months }, org) => Array.from({ length: leases }, () => ({ org, months })))
  return all.map((lease, n) => ({ ...lease, n }))
}

/** `put(row)`: one prepared INSERT of the columns of the first row. */
function into(client: Database.Database, table: string) {
  let statement: Database.Statement | undefined
  return (row: Readonly<Record<string, string | number | null>>): void => {
    const columns = Object.keys(row)
    statement ??= client.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    statement.run(Object.values(row))
  }
}
const at = (date: string, n: number) =>
  `${date}T08:${String(n % 60).padStart(2, '0')}:00.${String(n % 1000).padStart(3, '0')}Z`
const born = { created_at: at(FIRST_MONTH, 0), updated_at: at(FIRST_MONTH, 0) }

function fillLandlords(client: Database.Database, organizations: number): void {
  const organization = into(client, 'organization')
  const user = into(client, 'app_user')
  const person = (id: string, org: number, role: string) =>
    user({
      id,
      org_id: idOf('organization', org),
      subject: id,
      phone_verified: 0,
      roles: `["${role}"]`,
      status: 'ACTIVE',
      ...born,
    })
  const options = {
    tva_registered: 0,
    time_zone: 'Africa/Douala',
    locale: 'fr',
    issue_days_before: 0,
    require_proof: 0,
  }
  for (let org = 0; org < organizations; org++) {
    organization({ id: idOf('organization', org), name: `Agence ${org}`, ...options, ...born })
    person(idOf('admin', org), org, 'ADMIN')
    person(idOf('owner', org), org, 'OWNER')
  }
  person(idOf('tenantUser', 0), 0, 'TENANT')
}

/** Of twenty units each, so that the large organization has a hundred. */
const propertyOf = ({ org, n }: Lease) => idOf('property', org * 1000 + (org === 0 ? Math.floor(n / 20) : 0))
const names = (n: number) => ({
  unit_label: `A${n % 100}`,
  tenant_name: `Thérèse Ngo Mbarga ${n}`,
  property_name: 'Résidence Bonamoussadi',
})
const tenantUserOf = (n: number) => (n === 0 ? idOf('tenantUser', 0) : null)

function fillLeases(client: Database.Database, all: readonly Lease[]): void {
  const property = into(client, 'property')
  const unit = into(client, 'unit')
  const tenant = into(client, 'tenant')
  const booking = into(client, 'booking')
  const place = { address_line: 'Derrière la pharmacie', city: 'Douala', amenities: '["parking"]', type: 'APARTMENT' }
  const terms = {
    start_date: FIRST_MONTH,
    anchor_date: FIRST_MONTH,
    rent_amount: 85_000,
    rent_currency: 'XAF',
    tva_basis_points: 0,
    auto_renew: 1,
  }
  const seen = new Set<string>()
  for (const lease of all) {
    const { org, n } = lease
    const org_id = idOf('organization', org)
    const owner_user_id = idOf('owner', org)
    const property_id = propertyOf(lease)
    const label = names(n)
    if (!seen.has(property_id))
      property({
        id: property_id,
        org_id,
        owner_user_id,
        name: label.property_name,
        ...place,
        status: 'PUBLISHED',
        ...born,
      })
    seen.add(property_id)
    const unit_id = idOf('unit', n)
    const tenant_id = idOf('tenant', n)
    const tenant_user_id = tenantUserOf(n)
    unit({ id: unit_id, org_id, property_id, label: label.unit_label, status: 'OCCUPIED', ...born })
    tenant({
      id: tenant_id,
      org_id,
      full_name: label.tenant_name,
      locale: 'fr',
      user_id: tenant_user_id,
      created_by: owner_user_id,
      ...born,
    })
    const id = idOf('booking', n)
    booking({
      id,
      org_id,
      unit_id,
      property_id,
      owner_user_id,
      tenant_id,
      tenant_user_id,
      ...label,
      ...terms,
      locale: 'fr',
      status: 'ACTIVE',
      next_period: 50,
      ...born,
    })
  }
}

function fillInvoices(
  client: Database.Database,
  all: readonly Lease[],
  invoiceId: (n: number, time: string) => string,
): void {
  const invoice = into(client, 'invoice')
  const numbers = new Map<string, number>()
  let total = 0
  for (let month = 0; month < BIG.months; month++) {
    const period_start = addMonths(FIRST_MONTH, month)
    const period_end = addDays(addMonths(FIRST_MONTH, month + 1), -1)
    for (let i = 0; i < all.length; i++) {
      const lease = all[(i * STRIDE) % all.length]
      if (!lease || month >= lease.months) continue
      const series = `${lease.org} ${period_start.slice(0, 4)}`
      const number = (numbers.get(series) ?? 0) + 1
      numbers.set(series, number)
      const kind = total % 50
      const status = kind === 0 ? 'CANCELLED' : kind < 5 ? 'OVERDUE' : kind === 5 ? 'ISSUED' : 'PAID'
      const time = at(addDays(period_start, i % 5), total)
      invoice({
        id: invoiceId(total++, time),
        org_id: idOf('organization', lease.org),
        booking_id: idOf('booking', lease.n),
        unit_id: idOf('unit', lease.n),
        property_id: propertyOf(lease),
        owner_user_id: idOf('owner', lease.org),
        tenant_id: idOf('tenant', lease.n),
        tenant_user_id: tenantUserOf(lease.n),
        ...names(lease.n),
        number: `${period_start.slice(0, 4)}-${String(number).padStart(6, '0')}`,
        currency: 'XAF',
        period_start,
        period_end,
        due_date: status === 'ISSUED' ? FAR : addDays(period_start, 5 + (i % 20)),
        gross_amount: 85_000,
        net_amount: 85_000,
        tva_amount: 0,
        tva_basis_points: 0,
        status,
        amount_paid: status === 'PAID' ? 85_000 : 0,
        credited_amount: 0,
        lines: '[{"kind":"RENT","label":"Loyer / Rent","amount":85000}]',
        created_at: time,
        issued_on: time.slice(0, 10),
        paid_at: status === 'PAID' ? time : null,
        cancelled_at: status === 'CANCELLED' ? time : null,
        updated_at: time,
      })
    }
  }
}

function fillAll(
  client: Database.Database,
  sizes: readonly (typeof BIG)[],
  invoiceId: (n: number, time: string) => string,
) {
  const all = leases(sizes)
  client.transaction(() => {
    fillLandlords(client, sizes.length)
    fillLeases(client, all)
    fillInvoices(client, all, invoiceId)
  })()
  convert(client, client, Date.now())
}

/** Leases that owe the invoice of this month and no other. */
export const DUE = 20_000
export function fillDue(client: Database.Database): void {
  fillAll(client, [{ leases: DUE, months: 0 }], (n) => idOf('invoice', n))
  const now = new Date()
  const months = (now.getUTCFullYear() - Number(FIRST_MONTH.slice(0, 4))) * 12 + now.getUTCMonth()
  client.prepare('update booking set next_period = ?, next_run_on = ?').run(months, now.toISOString().slice(0, 10))
}
/** Fills an empty database, in one transaction. */
export const fill = (client: Database.Database): void => fillAll(client, million(), (n) => idOf('invoice', n))
/** Some 10,000 invoices. */
export const fillFew = (client: Database.Database): void => fillAll(client, tenThousand(), (n) => idOf('invoice', n))
/** One organization of 5,000 units and a year of their invoices, whose ids tell when they were made. */
export const fillReported = (client: Database.Database): void =>
  fillAll(client, [REPORTED], (n, time) => leastIdAt(Date.parse(time)).slice(0, 24) + n.toString(16).padStart(12, '0'))
