// An account with several roles.
import { expect, test } from 'bun:test'
import { worldApp } from '../support/world.ts'

const { t } = await worldApp()

test('a role opens no door that another one shuts: the widest counts', async () => {
  for (const [word, path, status] of [
    ['TENANT+OWNER.zoe', '/api/v1/tenants', 200],
    ['TENANT+OWNER.zoe', '/api/v1/admin/audit', 403],
    ['TENANT+MANAGER.zed', '/api/v1/admin/organization', 403],
    ['TENANT+ADMIN.zac', '/api/v1/admin/organization', 200],
    ['TENANT+OWNER+MANAGER+ADMIN.zia', '/api/v1/admin/audit', 200],
  ] as const)
    expect((await t.call(word, `GET ${path}`)).status).toBe(status)
})
