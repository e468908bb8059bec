import { Type } from '@sinclair/typebox'
import { oneOf, QueryInteger, Uuid } from '../../../http/schema.ts'
import { SEARCH_KINDS } from './rules.ts'

export const SearchQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'What is looked for: beginnings of words of names, places and labels, digits of a phone number, the number of a paper, or a reference. Case and accents do not matter. The first eight words count, without those that another one begins with, and three single letters at most. Without a letter or a digit nothing is found.',
      }),
    ),
    limit: Type.Optional(
      QueryInteger({ minimum: 1, maximum: 50, description: 'How many at most; 20 when not given.' }),
    ),
  },
  { additionalProperties: true },
)

export const SearchHit = Type.Object(
  {
    kind: oneOf(SEARCH_KINDS, { description: 'What was found.' }),
    id: Uuid,
    title: Type.String({ description: 'A name, a label, a number or a reference.' }),
    subtitle: Type.Optional(Type.String({ description: 'What tells it from others of the same name.' })),
    status: Type.Optional(Type.String({ description: 'Where it stands, in the words of its kind.' })),
    propertyId: Type.Optional(Type.String({ format: 'uuid', description: 'Of a unit or a repair: the property.' })),
    bookingId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Of an invoice, a payment or a document: the lease.' }),
    ),
  },
  { $id: 'SearchHit' },
)
