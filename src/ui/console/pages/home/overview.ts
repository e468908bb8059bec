import { api, data, type Schemas, Trouble } from '../../../shared/api.ts'
import { learn } from '../../../shared/clock.svelte.ts'

/** All that the home page shows, in one request. */
export async function readOverview(): Promise<Schemas['Overview']> {
  const overview = await data(api.GET('/api/v1/overview'))
  if (!('needs' in overview)) throw new Trouble()
  learn(overview.today)
  return overview
}

type Kind = Schemas['OverviewNeed']['kind']
/** The page for each need that does not belong to one lease. */
const WHERE: Readonly<Record<Kind, string>> = {
  RECOVERY_ASKED: '/users',
  PAYMENT_DECLARED: '/payments',
  ADJUSTMENT_MADE: '/adjustments',
  MESSAGE_UNMATCHED: '/payments/message',
  BOOKING_REQUESTED: '/bookings?stage=requests',
  REPAIR_REQUESTED: '/requests',
  LEASE_TO_SIGN: '/bookings?stage=sign',
  RENT_CHANGE_TO_SIGN: '/bookings?stage=running',
  INSPECTION_TO_SIGN: '/inspections?status=PROPOSED',
  INSPECTION_DUE: '/bookings?stage=ending',
  NOTICE_GIVEN: '/bookings?stage=ending',
  LEASE_ENDING: '/bookings?stage=ending',
  VERIFICATION_TO_REVIEW: '/reviews',
  PAPER_FAILED: '/documents?kind=failed',
  MESSAGE_UNDELIVERED: '/reminders',
  IMPORT_DONE: '/imports',
  SETUP: '/settings',
}
/** The page for a need, below the console's address. */
export const pageOf = ({ kind, bookingId }: Schemas['OverviewNeed']): string =>
  bookingId === undefined ? WHERE[kind] : `/bookings/${bookingId}`
