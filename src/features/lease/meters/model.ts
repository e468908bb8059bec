import { type Static, Type } from '@sinclair/typebox'
import { METER_KINDS } from '../../../core/meters.ts'
import { dto } from '../../../http/json.ts'
import { CreatedAt, Id, OrgId, PropertyId, PropertyName, RecordedBy, UnitId, UnitLabel } from '../../../http/members.ts'
import { Body, DateOnly, DateTime, InLists, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { MOST_SHOWN, READING_STATUS } from './rules.ts'
import type { MeterRow, ReadingRow } from './store.ts'

const ReadOn = { ...DateOnly, description: 'The day of the reading.' }
const MeterId = { ...Uuid, description: 'The sub-meter.' }

const Kind = oneOf(METER_KINDS, { $id: 'SubMeterKind', description: 'The kind.' })
const Measure = { ...Text({ max: 10 }), description: 'The unit of measure: kWh, m³. If omitted, decided by the kind.' }
const number = { ...Text({ max: 40 }), description: 'The number on the meter.' }
const MeterValue = Type.Number({
  minimum: 0,
  maximum: MOST_SHOWN,
  description: 'What the meter shows, with at most three decimals; more are refused.',
})
const Last = Type.Object({ readOn: ReadOn, value: { ...MeterValue, examples: [1240] } })

export const Meter = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    propertyId: PropertyId,
    unitId: UnitId,
    kind: Kind,
    number: Type.Optional({ ...number, examples: ['SC-104'] }),
    measure: Type.String({ description: 'The unit of measure: kWh, m³.', examples: ['m³'] }),
    retiredAt: Type.Optional({ ...DateTime, description: 'When the meter was taken out of use.' }),
    createdAt: CreatedAt,
    propertyName: InLists(PropertyName),
    unitLabel: InLists(UnitLabel),
    lastReading: InLists(Last, 'The latest reading, if there is one.'),
  },
  { $id: 'Meter', description: 'A sub-meter of a unit, which the landlord reads.' },
)
export const MeterCreate = Body(
  { unitId: UnitId, kind: Kind, number: Maybe(number), measure: Maybe(Measure) },
  { examples: [{ unitId: '0190a5f0-0000-7000-8000-000000000001', kind: 'POWER', number: 'SC-104' }] },
)
export type MeterCreate = Static<typeof MeterCreate>
export const MeterPatch = Body({
  number: Maybe({ ...number, examples: ['2026-000123'] }),
  measure: Type.Optional(Measure),
  retired: Type.Optional(
    Type.Boolean({ description: 'true takes the meter out of use, false puts it back into use.' }),
  ),
})
export type MeterPatch = Static<typeof MeterPatch>

export const MeterReading = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    meterId: MeterId,
    unitId: UnitId,
    propertyId: PropertyId,
    readOn: ReadOn,
    value: { ...MeterValue, examples: [1240] },
    finalValue: Type.Optional({
      ...MeterValue,
      description:
        'If the meter was replaced or reset on this day: its last reading before. `value` is the reading with which it continues.',
    }),
    mediaObjectId: Type.Optional({ ...Uuid, description: 'A photo of the meter: a media object.' }),
    recordedBy: RecordedBy,
    status: oneOf(READING_STATUS, { $id: 'RecordStatus', description: 'CANCELLED: it no longer counts anywhere.' }),
    billed: Type.Integer({
      minimum: 0,
      description:
        'The number of regularisations in force that use it; if it is 1 or more, the reading cannot be changed.',
      examples: [12],
    }),
    createdAt: CreatedAt,
    propertyName: InLists(PropertyName),
    unitLabel: InLists(UnitLabel),
    kind: InLists(Kind),
    measure: InLists(Type.String({ description: 'The unit of measure: kWh, m³.', examples: ['m³'] })),
    meterNumber: InLists(Type.String({ description: 'The number on the meter.', examples: ['SC-104'] })),
  },
  { $id: 'MeterReading', description: 'The reading of a meter on a given day.' },
)
const readOn = { ...DateOnly, description: 'Today, or a day of the last ten years; one reading a day.' }
const photo = Maybe({
  ...Uuid,
  description: 'A photo of the caller (ownerType USER, kind PHOTO); the tenant sees it once it is charged.',
})
const finalValue = Maybe({
  ...MeterValue,
  description: 'If the meter was replaced or reset on this day: its last reading before.',
})
export const ReadingCreate = Body(
  { meterId: MeterId, readOn: Maybe(readOn), value: MeterValue, finalValue, mediaObjectId: photo },
  { examples: [{ meterId: '0190a5f0-0000-7000-8000-000000000001', readOn: '2026-03-31', value: 1245.5 }] },
)
export type ReadingCreate = Static<typeof ReadingCreate>
export const ReadingPatch = Body({
  readOn: Type.Optional(readOn),
  value: Type.Optional(MeterValue),
  finalValue,
  mediaObjectId: photo,
})
export type ReadingPatch = Static<typeof ReadingPatch>

export const toMeter = (row: MeterRow) => dto(row, 'ownerUserId', 'updatedAt', 'version')
/** Readings are kept in thousandths. */
type Thousandths = { readonly thousandths: number; readonly finalThousandths?: number | null | undefined }
export function asRead<T extends Thousandths>({ thousandths, finalThousandths, ...row }: T) {
  const final = finalThousandths ?? undefined
  return { ...row, value: thousandths / 1000, ...(final === undefined ? {} : { finalValue: final / 1000 }) }
}
export const toReading = (row: ReadingRow) => asRead(dto(row, 'ownerUserId', 'updatedAt', 'version'))
