import type { Db } from '../../../../db/open.ts'
import { findOrganization } from '../organizations/store.ts'
import { fullNameOf } from '../users/rules.ts'
import { findUser } from '../users/store.ts'

/** The name of the landlord in messages: the organization, else the owner, else the service. */
export function senderOf(db: Db, orgId: string, ownerUserId: string | null): string {
  const name = findOrganization(db, orgId)?.name
  const owner = name || ownerUserId === null ? undefined : findUser(db, orgId, ownerUserId)
  return name || fullNameOf(owner) || 'Loyer'
}
