import { Trouble } from '../shared/api.ts'
import { words } from './form-words.ts'

/** An error found before anything is sent, shown at a field like those of the server. */
export const refusal = (path: string, message: string): Trouble =>
  new Trouble({
    type: 'about:blank',
    title: words.t.correct,
    status: 422,
    detail: words.t.correct,
    instance: '',
    code: 'validation_failed',
    requestId: '',
    errors: [{ path, message }],
  })

/** Shows the error of a wrong code at its field, even if the server names no field. */
export async function beside<T>(path: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const problem = error instanceof Trouble ? error.problem : undefined
    if (problem?.code !== 'wrong_code' || problem.errors) throw error
    throw new Trouble({ ...problem, detail: words.t.correct, errors: [{ path, message: problem.detail }] })
  }
}
