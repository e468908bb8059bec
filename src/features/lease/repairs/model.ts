import { type Static, Type } from '@sinclair/typebox'
import type { RepairRow } from '../../../../db/schema/repairs.ts'
import { dto } from '../../../http/json.ts'
import {
  CreatedAt,
  Id,
  MediaObjectId,
  OrgId,
  PropertyId,
  PropertyName,
  TenantName,
  TenantUserId,
  UnitId,
  UnitLabel,
} from '../../../http/members.ts'
import { Amount, Body, Currency, DateOnly, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import {
  COST_KINDS,
  ENTRY_KINDS,
  FIRST_PHOTOS,
  MOST_PHOTOS,
  REOPEN_DAYS,
  REPAIR_CATEGORIES,
  REPAIR_STATUS,
  SIDES,
  URGENCIES,
} from './rules.ts'
import type { EntryRow } from './store.ts'

const RepairStatus = oneOf(REPAIR_STATUS, {
  $id: 'RepairStatus',
  description:
    'OPEN: reported or reopened. SEEN by the landlord. PLANNED for a day. DONE. REFUSED with a reason that the tenant can read.',
})
const RepairUrgency = oneOf(URGENCIES, {
  $id: 'RepairUrgency',
  description: 'URGENT: it cannot wait for a day, such as water, fire, gas or a door that does not lock.',
})
const Category = oneOf(REPAIR_CATEGORIES, { $id: 'RepairCategory', description: 'The kind of work.' })
const CostKind = oneOf(COST_KINDS, { $id: 'RepairCostKind', description: 'The kind of cost.' })
const Title = Text({ max: 120 })
const Words = Text({ max: 2_000, lines: true, description: 'A note of your own.' })

export const Repair = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    unitId: UnitId,
    propertyId: PropertyId,
    bookingId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The lease whose tenant sees the request. Absent: a note of the landlord, which no tenant sees.',
      }),
    ),
    tenantUserId: Type.Optional(TenantUserId),
    unitLabel: UnitLabel,
    propertyName: PropertyName,
    tenantName: Type.Optional(TenantName),
    reportedBy: { ...Uuid, description: 'The user who reported it.' },
    title: Type.String({ description: 'What is broken, in a few words.', examples: ['Fuite sous l’évier'] }),
    description: Type.Optional(Type.String({ description: 'A note of your own.' })),
    category: Category,
    urgency: RepairUrgency,
    status: RepairStatus,
    plannedOn: Type.Optional({ ...DateOnly, description: 'The day that somebody comes.' }),
    doneOn: Type.Optional({ ...DateOnly, description: 'The day on which the repair was done.' }),
    refusalReason: Type.Optional(Type.String({ description: 'The reason for the refusal; the tenant can read it.' })),
    costAmount: Type.Optional(
      Type.Integer({ description: 'What the repair cost. Landlords only. In XAF.', examples: [85_000] }),
    ),
    costCurrency: Type.Optional(Type.String({ description: 'Always XAF.' })),
    costKind: Type.Optional(CostKind),
    costOn: Type.Optional({ ...DateOnly, description: 'The day on which it was paid.' }),
    closedAt: Type.Optional({ ...DateTime, description: 'When it last became DONE or REFUSED.' }),
    createdAt: CreatedAt,
  },
  { $id: 'Repair', description: 'A repair request for a unit.' },
)
export type Repair = Static<typeof Repair>

type Names = { readonly unitLabel: string; readonly propertyName: string; readonly tenantName: string | null }
export const toRepair = (row: RepairRow & Names): Repair => dto(row, 'ownerUserId', 'updatedAt', 'version')

export const RepairCreate = Body(
  {
    bookingId: Maybe({
      ...Uuid,
      description: 'An ACTIVE lease; its tenant sees the request. A tenant names their own lease.',
    }),
    unitId: Maybe({ ...Uuid, description: 'For landlords only: a unit, for a request that no tenant sees.' }),
    title: { ...Title, description: 'What is broken, in a few words.', examples: ['Fuite sous l’évier'] },
    description: Maybe(Words),
    category: Maybe(Category),
    urgency: Maybe(RepairUrgency),
    mediaObjectIds: Maybe(
      Type.Array(Uuid, {
        maxItems: FIRST_PHOTOS,
        uniqueItems: true,
        description: 'Photos of the caller: ownerType USER, uploaded and AVAILABLE.',
      }),
    ),
  },
  {
    $id: 'RepairCreate',
    ways: { ForLease: { has: ['bookingId'] }, ForUnit: { has: ['unitId'] } },
    examples: [
      {
        bookingId: '01a1fc4b-236c-7768-8e80-d882e183f8cf',
        title: 'Fuite sous l’évier',
        description: 'L’eau coule depuis hier soir.',
        category: 'WATER',
        urgency: 'URGENT',
      },
    ],
  },
)
export type RepairCreate = Static<typeof RepairCreate>

