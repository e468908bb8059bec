import { api, type Schemas, type Versioned, versioned } from './api.ts'

/** What one is told of, with its version. */
export const readNews = (): Promise<Versioned<Schemas['Notifications']>> =>
  versioned<Schemas['Notifications']>(api.GET('/api/v1/me/notifications'))
