// `loyer check`: whether the books balance, beside a running service too, and which franc is wrong where they do not.
import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { checkLedger } from '../../db/ledger/invariants.ts'
import { misbooked } from '../support/books.ts'
import { temporaryFolder } from '../support/folder.ts'
import { cash, letting, type Stage, stage } from '../support/scenario.ts'
import { launch, startServer } from '../support/server.ts'

/** A lease with a deposit and rent paid ahead. */
async function let_(): Promise<Stage> {
  const s = await stage({ given: letting() })
  const [{ id } = {}] = s.rows('select id from booking')
  await s.make('ana', `POST /bookings/${id}/deposit`, { type: 'RECEIVED', amount: 80_000, paidOn: '2026-03-01' })
  await s.make('ana', `POST /bookings/${id}/payments`, cash(100_000, { paidOn: '2026-03-01' }))
  return s
}

describe('a franc that is wrong in a table is found, and named', () => {
  test.each([
    [
      'paid on an invoice',
      'update invoice set amount_paid = amount_paid - 1 where amount_paid > 0',
      /^paid on 2026-\d{6}: \d+, not \d+$/,
    ],
    ['credit', 'update booking set credit_amount = credit_amount + 1', /^advance of /],
    ['a deposit', "update deposit_entry set amount = amount + 1 where type = 'RECEIVED'", /^deposit of /],
    ['a payment that counts twice', 'update payment set unallocated_amount = unallocated_amount + 1', /^advance of /],
    [
      'a share of a transfer',
      'update payment set amount = amount + 1, unallocated_amount = unallocated_amount + 1',
      /^shares of transfer /,
    ],
    ['what was taken off', 'update invoice set credited_amount = 1', /^credited on /],
  ])('%s', async (_name, sql, says) => {
    const s = await let_()
    expect(misbooked(s)).toEqual([])
    s.t.deps.store.client.exec(sql)
    expect(checkLedger(s.t.deps.store.client)).toEqual(expect.arrayContaining([expect.stringMatching(says)]))
  })
})

describe('a journal that was changed is found', () => {
  test.each([
    ['a balance', 'update account set balance = balance + 1 where id & 31 = 5', /^the balance of account/],
    ['a day', 'drop trigger entry_kept; update entry set day = day + 1 where id = 1', /^the entry of posting/],
    ['a number', 'update book set last_seq = last_seq + 1', /^the numbers of book/],
  ])('%s', async (_name, sql, says) => {
    const { client } = (await let_()).t.deps.store
    client.exec(sql)
    expect(checkLedger(client)).toEqual(expect.arrayContaining([expect.stringMatching(says)]))
  })
  test.each([
    ['an amount', 'update posting set amount = 1', 'postings never change'],
    ['a posting gone', 'delete from posting', 'postings stay'],
    ['an entry gone', 'delete from entry where id = 1', 'entries stay'],
    [
      'a number left out',
      'insert into entry (book, seq, day, kind, at) select 1, last_seq + 2, 20260301, 3, 0 from book',
      'number skipped',
    ],
    [
      'a deposit below nothing',
      'insert into posting (id, day, debit, credit, amount) select 127, 20260301, id, id + 3, 90000 from account where id & 31 = 3',
      'less than nothing',
    ],
  ])('%s: refused by the database', async (_name, sql, says) => {
    const { client } = (await let_()).t.deps.store
    expect(() => client.exec(sql)).toThrow(says)
  })
})

test('loyer check: beside a running service, and of a folder in which a franc is missing', async () => {
  const folder = temporaryFolder('books')
  const check = async (data: string, env: Record<string, string> = {}) => {
    const running = launch({ data, command: 'check', env: { LC_ALL: 'C', ...env } })
    return { code: (await running.end()).code, out: running.output() }
  }
  const served = join(folder, 'served')
  expect(await check(served)).toEqual({ code: 1, out: expect.stringContaining('holds no database') })
  const server = await startServer({ data: served })
  expect(await check(served)).toEqual({ code: 0, out: expect.stringMatching(/balance to the franc: [1-9]\d invoices/) })
  await server.end('SIGTERM')

  const s = await let_()
  const kept = join(folder, 'kept')
  mkdirSync(kept, { mode: 0o700 })
  s.t.deps.store.client.exec(`vacuum into '${join(kept, 'loyer.db')}'`)
  expect(await check(kept)).toEqual({
    code: 0,
    out: expect.stringMatching(/: [1-9]\d* invoices, 1 payments, 1 leases\./),
  })
  const file = new Database(join(kept, 'loyer.db'))
  file.exec('update booking set credit_amount = credit_amount + 1')
  file.close()
  const french = await check(kept, { LC_ALL: 'fr_CM.UTF-8' })
  expect(french.code).toBe(1)
  expect(french.out).toContain('Les comptes ne sont pas justes')
  expect(french.out).toMatch(/advance of [0-9a-f-]{36}: 40000, not 40001/)
  expect(french.out).not.toMatch(/Error|at .*\.ts/)
}, 60_000)
