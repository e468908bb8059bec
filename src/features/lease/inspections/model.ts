import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import {
  BookingId,
  CreatedAt,
  Id,
  MediaObjectId,
  OrgId,
  PropertyId,
  PropertyName,
  sha256,
  TenantName,
  TenantUserId,
  UnitLabel,
} from '../../../http/members.ts'
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

const InspectedOn = { ...DateOnly, description: 'The day of the inspection.', examples: ['2026-01-02'] }
const Note = Type.String({ description: 'A note in your own words.' })
const SignedAt = { ...DateTime, description: 'When the signature was confirmed by the code.' }
const InspectionId = { ...Uuid, description: 'The inspection.' }

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
    name: Text({ max: 80, description: 'The name.', examples: ['Murs'] }),
    state: { ...State, description: 'The state found; NOT_CHECKED until somebody has looked.', examples: ['DAMAGED'] },
    note: Type.Optional(
      Text({
        max: 300,
        lines: true,
        description: 'A note in your own words.',
        examples: ['Une tache près de la fenêtre'],
      }),
    ),
    deduction: Type.Optional({
      ...PositiveAmount,
      description: 'For an EXIT: the deduction from the deposit that the landlord proposes. In XAF.',
      examples: [15_000],
    }),
  },
  { $id: 'InspectedItem', additionalProperties: false },
)
const Room = Type.Object(
  {
    id: Id,
    name: Text({ max: 80, description: 'The name.', examples: ['Séjour'] }),
    items: Type.Array(Item, {
      maxItems: MOST_IN_ROOM,
      description: 'The items of the room, in the order of the paper.',
    }),
  },
  { $id: 'InspectedRoom', additionalProperties: false },
)
const Rooms = Type.Array(Room, {
  maxItems: MOST_ROOMS,
  description: `In the order of the paper; at most ${MOST_ITEMS} items in total.`,
})
const Meter = Type.Object(
  {
    kind: oneOf(METER_KINDS, { $id: 'MeterKind', description: 'The kind.' }),
    number: Type.Optional(Text({ max: 40, description: 'The number printed on it.', examples: ['2026-000123'] })),
    reading: { ...Amount, description: 'What the meter shows, in whole units.', examples: [1240] },
  },
  { $id: 'InspectedMeter', additionalProperties: false },
)
const Meters = Type.Array(Meter, { maxItems: MOST_METERS, description: 'The meters and their readings.' })
const Keys = Type.Integer({ minimum: 0, maximum: 999, description: 'The number of keys handed over.', examples: [3] })

const Head = {
  id: Id,
  orgId: OrgId,
  bookingId: BookingId,
  propertyId: PropertyId,
  tenantUserId: Type.Optional(TenantUserId),
  unitLabel: UnitLabel,
  propertyName: PropertyName,
  tenantName: TenantName,
  kind: Kind,
  status: Status,
  inspectedOn: InspectedOn,
  keyCount: Type.Optional(Keys),
  note: Type.Optional(Note),
  documentId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The paper that is out for signing, or signed.' }),
  ),
  startedBy: { ...Uuid, description: 'The user who created the inspection.' },
  proposedAt: Type.Optional({ ...DateTime, description: 'When it was last sent out for signing.' }),
  signedAt: Type.Optional(SignedAt),
  createdAt: CreatedAt,
}
export const InspectionHead = Type.Object(Head, {
  $id: 'InspectionHead',
  description: 'An inspection without its rooms, as in lists.',
})

const InspectionSignature = Type.Object(
  {
    party: oneOf(PARTIES, { description: 'The side that they signed for.' }),
    userId: { ...Uuid, description: "The user's id." },
    onBehalf: Type.Boolean({ description: 'Whether a manager signed for the owner.' }),
    fullName: Type.String({
      description: 'Family name and first names, as on identity papers.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    remarks: Type.Optional(Type.String({ description: 'What the signer does not agree with.' })),
    channel: PhoneChallenge.properties.channel,
    maskedNumber: Type.String({
      description: 'The number that the code was sent to; all but the last digits are hidden.',
      examples: ['+237 *** *** 456'],
    }),
    signedAt: SignedAt,
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
        { inspectedOn: InspectedOn, rooms: Rooms, meters: Meters, keyCount: Type.Optional(Keys) },
        {
          $id: 'InspectionBefore',
          description: 'For an EXIT: the SIGNED ENTRY of the same lease, which it is compared with.',
        },
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
    bookingId: BookingId,
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
  inspectedOn: Type.Optional({
    ...DateOnly,
    description: 'The day of the inspection; not in the future.',
    examples: ['2026-01-02'],
  }),
  rooms: Type.Optional(Rooms),
  meters: Type.Optional(Meters),
  keyCount: Maybe(Keys),
  note: Maybe(Text({ max: 1_000, lines: true, description: 'A note in your own words.' })),
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
    id: Id,
    inspectionId: InspectionId,
    place: Type.String({ format: 'uuid', description: 'The room or the item that it shows.' }),
    mediaObjectId: MediaObjectId,
    sha256: sha256('The SHA-256 of the file, in hex; the paper names it.'),
    url: Type.Optional(Type.String({ description: 'Its thumbnail, 320 pixels wide, valid for two to five minutes.' })),
    addedBy: { ...Uuid, description: 'The user who added it.' },
    createdAt: CreatedAt,
  },
  { $id: 'InspectionPhoto' },
)
export const toPhoto = ({ orgId: _o, ...row }: PhotoRow): Static<typeof InspectionPhoto> => row

export const ProposedDeductions = Type.Object(
  {
    bookingId: BookingId,
    inspectionId: Type.Optional(InspectionId),
    status: Type.Optional(Status),
    totalAmount: Type.Integer({ description: 'The sum of the items, in XAF.', examples: [15_000] }),
    items: Type.Array(
      Type.Object(
        {
          room: Type.String({ description: 'The name of the room.', examples: ['Séjour'] }),
          item: Type.String({ description: 'The name of the item.', examples: ['Murs'] }),
          before: Type.Optional({
            ...State,
            description: 'The state at the beginning; absent if the item was not checked then.',
            examples: ['GOOD'],
          }),
          state: { ...State, description: 'The state at the end.', examples: ['DAMAGED'] },
          note: Type.Optional(Note),
          amount: Type.Integer({ description: 'The proposed deduction, in XAF.', examples: [15_000] }),
        },
        { $id: 'ProposedDeduction' },
      ),
      { description: 'Each item with a proposed deduction, in the order of the paper.' },
    ),
  },
  {
    $id: 'ProposedDeductions',
    description: 'The deductions that the EXIT inspection of a lease proposes; empty without such an inspection.',
  },
)
