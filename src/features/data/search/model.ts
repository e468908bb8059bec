import { Type } from '@sinclair/typebox'
import { oneOf, QueryInteger, Uuid } from '../../../http/schema.ts'
import { SEARCH_KINDS } from './rules.ts'

export const SearchQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The search text: beginnings of words of names, places and labels; digits of a phone number; the number of a paper; or a reference. Case and accents do not matter. The first eight words count, without those that are the beginning of another one, and at most three single letters. A text without a letter or a digit finds nothing.',
      }),
    ),
    limit: Type.Optional(
      QueryInteger({ minimum: 1, maximum: 50, description: 'The maximum number of results; 20 if omitted.' }),
    ),
  },
  { additionalProperties: true },
)

export const SearchHit = Type.Object(
  {
    kind: oneOf(SEARCH_KINDS, { description: 'The kind of result.' }),
    id: Uuid,
    title: Type.String({ description: 'A name, a label, a number or a reference.' }),
    subtitle: Type.Optional(Type.String({ description: 'Distinguishes it from others of the same name.' })),
    status: Type.Optional(Type.String({ description: 'Its status, in the words of its kind.' })),
    propertyId: Type.Optional(Type.String({ format: 'uuid', description: 'For a unit or a repair: the property.' })),
    bookingId: Type.Optional(
      Type.String({ format: 'uuid', description: 'For an invoice, a payment or a document: the lease.' }),
    ),
  },
  { $id: 'SearchHit' },
)
