import { api, data, type Schemas } from '../shared/api.ts'
import { learn } from '../shared/clock.svelte.ts'

/** What a tenant owes and has paid, where to pay, and who the landlord is. */
export type Owed = Schemas['TenantOverview']

export async function readOwed(): Promise<Owed> {
  // asked as a tenant, it is a tenant's, whatever else the person is
  const owed = (await data(api.GET('/api/v1/overview', { params: { query: { as: 'TENANT' } } }))) as Owed
  learn(owed.today)
  return owed
}
