import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { normalizePhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { createForms, PAGE, seeOther } from '../../../http/forms.ts'
import { edgeOf } from '../../../http/request.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { setUpPage, setupPage } from '../../../web/doors/setup.ts'
import { SetUp, SetupBody } from './model.ts'
import { hasSamples, removeFiles, removeSamples } from './sample-data.ts'
import { setUp } from './service.ts'

/** Members that the schema refuses. */
const brokenIn = (body: unknown): string[] => [...Value.Errors(SetupBody, body)].map(({ path }) => path.slice(1))

/** The first run: a page, and the same for programs. */
export function setup(deps: Deps, http: Http) {
  const { setup, embedded, config } = deps
  const forms = createForms(config)
  const opened = () => {
    // An external provider's realm makes organizations and accounts.
    if (!setup || !embedded) throw notFound()
    return { setup, embedded }
  }
  return new Elysia()
    .use(http)
    .post(
      '/api/v1/setup',
      async ({ body, request, set }) => {
        const account = await setUp(deps, body, edgeOf(request).requestId)
        set.status = 201
        return account
      },
      {
        access: 'public',
        body: SetupBody,
        problems: ['already_set_up', 'setup_link_invalid', 'weak_password'],
        creates: ['/api/v1/me'],
        answers: { 201: SetUp },
        detail: {
          tags: ['Registration'],
          summary: 'Set up a new server, once',
          operationId: 'setUp',
          description:
            'Creates the organization and its first account, which owns and administers it (OWNER, ADMIN) and is signed in at once. `loyer serve` on an empty folder prints the link with the token, a new one at each start, until it is used. Until then every address except `/setup`, `/healthz` and `/readyz` answers 503 `not_set_up`. Refused with 409 if an external identity provider is used: there is nothing to set up.',
        },
      },
    )
    .get(
      '/setup',
      ({ request }) => {
        const { locale, lang } = forms.languageOf(request)
        const elsewhere = forms.elsewhere(request)
        if (elsewhere) return elsewhere
        return opened().setup.isOpen() ? setupPage({ locale, lang }, { locale }) : setUpPage(locale)
      },
      PAGE,
    )
    .post(
      '/setup',
      async ({ request }) => {
        const { embedded } = opened()
        const { locale, lang } = forms.languageOf(request)
        const { address, requestId } = edgeOf(request)
        const field = await forms.fieldsOf(request)
        const filled = {
          token: (field('token').split('#').at(-1) ?? '').trim(),
          organizationName: field('organizationName').trim(),
          firstName: field('firstName').trim(),
          lastName: field('lastName').trim(),
          phoneNumber: field('phoneNumber'),
          password: field('password'),
          locale: field('locale'),
        }
        const sampleData = field('sampleData') !== ''
        const body = { ...filled, sampleData, phoneNumber: normalizePhone(filled.phoneNumber) ?? '' }
        const broken = brokenIn(body)
        if (!Value.Check(SetupBody, body)) return setupPage({ locale, lang }, filled, broken)
        try {
          const { userId } = await setUp(deps, body, requestId)
          return seeOther('/console', await embedded.beginSession(request, address, userId, ['pwd']))
        } catch (e) {
          if (!(e instanceof AppError)) throw e
          if (e.code === 'already_set_up') return setUpPage(locale, 409)
          if (e.code === 'setup_link_invalid') return setupPage({ locale, lang }, filled, ['token'])
          if (e.code === 'weak_password') return setupPage({ locale, lang }, filled, ['weak'])
          if (e.code === 'validation_failed') return setupPage({ locale, lang }, filled, ['password'])
          throw e
        }
      },
      PAGE,
    )
}

const SampleData = Type.Object(
  { present: Type.Boolean({ description: 'Whether the sample data of the first run still exists.' }) },
  { $id: 'SampleData' },
)

export const sampleData = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/sample-data', tags: ['Organization'] })
    .use(http)
    .get('', ({ caller }) => ({ present: hasSamples(deps, caller.orgId) }), {
      access: ADMINS,
      answers: { 200: SampleData },
      detail: { summary: 'Check whether there is sample data', operationId: 'sampleData' },
    })
    .delete(
      '',
      async ({ perform }) => {
        await removeFiles(deps, await perform({ status: 204, run: removeSamples }))
        return new Response(null, { status: 204 })
      },
      {
        access: ADMINS,
        problems: ['not_found', 'sample_data_in_use'],
        answers: { 204: Type.Null() },
        detail: {
          summary: 'Remove the sample data of the first run',
          operationId: 'removeSampleData',
          description:
            'Deletes the sample building and tenants with everything that belongs to them: units, leases, invoices, payments, messages, papers and photos, including what people added. Refused with 409 `sample_data_in_use` while a lease connects sample data with other data: a tenant of yours in a sample unit, or a sample tenant in a unit of yours. Numbers of deleted invoices and papers are not used again; the audit trail keeps a record.',
        },
      },
    )
