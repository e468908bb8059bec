import type { Caller, Ctx } from '../../../context.ts'
import { addDays, addMonths } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { assetBytes } from '../../../web/serve.ts'
import { createInspection, updateInspection } from '../../lease/inspections/service.ts'
import { proposeInspection, requestInspectionCode, signInspection } from '../../lease/inspections/signing.ts'
import { createMeter, createReading } from '../../lease/meters/service.ts'
import { addEntry, createRepair, finishRepair } from '../../lease/repairs/service.ts'
import { issueRegularisation } from '../../money/charges/regularise.ts'
import { enterDeposit } from '../../money/deposits/service.ts'
import { createExpense } from '../../money/expenses/service.ts'
import { terminateBooking } from '../../money/leaving/terminate.ts'
import { createTransfer } from '../../money/owner-transfers/service.ts'
import { takeMessage } from '../../money/payments/mobile-money.ts'
import { remind } from '../../news/reminders/remind.ts'
import { renderNow } from '../../papers/documents/jobs.ts'
import type { MediaCreate } from '../../papers/media/model.ts'
import { uploadName } from '../../papers/media/rules.ts'
import { completeMedia, createMedia, prepareCompletion } from '../../papers/media/service.ts'
import { attachDocument, createKyc, submitCase } from '../../papers/verification/service.ts'
import { findUser } from '../../people/users/store.ts'
import { updateProperty } from '../../property/properties/service.ts'
import { findMessages } from './store.ts'

export type Seed = {
  readonly deps: Deps
  /** Runs a use case for one of the demo's people. */
  readonly as: <T>(caller: Caller, fn: (ctx: Ctx) => T) => Promise<T>
}
type About = Pick<MediaCreate, 'ownerType' | 'ownerId' | 'kind'>

/** Uploads an embedded picture. @returns the file's id; undefined where this machine cannot read photos */
export async function upload(
  { deps, as }: Seed,
  caller: Caller,
  picture: string,
  about: About,
): Promise<string | undefined> {
  if (about.kind === 'PHOTO' && !deps.images.available) return undefined
  const bytes = assetBytes(`demo/${picture}`)
  const file = { filename: picture, contentType: 'image/jpeg', sizeBytes: bytes.byteLength } as const
  const { id } = await as(caller, (ctx) => createMedia(ctx, deps, { ...about, ...file }))
  await (await deps.blobs.receive(bytes, bytes.byteLength)).keep(uploadName(id))
  const stored = await prepareCompletion(deps, caller, id)
  await as(caller, (ctx) => completeMedia(ctx, id, stored))
  return id
}

/** Photos of houses and of a flat; the first of each is its cover. */
export async function showHouses(
  seed: Seed,
  owner: Caller,
  houses: Readonly<Record<string, string>>,
  flatId: string,
): Promise<void> {
  for (const [picture, ownerId] of Object.entries(houses))
    await upload(seed, owner, picture, { ownerType: 'PROPERTY', ownerId, kind: 'PHOTO' })
  await upload(seed, owner, 'salon.jpg', { ownerType: 'UNIT', ownerId: flatId, kind: 'PHOTO' })
}

/** A tenant hands in an identity card, which waits for an administrator. */
export async function showIdentity(seed: Seed, tenant: Caller, today: string): Promise<void> {
  const about = { ownerType: 'VERIFICATION', ownerId: tenant.userId, kind: 'DOCUMENT' } as const
  const mediaObjectId = await upload(seed, tenant, 'card.jpg', about)
  if (mediaObjectId === undefined) return
  await seed.as(tenant, (ctx) => {
    const { id } = createKyc(ctx)
    const expiresOn = addMonths(today, 54)
    attachDocument(ctx, 'kyc', id, { mediaObjectId, role: 'SELF_ID', documentType: 'NATIONAL_ID', expiresOn })
    submitCase(ctx, 'kyc', id)
  })
}

type Entering = {
  readonly owner: Caller
  readonly tenant: Caller
  readonly bookingId: string
  readonly day: string
}
/** A lease begins with an inspection, which both sign by the codes they are sent. */
export async function showEntry({ deps, as }: Seed, { owner, tenant, bookingId, day }: Entering): Promise<void> {
  const { id, documentId } = await as(owner, (ctx) => {
    const { id, rooms } = createInspection(ctx, { bookingId, kind: 'ENTRY', inspectedOn: day })
    const inspected = rooms.map(({ items, ...room }) => ({
      ...room,
      items: items.map((item) => ({ ...item, state: 'GOOD' as const })),
    }))
    updateInspection(ctx, id, { rooms: inspected, keyCount: 3 })
    return proposeInspection(ctx, id)
  })
  // Both sign on that day, once the paper is drawn.
  const then = Date.parse(`${day}T10:00:00.000Z`)
  const onThatDay = { ...deps, clock: { ...deps.clock, now: () => then, wall: () => then } }
  await renderNow(deps, owner.orgId, documentId ?? '')
  for (const caller of [tenant, owner]) {
    const { firstName, lastName, phoneNumber } = findUser(deps.db, caller.orgId, caller.userId) ?? {}
    const signer = { caller, address: '127.0.0.1', requestId: 'demo-signing', locale: 'fr' as const }
    const { challengeId } = await requestInspectionCode(onThatDay, signer, id, undefined)
    const code = findMessages(deps.db, phoneNumber ?? '').find((message) => message.code)?.code ?? ''
    await signInspection(onThatDay, signer, id, { challengeId, code, fullName: `${firstName} ${lastName}` })
  }
}

