import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { Body, DateOnly, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { ENTRY_KINDS, MOST_PHOTOS, SIDES } from './rules.ts'
import type { EntryRow } from './store.ts'

export const RepairEntry = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    repairId: Uuid,
    kind: oneOf(ENTRY_KINDS, {
      $id: 'RepairEntryKind',
      description: 'MESSAGE: a text. PHOTO: a photo. Otherwise a status change of the request, with or without a text.',
    }),
    side: oneOf(SIDES, { $id: 'LeaseSide', description: 'The side that wrote it: the landlord’s side or the tenant.' }),
    authorUserId: Uuid,
    text: Type.Optional(Type.String({ description: 'Absent if the author’s data were erased.' })),
    plannedOn: Type.Optional(DateOnly),
    mediaObjectId: Type.Optional(Uuid),
    url: Type.Optional(
      Type.String({ description: 'For a photo: its thumbnail, 320 pixels wide, valid for two to five minutes.' }),
    ),
    createdAt: DateTime,
  },
  { $id: 'RepairEntry' },
)
export type RepairEntry = Static<typeof RepairEntry>
export const toEntry = (row: EntryRow): RepairEntry => dto(row, 'updatedAt', 'version')

export const RepairEntryCreate = Body(
  {
    text: Maybe(Text({ max: 1_000, lines: true })),
    mediaObjectId: Maybe({
      ...Uuid,
      description: `A photo of the caller: ownerType USER, AVAILABLE. At most ${MOST_PHOTOS} in a request.`,
    }),
  },
  {
    $id: 'RepairEntryCreate',
    'x-one-of': { Message: { has: ['text'] }, Photo: { has: ['mediaObjectId'] } },
    examples: [{ text: 'Je suis là samedi matin.' }],
  },
)
export type RepairEntryCreate = Static<typeof RepairEntryCreate>
