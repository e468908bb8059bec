import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { digitsOf } from '../../../core/phone.ts'
import { ROLES } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { contains, ListParameters, NameWords } from '../../../http/paging.ts'
import { ADMINS, EVERYONE, type Http, MANAGERS, section } from '../../../http/routes.ts'
import { oneOf, someOf } from '../../../http/schema.ts'
import {
  CurrentUser,
  Invitation,
  Person,
  ProfilePatch,
  toCurrentUser,
  toPerson,
  toUser,
  User,
  UserPatch,
  userView,
} from './model.ts'
import { USER_STATUS } from './rules.ts'
import {
  accountsOf,
  changeUser,
  followUser,
  forgetInvitation,
  inviteUser,
  updateProfile,
  withdrawInvitation,
} from './service.ts'
import { assignedTo, findUser, listUsers, propertiesOf, type UserRow } from './store.ts'

type Reads = Pick<Deps, 'db'>
const mine = (deps: Reads) => (row: UserRow) => toCurrentUser(propertiesOf(deps.db, row), row)
const viewOf = (deps: Reads) => (row: UserRow) => toUser(assignedTo(deps.db, row), row)

export const users = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/me', ...section('Account', 'The signed-in user.') })
    .use(http)
    .get('', ({ caller, one }) => one(findUser(deps.db, caller.orgId, caller.userId), mine(deps)), {
      access: EVERYONE,
      answers: { 200: CurrentUser },
      detail: { summary: 'Read the signed-in user', operationId: 'getMe' },
    })
    .patch(
      '',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx) => updateProfile(ctx, body),
          view: mine(deps),
          current: ({ tx, caller }) => findUser(tx, caller.orgId, caller.userId),
        }),
      {
        access: EVERYONE,
        body: ProfilePatch,
        answers: { 200: CurrentUser },
        detail: { summary: "Change the caller's names, e-mail or language", operationId: 'updateMe' },
      },
    )

const Query = ListParameters({
  role: Type.Optional(oneOf(ROLES, { description: 'Only those with this role.' })),
  status: Type.Optional(someOf(USER_STATUS)),
  q: NameWords,
})

/** People who can be chosen, as the owner of a property or for a task. */
export const colleagues = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/people', tags: ['Account'] }).use(http).get(
    '',
    ({ query, many }) =>
      many(
        {
          name: 'people',
          query: { ...query, status: 'ACTIVE', q: contains(query.q) },
          filters: ['role', 'status', 'q', 'updatedSince'],
        },
        (q) => {
          const page = listUsers(deps.db, q)
          return { ...page, rows: page.rows.map(toPerson) }
        },
      ),
    {
      access: MANAGERS,
      query: ListParameters({
        role: Type.Optional(oneOf(ROLES, { description: 'Only those with this role.' })),
        q: NameWords,
      }),
      answers: { 200: Type.Array(Person) },
      detail: {
        summary: 'List the people of the organization by name',
        description: 'For a list to choose a person from.',
        operationId: 'listPeople',
      },
    },
  )

/** The users of an organization, for its ADMIN. */
export const usersAdministration = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/users', tags: ['Administration'] })
    .use(http)
    .get(
      '',
      ({ many, query }) =>
        many(
          {
            name: 'users',
            query: { ...query, q: contains(digitsOf(query.q ?? '') ?? query.q) },
            filters: ['role', 'status', 'q', 'updatedSince'],
          },
          (q) => {
            const page = listUsers(deps.db, q)
            return { ...page, rows: page.rows.map(userView) }
          },
        ),
      {
        access: ADMINS,
        query: Query,
        answers: { 200: Type.Array(User) },
        detail: {
          summary: 'List the users of the organization',
          description: 'Includes users who are invited and have not registered yet.',
          operationId: 'listUsers',
        },
      },
    )
    .post(
      '',
      async ({ body, mutate }) => {
        // A refusal is raised inside the write, so that a replay is answered first.
        const account = await accountsOf(deps)
          .findByPhone(body.phoneNumber)
          .catch((e: unknown) => {
            if (e instanceof AppError) return e
            throw e
          })
        return mutate({ status: 201, body, run: (ctx) => inviteUser(ctx, body, account), view: viewOf(deps) })
      },
      {
        access: { roles: ADMINS, stepUp: true },
        body: Invitation,
        problems: ['duplicate', 'member_elsewhere', 'identity_unavailable'],
        creates: ['/api/v1/admin/users/{id}'],
        answers: { 201: User },
        detail: {
          summary: 'Invite a phone number to join with these roles',
          description:
            'Whoever registers with the number joins the organization with these roles. The number gets a message, and may receive codes whatever its country is. If landlords have entered the number as a tenant, the invitation takes precedence.',
          operationId: 'inviteUser',
        },
      },
    )
    .get('/:id', ({ caller, params, one }) => one(findUser(deps.db, caller.orgId, params.id), viewOf(deps)), {
      access: ADMINS,
      answers: { 200: User },
      detail: { summary: 'Read a user', operationId: 'getUser' },
    })
    .patch(
      '/:id',
      async ({ caller, params, body, mutate }) => {
        const { orgId } = caller
        const answer = await mutate({
          body,
          run: (ctx) => {
            const row = changeUser(ctx, deps, params.id, body)
            if (body.roles || body.status) accountsOf(deps)
            return row
          },
          view: viewOf(deps),
          current: ({ tx, caller }, id) => findUser(tx, caller.orgId, id),
        })
        await followUser(deps, orgId, params.id, body).catch((e: unknown) =>
          deps.log.error('user.follow_failed', e, { userId: params.id }),
        )
        return answer
      },
      {
        access: { roles: ADMINS, stepUp: true },
        body: UserPatch,
        problems: ['invalid_state', 'own_account', 'last_admin', 'demo_account', 'identity_unavailable'],
        answers: { 200: User },
        detail: {
          summary: "Change a user's roles or properties, disable or enable a user",
          description:
            '`propertyIds` limits a manager to some properties; the limit stays until `propertyIds: null` lifts it, whatever roles are given meanwhile. Rights that are taken away end at once, also for access tokens already issued; an added role takes effect with the next token. Disabling a user ends all their sessions.',
          operationId: 'updateUser',
        },
      },
    )
    .delete(
      '/:id',
      async ({ perform }) => {
        const row = await perform({
          status: 204,
          run: withdrawInvitation,
          current: ({ tx, caller }, id) => findUser(tx, caller.orgId, id),
        })
        await forgetInvitation(deps, row)
        return new Response(null, { status: 204 })
      },
      {
        access: { roles: ADMINS, stepUp: true },
        problems: ['invalid_state'],
        answers: { 204: Type.Null() },
        detail: { summary: 'Withdraw an invitation', operationId: 'withdrawInvitation' },
      },
    )
