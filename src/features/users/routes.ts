import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { EVERYONE, type Http } from '../../http/http.ts'
import { CurrentUser, ProfilePatch, toCurrentUser } from './model.ts'
import { updateProfile } from './service.ts'
import { findUser } from './store.ts'

export const users = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/me', tags: ['Account'] })
    .use(http)
    .get('', ({ caller, one }) => one(findUser(deps.db, caller.orgId, caller.userId), toCurrentUser), {
      access: EVERYONE,
      answers: { 200: CurrentUser },
      detail: { summary: 'The signed-in user', operationId: 'getMe' },
    })
    .patch('', ({ body, mutate }) => mutate(200, body, (ctx) => updateProfile(ctx, body), toCurrentUser), {
      access: EVERYONE,
      body: ProfilePatch,
      answers: { 200: CurrentUser },
      detail: { summary: "Change one's own names, e-mail or language", operationId: 'updateMe' },
    })
