import type { Db } from '../../../../db/open.ts'
import type { ArchiveFile } from '../../../adapters/archive/port.ts'
import { record } from '../../../changes/record.ts'
import { type Asking, type Caller, type Ctx, systemCtx } from '../../../context.ts'
import { turn } from '../../../core/event-loop.ts'
import { safeName } from '../../../core/file-names.ts'
import { numberInWords } from '../../../core/numbers-in-words.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { signaturesOf } from '../../lease/contracts/store.ts'
import { inspectionSignaturesOf } from '../../lease/inspections/store.ts'
import { moveBooking } from '../../lease/leases/service.ts'
import { forgetPayersOf, listBookings, payersOfNumber, rentChangesSignedBy } from '../../lease/leases/store.ts'
import { forgetRepairs } from '../../lease/repairs/service.ts'
import { entriesBy, listRepairs } from '../../lease/repairs/store.ts'
import { listExpenses } from '../../money/expenses/store.ts'
import { listInvoices, sharesOfLease } from '../../money/invoices/store.ts'
import { listTransfers } from '../../money/owner-transfers/store.ts'
import { listPayments } from '../../money/payments/store.ts'
import { forgetPayers } from '../../money/transfers/store.ts'
import { fileName as documentFile, filenameOf } from '../../papers/documents/rules.ts'
import { listDocuments } from '../../papers/documents/store.ts'
import { fileName } from '../../papers/media/rules.ts'
import { forgetFile, streamFile } from '../../papers/media/service.ts'
import { filesOf, personalFilesOf } from '../../papers/media/store.ts'
import { forgetCases } from '../../papers/verification/service.ts'
import { documentsOf, listCases } from '../../papers/verification/store.ts'
import { forgetUndos } from '../../people/accounts/phone-undo.ts'
import { tellWith } from '../../people/messages/news.ts'
import { TEXTS } from '../../people/messages/texts.ts'
import { forgetShares } from '../../people/organizations/quotas.ts'
import { recordsKept } from '../../people/organizations/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { forgetTenant } from '../../people/tenants/service.ts'
import { hasLease, tenantsOfUser } from '../../people/tenants/store.ts'
import { dropAnswersOf, forgetAnswers } from '../../people/users/answers.ts'
import { accountsOf, eraseUser } from '../../people/users/service.ts'
import { findUser, type UserRow } from '../../people/users/store.ts'
import { listProperties } from '../../property/properties/store.ts'
import { listEntries } from '../audit/store.ts'
import { forgetRows } from '../imports/service.ts'
import { tidySearch } from '../overview/store.ts'
import { type ExportedFile, paperPart, partOf } from './contents.ts'
import type { Closing } from './model.ts'
import {
  besideLeases,
  consentsOf,
  forgetSpending,
  leasesOfTenant,
  messagesTo,
  openRequestsOf,
  ownsProperty,
  partiesOfNumber,
  redraw,
  unnamePapers,
} from './store.ts'
import { ABOUT, FORGOTTEN } from './texts.ts'

const PAGE = 200
type Page = { readonly rows: readonly object[]; readonly next?: readonly string[] | undefined }

let last = Promise.resolve()
/**
 * All running exports share one queue, a page in each turn of the event loop, so that they never delay other requests
 * by more than one page.
 */
function ownTurn(): Promise<void> {
  last = last.then(turn)
  return last
}

/** Streams a JSON list, page by page. */
async function* jsonList(read: (after: readonly string[] | undefined) => Page): AsyncGenerator<string> {
  let between = '[\n'
  let after: readonly string[] | undefined
  do {
    await ownTurn()
    const { rows, next } = read(after)
    if (rows.length > 0) {
      yield between + rows.map((row) => JSON.stringify(row)).join(',\n')
      between = ',\n'
    }
    after = next
  } while (after)
  yield between === '[\n' ? '[]\n' : '\n]\n'
}

