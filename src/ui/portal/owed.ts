import { api, data, type Schemas } from '../shared/api.ts'

/** What a tenant owes and has paid, where to pay, and who the landlord is. */
export type Owed = Schemas['TenantOverview']

export const readOwed = async (): Promise<Owed> =>
  // asked as a tenant, it is a tenant's, whatever else the person is
  (await data(api.GET('/api/v1/overview', { params: { query: { as: 'TENANT' } } }))) as Owed
