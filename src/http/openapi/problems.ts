import { ERRORS, type ErrorCode } from '../../error-codes.ts'
import { AppError, invalid, refused } from '../../errors.ts'
import { exampleId } from '../members.ts'
import { type ProblemStatus, problem, STATUSES } from '../problems.ts'
import { headersOf } from './headers.ts'
import { type Json, pascal } from './schemas.ts'

const EXAMPLES: { readonly [code in ErrorCode]?: AppError } = {
  validation_failed: invalid('/city', 'This member is required.', 'Ce champ est obligatoire.'),
  invalid_state: refused('ARCHIVED', ['restore']),
}
/** An example problem, made by the same function as real answers. */
const exampleOf = (code: ErrorCode, path: string): Promise<unknown> => {
  const request = new Request(`http://localhost${path.replace(/\{\w+\}/g, exampleId(16))}`)
  return problem(EXAMPLES[code] ?? new AppError(code), request, exampleId(99)).json()
}

/** The response for some codes of one status: an example of each, and its headers. */
async function responseOf(status: ProblemStatus, codes: readonly ErrorCode[], path: string): Promise<Json> {
  const examples: Json = {}
  for (const code of codes) examples[code] = { value: await exampleOf(code, path) }
  const said = `Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`
  return {
    description: [STATUSES[status].means, said].filter(Boolean).join(' '),
    'x-codes': codes,
    headers: headersOf(
      'X-Request-Id',
      'Content-Language',
      (codes.includes('unauthorized') || codes.includes('reauthentication_required')) && 'WWW-Authenticate',
      (status === 429 || status === 503) && 'Retry-After',
    ),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  }
}

/** Problems of operations: references to shared responses named after their codes (InvalidStateOrDuplicateProblem). */
export function createProblems() {
  const shared: Record<string, Json> = {}
  async function of(codes: readonly ErrorCode[], path: string): Promise<Json> {
    const references: Json = {}
    for (const [status, some] of Map.groupBy(codes, (code) => ERRORS[code].status)) {
      const name = `${some.map(pascal).join('Or')}Problem`
      shared[name] ??= await responseOf(status, some, path)
      references[status] = { $ref: `#/components/responses/${name}` }
    }
    return references
  }
  return { of, shared }
}