const Cost = {
  costAmount: Maybe({ ...Amount, description: 'What the repair cost, in XAF. Landlords only.' }),
  costCurrency: Maybe({ ...Currency, description: 'Always XAF.' }),
  costKind: Maybe(CostKind),
  costOn: Maybe({ ...DateOnly, description: 'Not in the future; defaults to today if an amount is given.' }),
}
export const RepairPatch = Body({
  title: Type.Optional({
    ...Title,
    description: 'What is broken, in a few words.',
    examples: ['Fuite sous l’évier de la cuisine'],
  }),
  category: Type.Optional(Category),
  urgency: Type.Optional(RepairUrgency),
  ...Cost,
})
export type RepairPatch = Static<typeof RepairPatch>
export type Cost = Pick<RepairPatch, keyof typeof Cost>

const Note = Maybe(Text({ max: 1_000, lines: true, description: 'The text, in your own words.' }))
export const RepairPlan = Body(
  { plannedOn: { ...DateOnly, description: 'Today or later, within a year.' }, text: Note },
  { $id: 'RepairPlan', examples: [{ plannedOn: '2026-03-12', text: 'Le plombier passe le matin.' }] },
)
export type RepairPlan = Static<typeof RepairPlan>
export const RepairDone = Body(
  { doneOn: Maybe({ ...DateOnly, description: 'Not in the future; today if omitted.' }), text: Note, ...Cost },
  {
    $id: 'RepairDone',
    examples: [{ doneOn: '2026-03-10', text: 'Joint remplacé.', costAmount: 15000, costKind: 'BOTH' }],
  },
)
export type RepairDone = Static<typeof RepairDone>
export const RepairReason = Body(
  { reason: Text({ max: 1_000, lines: true, description: 'The reason, for the record.' }) },
  { $id: 'RepairReason', examples: [{ reason: 'Les ampoules sont à la charge du locataire.' }] },
)
export type RepairReason = Static<typeof RepairReason>

export const REOPENING = `A tenant can reopen their own request within ${REOPEN_DAYS} days while the lease runs; a landlord can do so at any time.`

export const RepairEntry = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    repairId: { ...Uuid, description: 'The repair request.' },
    kind: oneOf(ENTRY_KINDS, {
      $id: 'RepairEntryKind',
      description: 'MESSAGE: a text. PHOTO: a photo. Otherwise a status change of the request, with or without a text.',
    }),
    side: oneOf(SIDES, { $id: 'LeaseSide', description: 'The side that wrote it: the landlord’s side or the tenant.' }),
    authorUserId: { ...Uuid, description: 'The user who wrote the entry.' },
    text: Type.Optional(
      Type.String({
        description: 'Absent if the author’s data were erased.',
        examples: [
          'You have received 85,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.',
        ],
      }),
    ),
    plannedOn: Type.Optional({ ...DateOnly, description: 'The day on which somebody comes.' }),
    mediaObjectId: Type.Optional(MediaObjectId),
    url: Type.Optional(
      Type.String({ description: 'For a photo: its thumbnail, 320 pixels wide, valid for two to five minutes.' }),
    ),
    createdAt: CreatedAt,
  },
  { $id: 'RepairEntry' },
)
export type RepairEntry = Static<typeof RepairEntry>
export const toEntry = (row: EntryRow): RepairEntry => dto(row, 'updatedAt', 'version')

export const RepairEntryCreate = Body(
  {
    text: Maybe(
      Text({
        max: 1_000,
        lines: true,
        description: 'The text, in your own words.',
        examples: [
          'You have received 85,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.',
        ],
      }),
    ),
    mediaObjectId: Maybe({
      ...Uuid,
      description: `A photo of the caller: ownerType USER, AVAILABLE. At most ${MOST_PHOTOS} in a request.`,
    }),
  },
  {
    $id: 'RepairEntryCreate',
    ways: { Message: { has: ['text'] }, Photo: { has: ['mediaObjectId'] } },
    examples: [{ text: 'Je suis là samedi matin.' }],
  },
)
export type RepairEntryCreate = Static<typeof RepairEntryCreate>
