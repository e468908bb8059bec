import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { findOrganization } from '../organizations/store.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { ChooseNews, NewsChoice, toNewsChoice } from './model.ts'
import { chooseNews } from './service.ts'

/** What a person is told of by WhatsApp or SMS, and how. */
export const notifications = (deps: Deps, http: Http) => {
  const choiceOf = (user: UserRow) => {
    const organization = findOrganization(deps.db, user.orgId)
    if (!organization) throw notFound()
    return toNewsChoice(user, organization, !deps.messenger.mute)
  }
  return new Elysia({ prefix: '/api/v1/me/notifications', tags: ['Account'] })
    .use(http)
    .get('', ({ caller, one }) => one(findUser(deps.db, caller.orgId, caller.userId), choiceOf), {
      access: EVERYONE,
      answers: { 200: NewsChoice },
      detail: {
        summary: "Read the caller's notification settings",
        description: 'Returns, for each kind of message that the caller gets, the channel and the time.',
        operationId: 'getNotifications',
      },
    })
    .put(
      '',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx) => chooseNews(ctx, body),
          view: choiceOf,
          current: ({ tx, caller }) => findUser(tx, caller.orgId, caller.userId),
        }),
      {
        access: EVERYONE,
        body: ChooseNews,
        answers: { 200: NewsChoice },
        detail: {
          summary: "Replace the caller's notification settings",
          operationId: 'putNotifications',
          description:
            "Replaces all settings. Refused with 422 if they name a kind that the caller's roles do not get, or a time that a kind does not have; the answer names it.",
        },
      },
    )
}
