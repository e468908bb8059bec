import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import {
  Amount,
  Body,
  DateOnly,
  DateTime,
  FullName,
  Maybe,
  oneOf,
  PositiveAmount,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { ChallengeId, Code, PhoneChallenge } from '../../people/codes/model.ts'
import { PARTIES } from '../contracts/rules.ts'
import {
  INSPECTION_KINDS,
  INSPECTION_STATUS,
  ITEM_STATES,
  METER_KINDS,
  MOST_IN_ROOM,
  MOST_ITEMS,
  MOST_METERS,
  MOST_PHOTOS,
  MOST_ROOMS,
} from './rules.ts'
import type { InspectionRow, InspectionSignatureRow, PhotoRow } from './store.ts'

const Kind = oneOf(INSPECTION_KINDS, {
  $id: 'InspectionKind',
  description: 'ENTRY at the beginning of a lease, EXIT at its end.',
})
const Status = oneOf(INSPECTION_STATUS, {
  $id: 'InspectionStatus',
  description:
    'DRAFT: the landlord fills it in, and the tenant does not see it. PROPOSED: out for both to sign. SIGNED.',
})
const State = oneOf(ITEM_STATES, { $id: 'InspectedState' })
const Item = Type.Object(
  {
    id: {
      ...Uuid,
      description: 'Created by the client. Stays the same from the ENTRY to the EXIT, so that both can be compared.',
    },
    name: Text({ max: 80 }),
    state: State,
    note: Type.Optional(Text({ max: 300, lines: true })),
    deduction: Type.Optional({
      ...PositiveAmount,
      description: 'For an EXIT: the deduction from the deposit that the landlord proposes. In XAF.',
    }),
  },
  { $id: 'InspectedItem', additionalProperties: false },
)
const Room = Type.Object(
  { id: Uuid, name: Text({ max: 80 }), items: Type.Array(Item, { maxItems: MOST_IN_ROOM }) },
  { $id: 'InspectedRoom', additionalProperties: false },
)
const Rooms = Type.Array(Room, {
  maxItems: MOST_ROOMS,
  description: `In the order of the paper; at most ${MOST_ITEMS} items in total.`,
})
const Meter = Type.Object(
  {
    kind: oneOf(METER_KINDS, { $id: 'MeterKind' }),
    number: Type.Optional(Text({ max: 40 })),
    reading: { ...Amount, description: 'What the meter shows, in whole units.' },
  },
  { $id: 'InspectedMeter', additionalProperties: false },
)
const Meters = Type.Array(Meter, { maxItems: MOST_METERS })
const Keys = Type.Integer({ minimum: 0, maximum: 999 })

const Head = {
  id: Uuid,
  orgId: Uuid,
  bookingId: Uuid,
  propertyId: Uuid,
  tenantUserId: Type.Optional(Uuid),
  unitLabel: Type.String(),
  propertyName: Type.String(),
  tenantName: Type.String(),
  kind: Kind,
  status: Status,
  inspectedOn: DateOnly,
  keyCount: Type.Optional(Keys),
  note: Type.Optional(Type.String()),
  documentId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The paper that is out for signing, or signed.' }),
  ),
  startedBy: Uuid,
  proposedAt: Type.Optional(DateTime),
  signedAt: Type.Optional(DateTime),
  createdAt: DateTime,
}
export const InspectionHead = Type.Object(Head, {
  $id: 'InspectionHead',
  description: 'An inspection without its rooms, as in lists.',
})

const InspectionSignature = Type.Object(
  {
    party: oneOf(PARTIES),
    userId: Uuid,
    onBehalf: Type.Boolean({ description: 'Whether a manager signed for the owner.' }),
    fullName: Type.String(),
    remarks: Type.Optional(Type.String({ description: 'What the signer does not agree with.' })),
    channel: PhoneChallenge.properties.channel,
    maskedNumber: Type.String(),
    signedAt: DateTime,
  },
  { $id: 'InspectionSignature' },
)
export const Inspection = Type.Object(
  {
    ...Head,
    rooms: Rooms,
    meters: Meters,
    entry: Type.Optional(
      Type.Object(
        { inspectedOn: DateOnly, rooms: Rooms, meters: Meters, keyCount: Type.Optional(Keys) },
        { $id: 'InspectionBefore', description: 'For an EXIT: the SIGNED ENTRY of the same lease.' },
      ),
    ),
    signatures: Type.Array(InspectionSignature, { description: 'The valid signatures.' }),
    signedCopyMediaId: Type.Optional({
      ...Uuid,
      description: 'The scan of the inspection signed by hand: a media object.',
    }),
  },
  { $id: 'Inspection', description: 'The state of a unit, room by room.' },
)
export type Inspection = Static<typeof Inspection>

