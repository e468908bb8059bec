import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { maxDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { languageOf } from '../../../http/language.ts'
import { type Http, section } from '../../../http/routes.ts'
import { DateOnly, Locale, oneOf } from '../../../http/schema.ts'
import { LEGAL_DOCUMENTS } from './texts.ts'

const Versions = Type.Object(
  {
    termsVersion: Type.String({ description: 'The version of the terms in force.', examples: ['2026-01-15'] }),
    privacyVersion: Type.String({
      description: 'The version of the privacy statement in force.',
      examples: ['2026-01-15'],
    }),
    effectiveOn: {
      ...DateOnly,
      description: 'The day on which the newer of the two came into force.',
      examples: ['2026-01-15'],
    },
  },
  { $id: 'LegalVersions' },
)
const LegalText = Type.Object(
  {
    document: oneOf(LEGAL_DOCUMENTS, { description: 'The terms or the privacy statement.' }),
    version: Type.String({ description: 'The version.', examples: ['2026-01-15'] }),
    locale: { ...Locale, description: 'The language of the text.', examples: ['fr'] },
    text: Type.String({
      description: 'Markdown.',
      examples: ['# Conditions générales\n\nLoyer tient les comptes de vos locations.'],
    }),
  },
  { $id: 'LegalText' },
)

export const legal = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/legal', ...section('Legal', 'The terms and privacy statements in force.') })
    .use(http)
    .get(
      '/versions',
      ({ set }) => {
        set.headers['cache-control'] = 'public, max-age=300'
        const [termsVersion, privacyVersion] = [
          deps.legal.current('terms').version,
          deps.legal.current('privacy').version,
        ]
        const newest = maxDate(termsVersion, privacyVersion)
        return { termsVersion, privacyVersion, effectiveOn: newest.slice(0, 10) }
      },
      {
        access: 'public',
        answers: { 200: Versions },
        detail: { summary: 'Get the versions that a registration must accept', operationId: 'legalVersions' },
      },
    )
    .get(
      '/:document/:version',
      ({ params, query, request, set }) => {
        const document = LEGAL_DOCUMENTS.find((d) => d === params.document)
        const edition = document && deps.legal.find(document, params.version)
        if (!edition) throw notFound()
        const locale = query.locale ?? languageOf(request, deps.config.locale)
        set.headers['cache-control'] = 'public, max-age=300'
        set.headers.vary = 'Accept-Language'
        return { document, version: edition.version, locale, text: edition.text[locale] }
      },
      {
        access: 'public',
        params: Type.Object({
          document: Type.String({ description: '`terms` or `privacy`.' }),
          version: Type.String({ description: 'A version, as `GET /legal/versions` has it.' }),
        }),
        query: Type.Object({
          locale: Type.Optional({
            ...Locale,
            description: 'The language of the text; that of Accept-Language if omitted.',
          }),
        }),
        problems: ['not_found'],
        answers: { 200: LegalText },
        detail: { summary: 'Read a version of the terms or the privacy statement', operationId: 'legalText' },
      },
    )
