// A browser for pages with forms: it keeps cookies, follows nothing by itself, and runs no scripts.
import type { PeopleApp } from './people.ts'

export const HOST = 'http://localhost:3000'

/** A browser that follows nothing by itself, and keeps its cookies. */
export function createVisitor(app: Pick<PeopleApp, 'send'>, from: string, language = 'fr-CM') {
  const jar = new Map<string, string>()
  async function send(method: string, path: string, body?: URLSearchParams, more: Record<string, string> = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      accept: 'text/html',
      'accept-language': language,
      ...(cookie === '' ? {} : { cookie }),
      ...(body ? { 'content-type': 'application/x-www-form-urlencoded', origin: HOST } : {}),
      ...more,
    }
    const answer = await app.send(new Request(HOST + path, { method, headers, ...(body ? { body } : {}) }), from)
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return {
      status: answer.status,
      to: answer.headers.get('location'),
      text: await answer.text(),
      headers: answer.headers,
    }
  }
  return {
    jar,
    get: (path: string) => send('GET', path),
    post: (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
      send('POST', path, new URLSearchParams(fields), more),
  }
}
export type Visitor = ReturnType<typeof createVisitor>
