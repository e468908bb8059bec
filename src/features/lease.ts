import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { leaseTemplates } from './lease/contracts/routes.ts'
import { inspectionSigning, inspections } from './lease/inspections/routes.ts'
import { bookings } from './lease/leases/routes.ts'
import { meters } from './lease/meters/routes.ts'
import { repairs } from './lease/repairs/routes.ts'
import { cosigning, parties, signing } from './lease/signing/routes.ts'

/** Leases, their contracts, and the state of the rented units. */
export const lease = (deps: Deps, http: Http) =>
  new Elysia({ name: 'lease' })
    .use(bookings(deps, http))
    .use(parties(deps, http))
    .use(signing(deps, http))
    .use(cosigning(deps, http))
    .use(leaseTemplates(deps, http))
    .use(repairs(deps, http))
    .use(inspections(deps, http))
    .use(inspectionSigning(deps, http))
    .use(meters(deps, http))
