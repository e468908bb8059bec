import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { METER_KINDS } from '../../../core/meters.ts'
import type { Deps } from '../../../deps.ts'
import { rowOf } from '../../../http/mutation.ts'
import { filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body, DateOnly, oneOf, QueryBoolean } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import {
  asRead,
  Meter,
  MeterCreate,
  MeterPatch,
  MeterReading,
  ReadingCreate,
  ReadingPatch,
  toMeter,
  toReading,
} from './model.ts'
import { READING_STATUS, readingRule } from './rules.ts'
import { cancelReading, createMeter, createReading, updateMeter, updateReading } from './service.ts'
import { getMeter, getReading, listMeters, listReadings } from './store.ts'

const Meters = ListParameters({
  propertyId: Of('this property'),
  unitId: Of('this unit'),
  kind: Type.Optional(oneOf(METER_KINDS, { description: 'Only those of this kind.' })),
  retired: Type.Optional(QueryBoolean({ description: 'true: only those out of use; false: only the others.' })),
})
const Readings = ListParameters({
  propertyId: Of('this property'),
  unitId: Of('this unit'),
  meterId: Of('this meter'),
  status: Type.Optional(oneOf(READING_STATUS, { description: 'Only those with this status.' })),
  from: Type.Optional({ ...DateOnly, description: 'Only those read on this day or later.' }),
  to: Type.Optional({ ...DateOnly, description: 'Only those read on this day or earlier.' }),
})

const METER_FILTERS = filtersOf(Meters)
const READING_FILTERS = filtersOf(Readings)

/** Sub-meters, and what they showed. */
export const meters = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Charges'] })
    .use(http)
    .post(
      '/api/v1/meters',
      ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createMeter(ctx, body), view: toMeter }),
      {
        access: LANDLORDS,
        body: MeterCreate,
        problems: ['not_found', 'duplicate', 'quota_exceeded'],
        creates: ['/api/v1/meters/{id}'],
        answers: { 201: Meter },
        detail: {
          summary: 'Create a sub-meter of a unit',
          description: 'A unit has at most ten sub-meters. Two of the same kind need different numbers.',
          operationId: 'createMeter',
        },
      },
    )
    .get(
      '/api/v1/meters',
      ({ many, query }) =>
        many({ name: 'meters', query, filters: METER_FILTERS }, (q) => {
          const { rows, ...rest } = listMeters(deps.db, q)
          const views = rows.map(({ lastReading, ...row }) => ({
            ...row,
            ...(lastReading ? { lastReading: asRead(lastReading) } : {}),
          }))
          return { rows: views, ...rest }
        }),
      {
        access: LANDLORDS,
        query: Meters,
        answers: { 200: Type.Array(Meter) },
        detail: {
          summary: 'List sub-meters with their latest readings',
          operationId: 'listMeters',
        },
      },
    )
    .get('/api/v1/meters/:id', ({ cached }) => cached(getMeter, toMeter), {
      access: LANDLORDS,
      answers: { 200: Meter },
      detail: { summary: 'Read a sub-meter', operationId: 'getMeter' },
    })
    .patch(
      '/api/v1/meters/:id',
      ({ body, mutate }) => mutate({ body, run: updateMeter, view: toMeter, current: rowOf(getMeter) }),
      {
        access: LANDLORDS,
        body: MeterPatch,
        answers: { 200: Meter },
        detail: { summary: 'Change a sub-meter, or take it out of use (JSON merge patch)', operationId: 'updateMeter' },
      },
    )
    .post(
      '/api/v1/meter-readings',
      ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createReading(ctx, body), view: toReading }),
      {
        access: LANDLORDS,
        body: ReadingCreate,
        rules: onToday(deps, readingRule),
        problems: ['not_found', 'invalid_state', 'duplicate', 'quota_exceeded'],
        creates: ['/api/v1/meter-readings/{id}'],
        answers: { 201: MeterReading },
        detail: {
          summary: 'Record a meter reading',
          description:
            'A reading cannot be lower than the one before, unless the meter was replaced or reset; `finalValue` then says what it last showed. Without `readOn`, the reading is dated today.',
          operationId: 'createMeterReading',
        },
      },
    )
    .get(
      '/api/v1/meter-readings',
      ({ many, query }) =>
        many({ name: 'meterReadings', query, filters: READING_FILTERS }, (q) => {
          const { rows, ...rest } = listReadings(deps.db, q)
          return { rows: rows.map(asRead), ...rest }
        }),
      {
        access: LANDLORDS,
        query: Readings,
        answers: { 200: Type.Array(MeterReading) },
        detail: { summary: 'List meter readings', operationId: 'listMeterReadings' },
      },
    )
    .get('/api/v1/meter-readings/:id', ({ cached }) => cached(getReading, toReading), {
      access: LANDLORDS,
      answers: { 200: MeterReading },
      detail: { summary: 'Read a meter reading', operationId: 'getMeterReading' },
    })
    .patch(
      '/api/v1/meter-readings/:id',
      ({ body, mutate }) => mutate({ body, run: updateReading, view: toReading, current: rowOf(getReading) }),
      {
        access: LANDLORDS,
        body: ReadingPatch,
        rules: onToday(deps, readingRule),
        problems: ['invalid_state', 'duplicate'],
        answers: { 200: MeterReading },
        detail: {
          summary: 'Correct a reading that no charge uses yet (JSON merge patch)',
          operationId: 'updateMeterReading',
        },
      },
    )
    .post(
      '/api/v1/meter-readings/:id/cancel',
      ({ body, mutate }) => mutate({ body, run: cancelReading, view: toReading, current: rowOf(getReading) }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: MeterReading },
        detail: {
          summary: 'Cancel a meter reading entered by mistake',
          description: 'The reading no longer counts anywhere.',
          operationId: 'cancelMeterReading',
        },
      },
    )
