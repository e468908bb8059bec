import type { Sample } from './sample.ts'
import { doorSamples } from './samples/doors.ts'
import { fileSamples } from './samples/files.ts'
import { leaseSamples } from './samples/leases.ts'
import { moneySamples } from './samples/money.ts'
import { officeSamples } from './samples/office.ts'
import { placeSamples } from './samples/places.ts'
import { upkeepSamples } from './samples/upkeep.ts'
import type { World } from './world.ts'

/** One sample for each route; a new route needs a line in its group's file. */
export function samples(w: World): Sample[] {
  return [
    ...doorSamples(),
    ...fileSamples(w),
    ...officeSamples(w),
    ...placeSamples(w),
    ...leaseSamples(w),
    ...upkeepSamples(w),
    ...moneySamples(w),
  ]
}
