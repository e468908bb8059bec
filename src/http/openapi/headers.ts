import type { Json } from './schemas.ts'

const header = (description: string, more: Json = {}) => ({ description, schema: { type: 'string', ...more } })

/** The headers of answers, by name. */
export const HEADERS = {
  ETag: header('The version of the resource or list.'),
  Location: header('The path of the created resource.', { format: 'uri-reference' }),
  Link: header('`<…>; rel="next"`: the next page, when there is one.'),
  'X-Total-Count': header(
    'The number of entries on all pages, with `count=true`. A plus says that there are at least so many: `10000+` stands for more than 10,000.',
    { pattern: '^\\d+\\+?$' },
  ),
  'X-Request-Id': header('The id of this request.', { pattern: '^[A-Za-z0-9._-]{8,128}$' }),
  'Idempotency-Replayed': header('The answer repeats the first answer to this Idempotency-Key.', { enum: ['true'] }),
  'Content-Disposition': header('`inline` for photos, `attachment` for papers, with the file name.'),
  'Accept-Ranges': header('`bytes`: parts of the file can be requested.', { enum: ['bytes'] }),
  'Content-Range': header('The range of bytes and the total: `bytes 0-1023/845213`.'),
  'Retry-After': header('The number of seconds to wait.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header(
    '`Bearer realm="svc"`, with `error="invalid_token"` where a token was sent; with `error="insufficient_user_authentication"`, `acr_values` and `max_age` where a second factor is needed, `max_age` alone where a more recent sign-in is (RFC 9470).',
  ),
  'Content-Language': header('The language of `detail`.', { enum: ['en', 'fr'] }),
}
/** References to these headers; false stands for none. */
export const headersOf = (...names: readonly (keyof typeof HEADERS | false)[]): Json =>
  Object.fromEntries(names.flatMap((name) => (name ? [[name, { $ref: `#/components/headers/${name}` }]] : [])))

const REQUEST = {
  'Idempotency-Key': header(
    'A POST that takes an `Idempotency-Key` (1 to 255 visible ASCII characters) can be sent again safely: for 24 hours the same key with the same body returns the first answer (`Idempotency-Replayed: true`) and has no second effect. With another body it is refused: 422 `idempotency_mismatch`. A key belongs to one caller, method and path.',
    { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  ),
  'If-Match': header(
    'The ETag that you have read; 412 if the resource has changed since. Several, or `*`, are accepted; weak ETags never match.',
  ),
  Range: header('One range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500`.', {
    pattern: '^bytes=(\\d+-\\d*|-\\d+)$',
  }),
  'If-Range': header('The ETag of the part you have; if the file has another, the whole file is returned.'),
  'If-None-Match': header('The ETag that you have; 304 if it is unchanged. Several, or `*`, are accepted.'),
}
/** The headers of requests, as parameters that operations refer to. */
export const REQUEST_HEADERS: Json = Object.fromEntries(
  Object.entries(REQUEST).map(([name, header]) => [name, { name, in: 'header', required: false, ...header }]),
)
export const requestHeadersOf = (...names: readonly (keyof typeof REQUEST | false)[]): Json[] =>
  names.flatMap((name) => (name ? [{ $ref: `#/components/parameters/${name}` }] : []))