type Names = { readonly unitLabel: string; readonly propertyName: string; readonly tenantName: string }
type Seen = InspectionRow &
  Names & {
    readonly entry: Pick<InspectionRow, 'inspectedOn' | 'rooms' | 'meters' | 'keyCount'> | undefined
    readonly signatures: readonly InspectionSignatureRow[]
    readonly signedCopyMediaId: string | undefined
  }
export function toInspection({ entry, signatures, signedCopyMediaId, rooms, meters, ...row }: Seen): Inspection {
  const copy = (of: Pick<InspectionRow, 'rooms' | 'meters'>): Pick<Inspection, 'rooms' | 'meters'> => ({
    rooms: of.rooms.map((room) => ({ ...room, items: [...room.items] })),
    meters: [...of.meters],
  })
  return {
    ...dto(row, 'ownerUserId', 'updatedAt', 'version'),
    ...copy({ rooms, meters }),
    ...(signedCopyMediaId === undefined ? {} : { signedCopyMediaId }),
    ...(entry
      ? {
          entry: {
            inspectedOn: entry.inspectedOn,
            ...copy(entry),
            ...(entry.keyCount === null ? {} : { keyCount: entry.keyCount }),
          },
        }
      : {}),
    signatures: signatures.map(({ party, userId, onBehalf, fullName, remarks, channel, maskedNumber, signedAt }) => ({
      party,
      userId,
      onBehalf,
      fullName,
      ...(remarks === null ? {} : { remarks }),
      channel,
      maskedNumber,
      signedAt,
    })),
  }
}

export const InspectionCreate = Body(
  {
    bookingId: Uuid,
    kind: Kind,
    inspectedOn: Maybe({ ...DateOnly, description: 'Not in the future; today if omitted.' }),
  },
  {
    $id: 'InspectionCreate',
    examples: [{ bookingId: '01a1fc4b-236c-7768-8e80-d882e183f8cf', kind: 'ENTRY', inspectedOn: '2026-03-01' }],
  },
)
export type InspectionCreate = Static<typeof InspectionCreate>
export const InspectionPatch = Body({
  inspectedOn: Type.Optional(DateOnly),
  rooms: Type.Optional(Rooms),
  meters: Type.Optional(Meters),
  keyCount: Maybe(Keys),
  note: Maybe(Text({ max: 1_000, lines: true })),
})
export type InspectionPatch = Static<typeof InspectionPatch>

export const InspectionSign = Body(
  {
    challengeId: ChallengeId,
    code: Code,
    fullName: FullName,
    remarks: Maybe({
      ...Text({ max: 1_000, lines: true }),
      description: 'What the signer does not agree with: it is printed on the paper.',
    }),
  },
  {
    examples: [
      {
        challengeId: '01a1fc4b-236c-7768-8e80-d882e183f8cf',
        code: '482913',
        fullName: 'Odile Owona',
        remarks: 'La peinture était déjà tachée.',
      },
    ],
  },
)
export type InspectionSign = Static<typeof InspectionSign>

export const InspectionPhotoAdd = Body({
  place: { ...Uuid, description: 'The id of a room or an item of this inspection.' },
  mediaObjectId: {
    ...Uuid,
    description: `A photo of the caller: ownerType USER, AVAILABLE. At most ${MOST_PHOTOS} in an inspection.`,
  },
})
export type InspectionPhotoAdd = Static<typeof InspectionPhotoAdd>
export const InspectionPhoto = Type.Object(
  {
    id: Uuid,
    inspectionId: Uuid,
    place: Type.String({ format: 'uuid', description: 'The room or the item that it shows.' }),
    mediaObjectId: Uuid,
    sha256: Type.String({ description: 'The SHA-256 of the file, in hex; the paper names it.' }),
    url: Type.Optional(Type.String({ description: 'Its thumbnail, 320 pixels wide, valid for two to five minutes.' })),
    addedBy: Uuid,
    createdAt: DateTime,
  },
  { $id: 'InspectionPhoto' },
)
export const toPhoto = ({ orgId: _o, ...row }: PhotoRow): Static<typeof InspectionPhoto> => row

export const ProposedDeductions = Type.Object(
  {
    bookingId: Uuid,
    inspectionId: Type.Optional(Uuid),
    status: Type.Optional(Status),
    totalAmount: Type.Integer(),
    items: Type.Array(
      Type.Object(
        {
          room: Type.String(),
          item: Type.String(),
          before: Type.Optional(State),
          state: State,
          note: Type.Optional(Type.String()),
          amount: Type.Integer(),
        },
        { $id: 'ProposedDeduction' },
      ),
    ),
  },
  {
    $id: 'ProposedDeductions',
    description: 'The deductions that the EXIT inspection of a lease proposes; empty without such an inspection.',
  },
)