/** All data about a person as the files of an archive, read page by page. */
export async function* personalFiles(
  { db, blobs, documents, embedded }: Pick<Deps, 'db' | 'blobs' | 'documents' | 'embedded'>,
  { orgId, userId, roles }: Caller,
): AsyncGenerator<ArchiveFile> {
  const user = findUser(db, orgId, userId)
  if (!user) throw notFound()
  const list = (name: ExportedFile, read: (after: readonly string[] | undefined) => Page): ArchiveFile => ({
    name: `${name}.json`,
    content: jsonList((after) => {
      const { rows, next } = read(after)
      return { rows: rows.map(partOf[name]), next }
    }),
  })
  const all = (name: ExportedFile, rows: readonly object[]): ArchiveFile => list(name, () => ({ rows }))
  const page = (after: readonly string[] | undefined, kind: 'tenant' | 'owner' | 'all') =>
    ({ orgId, scope: { kind, userId }, order: 'asc', limit: PAGE, after, values: {} }) as const

  yield { name: 'LISEZ-MOI README.txt', content: ABOUT }
  yield all('profile', [{ ...user, organization: findOrganization(db, orgId)?.name ?? null }])
  yield all('consents', consentsOf(db).all({ orgId, userId }))
  yield all('sessions', embedded?.sessions(userId) ?? [])
  yield all('tenant', tenantsOfUser(db, orgId, userId))
  yield list('leases', (after) => listBookings(db, page(after, 'tenant')))
  yield list('invoices', (after) => listInvoices(db, page(after, 'tenant')))
  yield list('charge-shares', (after) => {
    const slice = listBookings(db, page(after, 'tenant'))
    return { ...slice, rows: slice.rows.flatMap(({ id }) => chargeShares(db, orgId, id)) }
  })
  yield all(
    'lease-parties',
    user.phoneNumber === null ? [] : partiesOfNumber(db).all({ orgId, phoneNumber: user.phoneNumber }),
  )
  yield all(
    'paid-for',
    user.phoneNumber === null ? [] : payersOfNumber(db).all({ orgId, phoneNumber: user.phoneNumber }),
  )
  yield list('payments', (after) => listPayments(db, page(after, 'tenant')))
  yield all('signatures', signaturesOf(db).all({ orgId, userId }))
  yield all('rent-changes', rentChangesSignedBy(db).all({ orgId, userId }))
  yield list('repairs', (after) => listRepairs(db, page(after, 'tenant')))
  yield all('inspection-signatures', inspectionSignaturesOf(db).all({ orgId, userId }))
  yield all('repair-messages', entriesBy(db).all({ orgId, userId }))
  yield list('documents', (after) => listDocuments(db, page(after, 'tenant')))
  yield list('properties', (after) => listProperties(db, page(after, 'owner')))
  yield list('expenses', (after) => listExpenses(db, page(after, 'owner')))
  if (roles.some((role) => role === 'MANAGER' || role === 'ADMIN'))
    yield list('expenses-recorded', (after) => {
      const slice = listExpenses(db, page(after, 'all'))
      return { ...slice, rows: slice.rows.filter(({ recordedBy }) => recordedBy === userId) }
    })
  yield list('owner-transfers', (after) => listTransfers(db, page(after, 'owner')))
  yield list('verifications', (after) => {
    const slice = listCases(db, { ...page(after, 'all'), values: { subjectUserId: userId } })
    return {
      ...slice,
      rows: slice.rows.map((row) => ({ ...row, documents: documentsOf(db, orgId, row.id).map(paperPart) })),
    }
  })
  yield list('messages', (after) => {
    const rows =
      user.phoneNumber === null
        ? []
        : messagesTo(db).all({ to: user.phoneNumber, after: after?.[0] ?? '', limit: PAGE })
    const last = rows.length === PAGE ? rows.at(-1) : undefined
    return { rows, next: last && [last.id] }
  })
  yield list('done-by-me', (after) => listEntries(db, { ...page(after, 'all'), values: { actorUserId: userId } }))
  yield list('done-about-me', (after) => listEntries(db, { ...page(after, 'all'), values: { subjectId: userId } }))
  yield list('uploads', (after) => uploads(db, orgId, userId, after?.[0]))
  for (let after: readonly string[] | undefined, first = true; first || after; first = false) {
    const { rows, next } = listDocuments(db, page(after, 'tenant'))
    for (const row of rows)
      if (row.sha256 !== undefined)
        yield {
          name: `papers/${filenameOf(row)}`,
          content: streamFile(documents, documentFile(row.id, row.sha256)),
          stored: true,
        }
    after = next
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { rows, next } = uploads(db, orgId, userId, after)
    for (const { id, sha256, filename } of rows)
      if (sha256 !== null)
        yield {
          name: `files/${id} ${safeName(filename)}`,
          content: streamFile(blobs, fileName(id, sha256)),
          stored: true,
        }
    after = next?.[0]
  }
}

/** A lease's shares of charges; what meters counted is in thousandths. */
const chargeShares = (db: Db, orgId: string, bookingId: string): object[] =>
  sharesOfLease(db, orgId, bookingId).map(({ share, ...period }) => ({ ...share, ...period }))

function uploads(db: Db, orgId: string, userId: string, after = '') {
  const rows = filesOf(db, orgId, userId, after, PAGE)
  const last = rows.length === PAGE ? rows.at(-1) : undefined
  return { rows, next: last && [last.id] }
}

export const recordExport = (ctx: Ctx): true => {
  record(ctx, 'user.export', { type: 'user', after: { id: ctx.caller.userId } })
  return true
}

/**
 * Closes the caller's account: sign-in ends, the number is free, and personal data is erased except what the law
 * requires to keep. A job then deletes files and the account at the provider.
 * @throws validation_failed for a wrong password, last_admin, properties_owned, identity_unavailable
 */
