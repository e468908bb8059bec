// A Keycloak of one realm in memory: just the endpoints that the adapter uses, answering as the real one was seen to.
import { createServer, type ServerResponse } from 'node:http'
import { createIssuer, createKey } from './tokens.ts'

type User = {
  id: string
  username: string
  enabled: boolean
  firstName?: string
  lastName?: string
  email?: string
  attributes: Record<string, string[]>
  password: string
  roles: Set<string>
  failures: number
}
type Session = { id: string; userId: string; refresh: string; at: number }

/** `lost`: done, but the answer never comes. `expired`: the token counts no longer. */
export type Fault = 'down' | 'slow' | '500' | '403' | 'html' | 'lost' | 'expired'
export type StandIn = Awaited<ReturnType<typeof startStandIn>>

const key = createKey('stand-in', 'ES256')

const ROLES = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN', 'offline_access']
const DECLARED = ['org_id', 'phoneNumber', 'phoneVerified', 'unfinished', 'locale']
const roleOf = (name: string) => ({ id: `role-${name}`, name, composite: false, clientRole: false })

export async function startStandIn(secret: string) {
  const users = new Map<string, User>()
  const sessions = new Map<string, Session>()
  const tokens = new Set<string>()
  /** Requests so far, as `METHOD /path`; and what the next ones meet. */
  const state = {
    seen: [] as string[],
    expiresIn: 300,
    editUsername: true,
    fault: (_line: string, _index: number): Fault | undefined => undefined,
  }
  const byName = (username: string) => [...users.values()].find((user) => user.username === username)
  const endOf = (userId: string) => {
    for (const [id, session] of sessions) if (session.userId === userId) sessions.delete(id)
  }
  const shown = ({ password: _, roles: __, failures: ___, ...user }: User) => user
  const declared = (attributes: Record<string, string[]> = {}) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => DECLARED.includes(name)))

  type Answer = { status: number; body?: unknown; location?: string }
  const none = (error: string): Answer => ({ status: 404, body: { error } })
  const weak: Answer = { status: 400, body: { error: 'invalidPasswordMinLengthMessage' } }

  function answer(method: string, url: URL, body: never): Answer {
    const path = url.pathname.replace('/admin/realms/svc', '')
    const [, collection, id = '', ...rest] = path.split('/')
    const action = rest.join('/')
    if (collection === 'sessions') return { status: sessions.delete(id) ? 204 : 404 }
    if (collection === 'attack-detection') {
      const user = users.get(rest[1] ?? '')
      if (user) user.failures = 0
      return { status: 204 }
    }
    if (id === '' && method === 'POST') return create(body)
    if (id === '') {
      const username = url.searchParams.get('username') ?? ''
      const user = username === '' ? [...users.values()][0] : byName(username)
      return { status: 200, body: user ? [shown(user)] : [] }
    }
    const user = users.get(id)
    if (!user) return none('User not found')
    switch (`${method} ${action}`) {
      case 'GET ':
        return { status: 200, body: shown(user) }
      case 'PUT ':
        return replace(user, body)
      case 'DELETE ':
        endOf(id)
        users.delete(id)
        return { status: 204 }
      case 'PUT reset-password': {
        const { value } = body as { value: string }
        if (value.length < 8) return weak
        user.password = value
        return { status: 204 }
      }
      case 'POST logout':
        endOf(id)
        return { status: 204 }
      case 'GET sessions':
        return { status: 200, body: [...sessions.values()].filter((s) => s.userId === id).map((s) => ({ id: s.id })) }
      case 'GET role-mappings/realm':
      case 'GET role-mappings/realm/composite':
        return { status: 200, body: [...user.roles].map(roleOf) }
      case 'GET role-mappings/realm/available':
        return { status: 200, body: ROLES.filter((role) => !user.roles.has(role)).map(roleOf) }
      case 'POST role-mappings/realm':
        for (const { name } of body as { name: string }[]) user.roles.add(name)
        return { status: 204 }
      case 'DELETE role-mappings/realm':
        for (const { name } of body as { name: string }[]) user.roles.delete(name)
        return { status: 204 }
      default:
        return { status: 405 }
    }
  }
  type Sent = Partial<User> & { username: string; credentials?: { value: string }[] }
  function create(sent: Sent): Answer {
    if (byName(sent.username)) return { status: 409, body: { errorMessage: 'User exists with same username' } }
    const password = sent.credentials?.[0]?.value ?? ''
    if (password.length < 8) return weak
    const id = crypto.randomUUID()
    const { credentials: _, ...person } = sent
    users.set(id, {
      enabled: false,
      ...person,
      id,
      attributes: declared(sent.attributes),
      password,
      roles: new Set(['offline_access']),
      failures: 0,
    })
    return { status: 201, location: `http://keycloak/admin/realms/svc/users/${id}` }
  }
  function replace(user: User, sent: Sent): Answer {
    const other = byName(sent.username)
    if (other && other !== user) return { status: 409, body: { errorMessage: 'User exists with same username' } }
    const { id, password, roles, failures } = user
    const username = state.editUsername ? sent.username : user.username
    users.set(id, {
      enabled: user.enabled,
      ...sent,
      id,
      username,
      attributes: declared(sent.attributes),
      password,
      roles,
      failures,
    })
    return { status: 204 }
  }
  function grant(form: URLSearchParams): Answer {
    if (form.get('client_secret') !== secret || form.get('client_id') !== 'svc-admin')
      return { status: 401, body: { error: 'unauthorized_client' } }
    const access_token = crypto.randomUUID()
    tokens.add(access_token)
    return { status: 200, body: { access_token, expires_in: state.expiresIn } }
  }

  function send(response: ServerResponse, { status, body, location }: Answer): void {
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(location === undefined ? {} : { location }),
    })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const url = new URL(request.url ?? '/', 'http://keycloak')
    const line = `${request.method} ${url.pathname}`
    const fault = state.fault(line, state.seen.push(line) - 1)
    if (fault === 'down') return void response.socket?.destroy()
    if (fault === 'slow') return
    if (fault === '500' || fault === '403') return send(response, { status: Number(fault), body: { error: 'unknown' } })
    if (fault === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Portal</h1>')
    if (fault === 'expired') tokens.clear()
    if (url.pathname.endsWith('/certs')) return send(response, { status: 200, body: { keys: [key.jwk] } })
    if (url.pathname.endsWith('/token')) return send(response, grant(new URLSearchParams(text)))
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      return send(response, { status: 401, body: { error: 'HTTP 401 Unauthorized' } })
    const told = answer(request.method ?? '', url, (text === '' ? undefined : JSON.parse(text)) as never)
    if (fault === 'lost') return void response.socket?.destroy()
    send(response, told)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  const url = `http://127.0.0.1:${port}`
  const { mint } = createIssuer(`${url}/realms/svc`, Date.now, key)
  const signedIn = (user: User, session: Session) => {
    const { phoneNumber, phoneVerified, org_id } = user.attributes
    const claims = {
      sub: user.id,
      sid: session.id,
      auth_time: session.at,
      preferred_username: user.username,
      phone_number: phoneNumber?.[0],
      phone_number_verified: phoneVerified?.[0] === 'true',
      org_id: org_id?.[0],
      realm_access: { roles: [...user.roles] },
      given_name: user.firstName,
      family_name: user.lastName || undefined,
      email: user.email,
    }
    return { accessToken: mint({ claims }), refreshToken: session.refresh }
  }
  return {
    state,
    users,
    url,
    /** As on the sign-in page; five failures make the account wait. */
    async signIn(username: string, password: string) {
      const user = byName(username)
      if (!user?.enabled || user.failures >= 5) return undefined
      if (user.password !== password) {
        user.failures += 1
        return undefined
      }
      const at = Math.floor(Date.now() / 1000)
      const session = { id: crypto.randomUUID(), userId: user.id, refresh: crypto.randomUUID(), at }
      sessions.set(session.id, session)
      return signedIn(user, session)
    },
    async refresh(token: string) {
      const session = [...sessions.values()].find(({ refresh }) => refresh === token)
      const user = session && users.get(session.userId)
      return session && user?.enabled ? signedIn(user, session) : undefined
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
