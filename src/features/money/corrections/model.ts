import type { Static } from '@sinclair/typebox'
import { Body, Maybe, Phone, Text, Uuid } from '../../../http/schema.ts'
import { BookingPatch } from '../../lease/bookings/model.ts'

export const LeaseCorrection = Body(
  {
    ...BookingPatch.properties,
    tenantId: Maybe({
      ...Uuid,
      description: 'The right tenant, if the lease names another person; give one of the three members.',
    }),
    tenantUserId: Maybe(Uuid),
    tenantPhoneNumber: Maybe(Phone),
    reason: Maybe({ ...Text({ max: 300, lines: true }), description: 'For the audit trail.' }),
  },
  { $id: 'LeaseCorrection', examples: [{ rentAmount: 85000, reason: 'Faute de frappe' }] },
)
export type LeaseCorrection = Static<typeof LeaseCorrection>
