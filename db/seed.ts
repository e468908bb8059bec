import type { Deps } from '../src/deps.ts'
import { addUser } from '../src/features/account/service.ts'
import { operatorOrganization } from '../src/features/organizations/store.ts'

export async function seedDemo(deps: Deps): Promise<void> {
  if (operatorOrganization(deps.db)) return
  await addUser(deps, {
    phone: '+237677000001',
    roles: ['OWNER'],
    orgName: 'Loyer Démo',
    firstName: 'Odile',
    lastName: 'Owona',
    password: 'demo-owner-2026',
  })
}
