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
  ofQuery('exp', 'When it expires, in seconds since 1970.', { type: 'integer' }),
  ofQuery('kid', 'The key that signed it.', { type: 'integer' }),
  ofQuery('sig', 'The signature; no character of the link may be changed.', { type: 'string' }),
]
/** Which file, and in which form, if a link says more: a client must send exactly the parameters of the link. */
export const OF_FILE = [
  ofQuery(
    'size',
    'If the link has it: the thumbnail of a photo, by its longer side.',
    { $ref: '#/components/schemas/ThumbnailSize' },
    false,
  ),
  ofQuery(
    'of',
    'If the link has it: the kind of file (document, letter, export or audit-archive).',
    { type: 'string' },
    false,
  ),
  ofQuery('disposition', 'If the link has it: a paper is shown.', { type: 'string', enum: ['inline'] }, false),
]
