import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { languageChosen, languageOf } from '../../../http/language.ts'
import type { Http } from '../../../http/routes.ts'
import { page } from '../../../http/schema.ts'
import { vacancyPage } from '../../../web/vacancy.ts'
import { vacancyOf } from './service.ts'

/** The page of a home to let, for whoever got its link. */
export const vacancies = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Properties'] }).use(http).get(
    '/p/:property',
    ({ params, request }) => {
      const home = vacancyOf(deps, params.property)
      if (!home) throw notFound()
      deps.store.checkRead(home.orgId)
      const locale = languageChosen(request) ?? languageOf(request, deps.config.locale)
      return vacancyPage({ locale, home, publicUrl: deps.config.publicUrl })
    },
    {
      params: Type.Object({ property: Type.String({ description: 'The id of the property.' }) }),
      access: 'public',
      detail: {
        summary: 'Show a published property and its vacant units',
        operationId: 'vacancyPage',
        description:
          'A page to share with people without an account, with a preview for messengers. It shows the neighbourhood and the town, but neither the address nor the owner. Answers 404 if the property is not published or no longer exists.',
        'x-parameters': [
          {
            name: 'lang',
            in: 'query',
            required: false,
            description: 'The language of the page; if omitted, that of the cookie or of Accept-Language.',
            schema: { $ref: '#/components/schemas/Language' },
          },
        ],
        responses: {
          200: page('The property, its photos and what is vacant.'),
          404: page('A page that says that there is nothing here.'),
        },
      } as object,
    },
  )
