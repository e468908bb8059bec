import { hash } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { inserting, type Saving } from '../../db/query.ts'
import { auditEntry } from '../../db/schema/operations.ts'
import type { Ctx } from '../context.ts'
import type { Scope } from '../core/scope.ts'
import { AppError, notFound } from '../errors.ts'
import { changedMembers } from './members.ts'

type Subject = Readonly<Record<string, unknown>> & { readonly id: string }
type Recorded = {
  /** The table's name, which says what kind of thing changed. */
  readonly type: string
  readonly before?: Subject
  readonly after?: Subject
  readonly details?: Readonly<Record<string, string | number | boolean>>
}
/** A recorded change: `id` is that of its audit entry, `action` such as `booking.terminate`. */
export type Change = Recorded & { readonly id: string; readonly action: string }
/** A listener, called in the transaction of each change of its types; an error that it throws rolls the change back. */
export type Listener = {
  readonly types: readonly string[]
  /** Whether it leaves out what is new: nothing stood there before. */
  readonly notNew?: true
  readonly hear: (ctx: Ctx, change: Change) => void
}

const insertEntry = inserting('audit.insert', auditEntry)

/** SHA-256 of a row's JSON: proves later what the row contained, without a second copy of personal data. */
const digest = (row: Subject | undefined): string | null =>
  row ? hash('sha256', JSON.stringify(row), 'base64url') : null

let listeners: readonly Listener[] | undefined
/** Sets the listeners for every change from now on; each thread that writes calls it once, before its first write. */
export function listenToChanges(all: readonly Listener[]): void {
  listeners = all
}

/** Writes one entry of the audit trail in the transaction of the change, then calls the listeners. */
export function record(ctx: Ctx, action: string, recorded: Recorded): void {
  if (!listeners) throw new Error('listenToChanges comes before the first change')
  const { before, type } = recorded
  const id = ctx.newId()
  enter(ctx, id, action, recorded)
  for (const { types, notNew, hear } of listeners)
    if (types.includes(type) && (before || !notNew)) hear(ctx, { ...recorded, id, action })
}

/** The line of the trail. */
function enter(ctx: Ctx, id: string, action: string, { before, after, details, type }: Recorded): void {
  const { orgId, userId, roles } = ctx.caller
  insertEntry(ctx.tx, {
    id,
    orgId,
    actorUserId: userId === 'system' ? null : userId,
    actor: userId === 'system' ? 'system' : roles.join(','),
    action,
    subjectType: type,
    subjectId: (after ?? before)?.id ?? '',
    beforeDigest: digest(before),
    afterDigest: digest(after),
    details: details ?? null,
    changes: before && after ? changedMembers(type, before, after) : null,
    requestId: ctx.requestId,
    createdAt: ctx.now,
    importedAt: null,
  })
}

/** `xOf(ctx, id)`: the row that a use case is about, if the caller sees it. @throws not_found */
export const visible =
  <R>(get: (db: Db, orgId: string, scope: Scope, id: string) => R | undefined) =>
  ({ tx, caller }: Ctx, id: string): R =>
    present(get(tx, caller.orgId, caller.scope, id))
/** The same for any row of the organization, whether the caller sees it or not. @throws not_found */
export const existing =
  <R>(find: (db: Db, orgId: string, id: string) => R | undefined) =>
  ({ tx, caller }: Ctx, id: string): R =>
    present(find(tx, caller.orgId, id))
function present<R>(row: R | undefined): R {
  if (row === undefined) throw notFound()
  return row
}

type Row = NonNullable<Recorded['before']>
type Changeable = { readonly updatedAt: string }

/** What may be changed of a row by such a `save`. */
export type Patch<S extends (...args: never) => unknown> = Partial<Parameters<S>[2]>

/** Writes the members of `patch` without a line in the trail. @throws precondition_failed when the row has changed since it was read */
export function update<C extends Changeable, R extends C>(
  ctx: Ctx,
  save: Saving<C, R>,
  before: R,
  patch: Partial<C>,
): R {
  const after = save(ctx.tx, before, { ...before, ...patch, updatedAt: ctx.now })
  if (!after) throw new AppError('precondition_failed')
  return after
}

/** Writes the members of `patch` and records it. @throws precondition_failed when the row has changed since it was read */
export function change<C extends Changeable, R extends C & Row>(
  ctx: Ctx,
  save: Saving<C, R>,
  before: R,
  patch: Partial<C>,
  action: string,
  details?: Recorded['details'],
): R {
  const after = update(ctx, save, before, patch)
  record(ctx, action, { type: save.type, before, after, ...(details && { details }) })
  return after
}
