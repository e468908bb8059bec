import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Db } from '../../../../db/open.ts'
import type { Caller } from '../../../context.ts'
import { isTimeZone, localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { invalid, notFound } from '../../../errors.ts'
import { digestOf } from '../../../http/etag.ts'
import { ADMINS, EVERYONE, type Http, section } from '../../../http/routes.ts'
import { Locale } from '../../../http/schema.ts'
import { Law, Organization, OrganizationPatch, OrganizationProfile, toLaw, toOrganization } from './model.ts'
import { messagingOf } from './rules.ts'
import { updateOrganization, whereToPay } from './service.ts'
import { findOrganization, type OrganizationRow, operatorOrganization, revisionOf, teamOf } from './store.ts'

const settingsOf = (db: Db, orgId: string): OrganizationRow | undefined => {
  const row = findOrganization(db, orgId)
  return row && { ...row, version: revisionOf(row) }
}

/** The organization as this caller sees it today. @throws not_found */
function profileFor(deps: Deps, caller: Caller): Static<typeof OrganizationProfile> {
  const { db, clock } = deps
  const org = findOrganization(db, caller.orgId)
  if (!org) throw notFound()
  const today = localDate(clock.now(), org.timeZone)
  const { where, places } = whereToPay(db, org, caller, today)
  return {
    id: org.id,
    ...(org.name === null ? {} : { name: org.name }),
    ...(org.address === null ? {} : { address: org.address }),
    ...(org.phoneNumber === null ? {} : { phoneNumber: org.phoneNumber }),
    timeZone: org.timeZone,
    locale: org.locale,
    today,
    messaging: messagingOf(deps),
    ...where,
    ...(places.length > 0 ? { places } : {}),
    requireProof: org.requireProof,
    ...(caller.roles.includes('ADMIN') && operatorOrganization(db)?.id === org.id ? { operator: true as const } : {}),
    ...(org.confirmCash && caller.scope.kind !== 'tenant'
      ? { team: teamOf(db, org.id, caller.scope.kind === 'all') }
      : {}),
  }
}
/** What everybody may know of their organization. */
export const organizationProfile = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/organization',
    ...section('Organization', 'What all members of an organization may know about it.'),
  })
    .use(http)
    .get(
      '',
      ({ caller, one }) => {
        // The day and the caller's leases change it too.
        const profile = profileFor(deps, caller)
        return one({ version: digestOf(profile), profile }, (row) => row.profile)
      },
      {
        access: EVERYONE,
        answers: { 200: OrganizationProfile },
        detail: {
          summary: "Read the organization's profile, business date and payment instructions",
          operationId: 'getOrganizationProfile',
        },
      },
    )
    .get(
      '/law',
      ({ caller, one, query }) => {
        const org = findOrganization(deps.db, caller.orgId)
        if (!org) throw notFound()
        const law = toLaw(org, query.locale ?? org.locale, localDate(deps.clock.now(), org.timeZone))
        return one({ version: digestOf(law), law }, (row) => row.law)
      },
      {
        access: EVERYONE,
        query: Type.Object({
          locale: Type.Optional({
            ...Locale,
            description: "The language of the texts; the organization's if omitted.",
          }),
        }),
        answers: { 200: Law },
        detail: {
          summary: "Read what the law of the organization's country says of rent",
          description:
            'Rates, times and limits, each with the day from which it holds and its source. A value without a source has to be checked by a lawyer; none of it is legal advice.',
          operationId: 'getLaw',
        },
      },
    )

export const organizations = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/admin/organization',
    ...section('Administration', "The organization's settings, users, reviews and audit trail; for its ADMIN."),
  })
    .use(http)
    .get('', ({ caller, one }) => one(settingsOf(deps.db, caller.orgId), toOrganization), {
      access: ADMINS,
      answers: { 200: Organization },
      detail: { summary: "Read the organization's settings", operationId: 'getOrganization' },
    })
    .patch(
      '',
      ({ body, mutate }) => {
        if (body.timeZone !== undefined && !isTimeZone(body.timeZone))
          throw invalid('/timeZone', 'There is no such time zone.', 'Ce fuseau horaire n’existe pas.')
        return mutate({
          body,
          run: (ctx) => updateOrganization(ctx, body),
          view: toOrganization,
          current: ({ tx, caller }) => settingsOf(tx, caller.orgId),
        })
      },
      {
        access: { roles: ADMINS, stepUp: true, fresh: ['payTo'] },
        body: OrganizationPatch,
        answers: { 200: Organization },
        detail: { summary: "Change the organization's settings", operationId: 'updateOrganization' },
      },
    )
