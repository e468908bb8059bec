import { expect, test } from 'bun:test'
import { bearerToken } from '../../src/http/auth.ts'

const T = 'eyJh.eyJz.c2ln'
const cases: readonly [string, string | undefined, string, string][] = [
  ['a token', `Bearer ${T}`, '', T],
  ['scheme in lower case', `bearer ${T}`, '', T],
  ['scheme in upper case', `BEARER ${T}`, '', T],
  ['padding at the end', `Bearer ${T}==`, '', `${T}==`],
  ['all characters of token68', 'Bearer aZ0-._~+/=', '', 'aZ0-._~+/='],
  ['a query beside it', `Bearer ${T}`, '?limit=5&q=access_token', T],
  ['no header', undefined, '', 'none'],
  ['empty header', '', '', 'none'],
  ['scheme alone', 'Bearer', '', 'none'],
  ['scheme and blanks', 'Bearer   ', '', 'none'],
  ['Basic', 'Basic YTpi', '', 'none'],
  ['BearerX', `BearerX ${T}`, '', 'none'],
  ['no blank', `Bearer${T}`, '', 'none'],
  ['Token', `Token ${T}`, '', 'none'],
  ['two blanks', `Bearer  ${T}`, '', 'malformed'],
  ['a tab', `Bearer\t${T}`, '', 'malformed'],
  ['a comma', `Bearer ${T},x`, '', 'malformed'],
  ['two tokens', `Bearer ${T} ${T}`, '', 'malformed'],
  ['padding inside', 'Bearer a=b', '', 'malformed'],
  ['padding only', 'Bearer ==', '', 'malformed'],
  ['quotes', `Bearer "${T}"`, '', 'malformed'],
  ['a letter beyond ASCII', `Bearer ${T}\u00e9`, '', 'malformed'],
  ['in the query', undefined, `?access_token=${T}`, 'malformed'],
  ['in the query, beside a good header', `Bearer ${T}`, `?access_token=${T}`, 'malformed'],
  ['in the query, empty', `Bearer ${T}`, '?limit=1&access_token', 'malformed'],
  ['in the query, escaped', `Bearer ${T}`, '?%61ccess%5Ftoken=x', 'malformed'],
]
for (const [name, authorization, query, expected] of cases)
  test(`${name} → ${expected === T ? 'token' : expected}`, () => {
    const headers: [string, string][] = authorization === undefined ? [] : [['authorization', authorization]]
    const found = bearerToken(new Request(`http://localhost/api/v1/properties${query}`, { headers }))
    expect(found.kind === 'token' ? found.token : found.kind).toBe(expected)
  })

test('two headers are no token: neither may win', () => {
  const headers = new Headers()
  headers.append('authorization', `Bearer ${T}`)
  headers.append('authorization', 'Bearer other')
  expect(bearerToken(new Request('http://localhost/', { headers })).kind).toBe('malformed')
})

test('a long run of padding costs no time', () => {
  const headers = { authorization: `Bearer ${'a='.repeat(4_000)}${'='.repeat(8_000)}!` }
  const begun = performance.now()
  expect(bearerToken(new Request('http://localhost/', { headers })).kind).toBe('malformed')
  expect(performance.now() - begun).toBeLessThan(50)
})