/** A lease ends: its inspection finds a broken lock, which is paid from the deposit; the rest goes back. */
export async function showEnding({ as }: Seed, owner: Caller, bookingId: string, endDate: string): Promise<void> {
  await as(owner, (ctx) => terminateBooking(ctx, bookingId, { endDate, reason: 'Départ de la locataire' }))
  const reason = await as(owner, (ctx) => {
    const { id, rooms } = createInspection(ctx, { bookingId, kind: 'EXIT', inspectedOn: endDate })
    const lock = rooms[0]?.items.find(({ name }) => name === 'Porte et serrure')?.id
    const broken = { state: 'DAMAGED', note: 'La serrure est forcée.', deduction: 15_000 } as const
    const inspected = rooms.map(({ items, ...room }) => ({
      ...room,
      items: items.map((item) => ({ ...item, ...(item.id === lock ? broken : { state: 'GOOD' as const }) })),
    }))
    updateInspection(ctx, id, { rooms: inspected, keyCount: 2 })
    proposeInspection(ctx, id)
    // as the console calls what it proposes to keep
    return `${rooms[0]?.name} – Porte et serrure : ${broken.note}`
  })
  const paidOn = endDate
  await as(owner, (ctx) => enterDeposit(ctx, bookingId, { type: 'DEDUCTED', amount: 15_000, reason, paidOn }))
  await as(owner, (ctx) => enterDeposit(ctx, bookingId, { type: 'RETURNED', amount: 155_000, paidOn }))
}

/** A formal notice for the oldest debt, and a payment of mobile money that no lease explains. */
export async function showTroubles({ deps, as }: Seed, owner: Caller, overdueId: string, today: string): Promise<void> {
  await as(owner, (ctx) => remind(deps, ctx, overdueId, { step: 'FORMAL_NOTICE' }))
  const day = addDays(today, -1)
  const text = `Vous avez recu 45 000 FCFA de ESSOMBA JUSTIN (237655443322) sur votre compte Mobile Money le ${day} 17:42:10. Message: reste loyer. Nouveau solde: 162 300 FCFA. ID de la transaction financiere: 9034419${day.slice(8)}1`
  await as(owner, (ctx) => takeMessage(ctx, { text }))
}

type Homes = Readonly<Record<'owner' | 'therese' | 'paul', Caller>> & { readonly home: string; readonly flat: string }
/** An urgent repair that waits for the landlord, and one that is done. */
export async function showRepairs({ as }: Seed, { owner, therese, paul, home, flat }: Homes): Promise<void> {
  await as(therese, (ctx) => {
    const { id } = createRepair(ctx, {
      bookingId: home,
      title: 'Fuite sous l’évier de la cuisine',
      description: 'L’eau coule dès qu’on ouvre le robinet. J’ai mis une cuvette.',
      category: 'WATER',
      urgency: 'URGENT',
    })
    addEntry(ctx, id, { text: 'Je suis à la maison tous les matins.' })
  })
  const title = 'Front door lock is stiff'
  const lock = await as(paul, (ctx) => createRepair(ctx, { bookingId: flat, title, category: 'LOCKS' }))
  const done = { text: 'Lock greased.', costAmount: 7_500, costKind: 'LABOUR' } as const
  await as(owner, (ctx) => finishRepair(ctx, lock.id, done))
}

/** Sub-meters of power, read when the leases begin. @returns what reads them again, and shares the supplier's bill */
export async function showMeters({ as }: Seed, owner: Caller, propertyId: string, unitIds: readonly string[]) {
  const meters = await as(owner, (ctx) =>
    unitIds.map((unitId, n) => {
      const { id: meterId } = createMeter(ctx, { unitId, kind: 'POWER', number: `SC-10${n + 1}` })
      createReading(ctx, { meterId, value: 1_204 })
      return meterId
    }),
  )
  return (periodStart: string, periodEnd: string) =>
    as(owner, (ctx) => {
      for (const [n, meterId] of meters.entries()) createReading(ctx, { meterId, value: 1_204 + 612 * (n + 1) })
      const costs = [{ label: 'Eneo', amount: 214_650, tvaAmount: 34_650 }]
      const power = { label: 'Électricité', key: 'METERS', meterKind: 'POWER', costs } as const
      return issueRegularisation(ctx, propertyId, { periodStart, periodEnd, items: [power] })
    })
}

/** A fee of the management, what a building cost, one of it month by month, and what its owner was handed. */
export async function showCosts(
  { as }: Seed,
  admin: Caller,
  owner: Caller,
  propertyId: string,
  first: string,
): Promise<void> {
  const next = addMonths(first, 1)
  await as(admin, (ctx) => {
    updateProperty(ctx, propertyId, { managementFees: [{ from: first, basisPoints: 800 }] })
    const guard = { kind: 'GUARD', amount: 60_000, supplier: 'Sécurité du Wouri' } as const
    const repeat = { every: 'MONTHLY', until: addMonths(first, 12) } as const
    createExpense(ctx, { ...guard, propertyId, spentOn: first, repeat })
    const pump = { kind: 'REPAIR', amount: 45_000, supplier: 'Plomberie Fokou', note: 'Pompe du forage' } as const
    createExpense(ctx, { ...pump, propertyId, spentOn: addDays(next, 6) })
    const handed = { amount: 80_000, method: 'MTN_MOMO', reference: '7734500112' } as const
    createTransfer(ctx, { ...handed, propertyId, paidOn: addDays(next, 9) })
  })
  const tax = { kind: 'TAX', amount: 38_000, supplier: 'Centre des impôts de Douala' } as const
  await as(owner, (ctx) => createExpense(ctx, { ...tax, propertyId, spentOn: addDays(next, 12) }))
}
