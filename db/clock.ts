import { DAY_MS } from '../src/core/dates.ts'
import type { Db, Tx } from './open.ts'
import { readSetting, writeSetting } from './settings.ts'

const MARK = 'clock.mark'
/** The latest time that the service has seen (ms since 1970), and how many times the clock was set back behind it. */
export function readMark(db: Db): { readonly mark: number; readonly resets: number } {
  const [mark, resets] = (readSetting(db, MARK) ?? '').split(' ').map(Number)
  return { mark: mark ?? 0, resets: resets ?? 0 }
}
export const writeMark = (tx: Tx, mark: number, resets: number): void => writeSetting(tx, MARK, `${mark} ${resets}`)

const LEAP = 'clock.leap'
type Leap = { readonly from: number; readonly to: number }
/** A step ahead of the clock that nobody has confirmed yet: from the last time seen to the next, ms since 1970. */
export function readLeap(db: Db): Leap | undefined {
  const [from, to] = (readSetting(db, LEAP) ?? '').split(' ').map(Number)
  return from && to ? { from, to } : undefined
}
export const writeLeap = (tx: Tx, leap: Leap | undefined): void =>
  writeSetting(tx, LEAP, leap ? `${leap.from} ${leap.to}` : '')

/**
 * A time ahead of the wrong clock stays equally far ahead of the right one. A time that had already passed by the
 * wrong clock is due now.
 */
const later = (table: string, column: string): string =>
  `update ${table} set ${column} = case when ${column} > @mark then ${column} - @mark + @now else @now end where ${column} > @now`
const laterText = (table: string, column: string): string =>
  `update ${table} set ${column} = case when ${column} > @markText
     then strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, @shift) else @text end where ${column} > @text`
const atMost = (table: string, column: string, most: string): string =>
  `update ${table} set ${column} = ${most} where ${column} > ${most}`

const STATEMENTS = [
  // Sessions and codes are deleted, because nothing shows which of them had already expired.
  'delete from oidc_payload',
  'delete from signing_key',
  'delete from challenge',
  'delete from registration_ticket',
  `update outbound_message set sealed = null, next_at = null, status = case when status = 'QUEUED' then 'EXPIRED' else status end
   where challenge_id is not null and sealed is not null`,
  // Its code is gone, and nothing shows whether the person had a day to stop it.
  'delete from recovery',
  'delete from phone_undo where expires_at <= @mark or changed_at > @now',
  // Counters and limits that end after a while.
  'delete from code_send where sent_at > @now',
  'delete from budget_day where day > @day',
  'delete from idempotency where created_at > @now',
  'delete from delivery_report where created_at > @now',
  'delete from second_factor_try where updated_at > @seconds or locked_until > @seconds',
  'update credential set locked_until = null where locked_until > @seconds',
  'update known_place set wait_until = null where wait_until > @now',
  atMost('known_place', 'last_at', '@now'),
  `update second_factor set counter = @step where kind = 'TOTP' and counter > @step`,
  atMost('app_user', 'not_before', '@seconds'),
  atMost('app_user', 'admin_until', '@seconds'),
  later('job', 'run_at'),
  atMost('job', 'done_at', '@now'),
  later('outbound_message', 'next_at'),
  later('outbound_message', 'expires_at'),
  atMost('outbound_message', 'created_at', '@now'),
  atMost('outbound_message', 'updated_at', '@now'),
  later('document', 'render_at'),
  later('letter', 'render_at'),
  later('media_object', 'purge_at'),
  later('export_run', 'purge_at'),
  laterText('webhook_endpoint', 'paused_until'),
  laterText('webhook_delivery', 'next_attempt_at'),
  laterText('webhook_delivery', 'tried_until'),
  atMost('webhook_endpoint', 'rotated_at', '@text'),
  atMost('webhook_delivery', 'created_at', '@text'),
  laterText('rent_message', 'link_expires_at'),
  // The day of the last reminders: no organization is to wait for that day to come.
  atMost('organization', 'reminded_on', '@today'),
]

/**
 * Corrects every stored time after the clock was wrong, so that nothing hangs or stays valid until the wrong time
 * comes; both times in ms since 1970. Leases, invoices, payments and the audit trail stay as written.
 */
export function forgetTimeTo(tx: Tx, { from, to }: { readonly from: number; readonly to: number }): void {
  const values = {
    mark: from,
    now: to,
    seconds: Math.floor(to / 1000),
    day: Math.floor(to / DAY_MS),
    step: Math.floor(to / 30_000),
    text: new Date(to).toISOString(),
    today: new Date(to).toISOString().slice(0, 10),
    markText: new Date(from).toISOString(),
    shift: `${((to - from) / 1000).toFixed(3)} seconds`,
  }
  for (const sql of STATEMENTS) tx.$client.prepare(sql).run(values)
}
