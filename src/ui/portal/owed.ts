import { api, data, type Schemas } from '../shared/api.ts'
import { learn } from '../shared/clock.svelte.ts'

/** What a tenant owes and has paid, where to pay, and who the landlord is. */
export type Owed = Schemas['TenantOverview']

export async function readOwed(): Promise<Owed> {
  // `as: TENANT` gives the overview of a tenant, whatever other roles the person has
  const owed = (await data(api.GET('/api/v1/overview', { params: { query: { as: 'TENANT' } } }))) as Owed
  learn(owed.today)
  return owed
}