export async function closeAccount(deps: Deps, asking: Asking, { password }: Closing): Promise<void> {
  const { caller, address, requestId } = asking
  const { orgId, userId } = caller
  accountsOf(deps)
  const user = findUser(deps.db, orgId, userId)
  if (!user) throw notFound()
  if (deps.embedded && !(await deps.embedded.checkPassword(user.username ?? '', password ?? '', address)))
    throw invalid('/password', 'Give your password to confirm.', 'Donnez votre mot de passe pour confirmer.')
  const before = await deps.write(orgId, (tx) => {
    const ctx = {
      ...systemCtx(deps, tx, orgId, requestId),
      caller: { ...caller, scope: { kind: 'tenant', userId } },
    } as const
    const erased = erase(ctx, deps, userId)
    const { phoneNumber: to, locale } = { ...erased.user, locale: erased.user.locale ?? asking.locale }
    const text = TEXTS[locale].accountClosed(numberInWords(recordsKept(ctx), locale))
    if (to !== null) tellWith(deps, tx, { orgId, to, purpose: 'account_closed', text, locale })
    return erased
  })
  deps.access.forget(before.user.subject)
  await dropAnswersOf(deps, before.user)
  await forgetAnswers(deps, before.user, before.instead)
}

/** Replaces an erased person's id in stored answers of other people. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Takes a person off leases that never were in force, and off their papers: nothing was agreed that the law would keep. */
function forgetProposals(ctx: Ctx, userId: string): void {
  const { orgId } = ctx.caller
  const forget = (signer: string, bookingId: string, name: string): void => {
    for (const id of unnamePapers(ctx.tx, signer, { orgId, bookingId, name, at: ctx.now }))
      enqueue(ctx, 'document.unnamed', `${id}:${ctx.now}:${signer}`)
  }
  for (const { id, locale } of tenantsOfUser(ctx.tx, orgId, userId))
    if (!hasLease(ctx.tx, orgId, id))
      for (const bookingId of leasesOfTenant(ctx.tx, orgId, id)) forget('TENANT', bookingId, FORGOTTEN[locale])
  const { phoneNumber = null, phoneVerified, locale } = findUser(ctx.tx, orgId, userId) ?? {}
  if (phoneNumber === null || !phoneVerified) return
  for (const { id, bookingId } of besideLeases(ctx.tx).all({ orgId, phoneNumber }))
    forget(id, bookingId, FORGOTTEN[locale ?? 'fr'])
}

/** Removes the file of a paper that a person was taken off, and has it drawn without them. It is safe to repeat. */
export async function redrawUnnamed(deps: Deps, orgId: string, id: string): Promise<void> {
  await deps.documents.remove(id)
  await deps.write(orgId, (tx) => redraw(tx, orgId, id, deps.clock.wall()))
}

/** @returns the user before the erasure, and what replaces the texts that name them in answers kept for others */
function erase(ctx: Ctx, deps: Deps, userId: string): { user: UserRow; instead: ReadonlyMap<string, unknown> } {
  const { orgId } = ctx.caller
  if (ownsProperty(ctx.tx, { orgId, userId })) throw new AppError('properties_owned')
  for (const id of openRequestsOf(ctx.tx, orgId, userId)) moveBooking(ctx, id, 'cancel')
  const names = tenantsOfUser(ctx.tx, orgId, userId).map(
    ({ fullName, locale }) => [fullName, FORGOTTEN[locale]] as const,
  )
  const user = findUser(ctx.tx, orgId, userId)
  forgetRepairs(ctx, userId, FORGOTTEN[user?.locale ?? 'fr'])
  forgetProposals(ctx, userId)
  forgetPayers(ctx.tx, orgId, userId, ctx.now)
  forgetPayersOf(ctx.tx).run({ orgId, userId, phoneNumber: user?.phoneVerified ? user.phoneNumber : null })
  forgetTenant(ctx, userId, FORGOTTEN)
  const before = eraseUser(ctx, deps, userId)
  const { phoneNumber, email, firstName, lastName } = before
  const gone = [phoneNumber, email, firstName, lastName].flatMap((text) =>
    text === null ? [] : [[text, null] as const],
  )
  forgetSpending(ctx.tx).run({ userId })
  forgetShares(ctx, userId)
  forgetRows(ctx)
  forgetUndos(ctx.tx, userId)
  enqueue(ctx, 'user.erased', userId)
  return { user: before, instead: new Map<string, unknown>([[userId, NOBODY], ...gone, ...names]) }
}

/** The slow part of an erasure: the account at the provider, papers and files. It is safe to repeat. */
export async function finishErasure(deps: Deps, orgId: string, userId: string): Promise<void> {
  const user = findUser(deps.db, orgId, userId)
  if (user?.status !== 'ERASED') return
  await accountsOf(deps).deleteAccount(user.subject)
  const context = (tx: Ctx['tx']): Ctx => systemCtx(deps, tx, orgId, `erase-${userId}`)
  const forget = (ctx: Ctx, ids: readonly string[]): number => {
    for (const id of ids) forgetFile(ctx, id)
    return ids.length
  }
  await deps.write(orgId, (tx) => forget(context(tx), forgetCases(context(tx), userId)))
  while ((await deps.write(orgId, (tx) => forget(context(tx), personalFilesOf(tx, orgId, userId, PAGE)))) > 0);
  for (let first = true; await deps.write(null, (tx) => tidySearch(tx, first)); first = false);
}
