const ofQuery = (name: string, description: string, schema: object, required = true) => ({
  name,
  in: 'query',
  required,
  description,
  schema,
})
/** The query of a signed link, which clients send unchanged. */
export const SIGNED = [
  ofQuery('v', 'The version of the link: 1.', { type: 'integer', enum: [1] }),
  ofQuery('exp', 'Until when it holds, in seconds since 1970.', { type: 'integer' }),
  ofQuery('kid', 'Which key signed it.', { type: 'integer' }),
  ofQuery('sig', 'The signature; not a letter of the link may be changed.', { type: 'string' }),
]
/** Which file, and in which form, if a link says more: a client must send exactly the parameters of the link. */
export const OF_FILE = [
  ofQuery(
    'size',
    'Where the link has it: the thumbnail of a photo, by its longer side.',
    { $ref: '#/components/schemas/ThumbnailSize' },
    false,
  ),
  ofQuery(
    'of',
    'Where the link has it: what the file is (document, letter, export or audit-archive).',
    { type: 'string' },
    false,
  ),
  ofQuery('disposition', 'Where the link has it: a paper is shown.', { type: 'string', enum: ['inline'] }, false),
]
