import { type Static, Type } from '@sinclair/typebox'
import { Body, DateTime, Locale, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { LEASE_KINDS, PLACEHOLDERS } from './rules.ts'

const members = {
  title_fr: Text({ max: 120 }),
  body_fr: Text({ max: 4000, lines: true }),
  title_en: Text({ max: 120 }),
  body_en: Text({ max: 4000, lines: true }),
}
const Clause = Type.Object(members, {
  $id: 'LeaseClause',
  additionalProperties: false,
  description: '`{{placeholder}}`, `**bold**`, and lists: lines that begin with "- ".',
})
const Clauses = Type.Array(Clause, { minItems: 1, maxItems: 60 })

export const LeaseTemplate = Type.Object(
  {
    kind: oneOf(LEASE_KINDS),
    version: Type.Integer({ description: '0: the built-in clauses.' }),
    clauses: Type.Array(Clause),
    placeholders: Type.Array(oneOf(PLACEHOLDERS), {
      description:
        'The placeholders that clauses may use. A term that was not agreed prints "non convenu" or "not agreed"; an unknown fact prints "non renseigné" or "not given". Text in brackets that only holds such a fact is left out.',
    }),
    createdAt: Type.Optional(DateTime),
  },
  { $id: 'LeaseTemplate' },
)
export type LeaseTemplate = Static<typeof LeaseTemplate>

const example = {
  title_fr: 'Loyer',
  body_fr: 'Le loyer mensuel est de **{{rent}}** ({{rentInWords}}).',
  title_en: 'Rent',
  body_en: 'The monthly rent is **{{rent}}** ({{rentInWords}}).',
}
export const LeaseTemplatePut = Body(
  { clauses: Clauses },
  { $id: 'LeaseTemplatePut', examples: [{ clauses: [example] }] },
)
export type LeaseTemplatePut = Static<typeof LeaseTemplatePut>
export const LeasePreview = Body(
  { clauses: Maybe(Clauses), locale: Maybe(Locale) },
  { $id: 'LeaseTemplatePreview', examples: [{ clauses: [example], locale: 'fr' }] },
)
export type LeasePreview = Static<typeof LeasePreview>
