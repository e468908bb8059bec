// The last line of defence under the services: a row that changed since it was read is not written over.
import { expect, test } from 'bun:test'
import type { Tx } from '../../db/open.ts'
import { findBooking, saveBooking } from '../../src/features/lease/leases/store.ts'
import { savePayment } from '../../src/features/money/allocations/store.ts'
import { getInvoice, saveInvoice } from '../../src/features/money/invoices/store.ts'
import { getPayment } from '../../src/features/money/payments/store.ts'
import { findTenant, saveTenant } from '../../src/features/people/tenants/store.ts'
import { getProperty, saveProperty } from '../../src/features/property/properties/store.ts'
import { findUnit, saveUnit } from '../../src/features/property/units/store.ts'
import { createTestApp } from '../support/app.ts'
import { world } from '../support/world.ts'

const t = createTestApp()
const w = await world(t)
const ALL = { kind: 'all', userId: '' } as const

/** Reads a row, and saves it twice as it was read: what each save returned. */
type Twice = (tx: Tx) => readonly unknown[]
function twice<R>(tx: Tx, row: R | undefined, save: (tx: Tx, before: R, after: R) => unknown): unknown[] {
  if (!row) throw new Error('there is no such row')
  return [save(tx, row, row), save(tx, row, row)]
}
const rows: [table: string, id: string, run: Twice][] = [
  ['property', w.properties.DRAFT, (tx) => twice(tx, getProperty(tx, w.orgId, ALL, w.properties.DRAFT), saveProperty)],
  ['unit', w.units.SPARE, (tx) => twice(tx, findUnit(tx, w.orgId, w.units.SPARE), saveUnit)],
  ['tenant', w.tenants.INVITED, (tx) => twice(tx, findTenant(tx, w.orgId, w.tenants.INVITED), saveTenant)],
  ['booking', w.bookings.DRAFT, (tx) => twice(tx, findBooking(tx, w.orgId, w.bookings.DRAFT), saveBooking)],
  ['invoice', w.invoices.ISSUED, (tx) => twice(tx, getInvoice(tx, w.orgId, ALL, w.invoices.ISSUED), saveInvoice)],
  ['payment', w.payments.PENDING, (tx) => twice(tx, getPayment(tx, w.orgId, ALL, w.payments.PENDING), savePayment)],
]
test.each(rows)('%s', async (table, id, run) => {
  const version = () => t.rows(`select version from ${table} where id = ?`, id)[0]?.version
  const before = version()
  const [first, second] = await t.write(w.orgId, run)
  expect(first).toBeDefined()
  expect(second).toBeUndefined()
  expect(version()).toBe(Number(before) + 1)
})
