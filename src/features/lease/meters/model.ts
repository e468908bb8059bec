import { type Static, Type } from '@sinclair/typebox'
import { METER_KINDS } from '../../../core/meters.ts'
import { dto } from '../../../http/cache.ts'
import { Body, DateOnly, DateTime, InLists, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { MOST_SHOWN, READING_STATUS } from './rules.ts'
import type { MeterRow, ReadingRow } from './store.ts'

const Kind = oneOf(METER_KINDS, { $id: 'SubMeterKind' })
const Measure = { ...Text({ max: 10 }), description: 'What it counts: kWh, m³. When not given, by the kind.' }
const number = { ...Text({ max: 40 }), description: 'What stands on the meter.' }
const Shown = Type.Number({
  minimum: 0,
  maximum: MOST_SHOWN,
  description: 'What the meter shows, with at most three decimals; a request with more of them is refused.',
})
const Last = Type.Object({ readOn: DateOnly, value: Shown })

export const Meter = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    propertyId: Uuid,
    unitId: Uuid,
    kind: Kind,
    number: Type.Optional(number),
    measure: Type.String({ description: 'What it counts: kWh, m³.' }),
    retiredAt: Type.Optional({ ...DateTime, description: 'Since when nobody reads it any more.' }),
    createdAt: DateTime,
    propertyName: InLists(Type.String()),
    unitLabel: InLists(Type.String()),
    lastReading: InLists(Last, 'The newest reading, where there is one.'),
  },
  { $id: 'Meter', description: 'A sub-meter of a unit, which the landlord reads.' },
)
export const MeterCreate = Body(
  { unitId: Uuid, kind: Kind, number: Maybe(number), measure: Maybe(Measure) },
  { examples: [{ unitId: '0190a5f0-0000-7000-8000-000000000001', kind: 'POWER', number: 'SC-104' }] },
)
export type MeterCreate = Static<typeof MeterCreate>
export const MeterPatch = Body({
  number: Maybe(number),
  measure: Type.Optional(Measure),
  retired: Type.Optional(Type.Boolean({ description: 'Nobody reads it any more, or again.' })),
})
export type MeterPatch = Static<typeof MeterPatch>

export const MeterReading = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    meterId: Uuid,
    unitId: Uuid,
    propertyId: Uuid,
    readOn: DateOnly,
    value: Shown,
    finalValue: Type.Optional({
      ...Shown,
      description:
        'The meter was replaced or set back on this day: what it showed before. `value` is where it goes on.',
    }),
    mediaObjectId: Type.Optional({ ...Uuid, description: 'A photo of it: a media object.' }),
    recordedBy: Uuid,
    status: oneOf(READING_STATUS, { $id: 'RecordStatus', description: 'CANCELLED: it counts nowhere any more.' }),
    billed: Type.Integer({
      minimum: 0,
      description: 'How many regularisations in force count with it; from 1 on it stays as it is.',
    }),
    createdAt: DateTime,
    propertyName: InLists(Type.String()),
    unitLabel: InLists(Type.String()),
    kind: InLists(Kind),
    measure: InLists(Type.String()),
    meterNumber: InLists(Type.String()),
  },
  { $id: 'MeterReading', description: 'What a meter showed on a day.' },
)
const readOn = { ...DateOnly, description: 'Today, or a day of the last ten years; one reading a day.' }
const photo = Maybe({
  ...Uuid,
  description: 'An own photo (ownerType USER, kind PHOTO); the tenant sees it once it is charged.',
})
const finalValue = Maybe({
  ...Shown,
  description: 'Where the meter was replaced or set back on this day: what it showed before.',
})
export const ReadingCreate = Body(
  { meterId: Uuid, readOn: Maybe(readOn), value: Shown, finalValue, mediaObjectId: photo },
  { examples: [{ meterId: '0190a5f0-0000-7000-8000-000000000001', readOn: '2026-03-31', value: 1245.5 }] },
)
export type ReadingCreate = Static<typeof ReadingCreate>
export const ReadingPatch = Body({
  readOn: Type.Optional(readOn),
  value: Type.Optional(Shown),
  finalValue,
  mediaObjectId: photo,
})
export type ReadingPatch = Static<typeof ReadingPatch>

export const toMeter = (row: MeterRow) => dto(row, 'ownerUserId', 'updatedAt', 'version')
/** Readings are kept in thousandths. */
type Kept = { readonly thousandths: number; readonly finalThousandths?: number | null | undefined }
export function asRead<T extends Kept>({ thousandths, finalThousandths, ...row }: T) {
  const final = finalThousandths ?? undefined
  return { ...row, value: thousandths / 1000, ...(final === undefined ? {} : { finalValue: final / 1000 }) }
}
export const toReading = (row: ReadingRow) => asRead(dto(row, 'ownerUserId', 'updatedAt', 'version'))
