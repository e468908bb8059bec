// A real Keycloak, started from its distribution, and a person at its sign-in page.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { totp } from './factors.ts'
import { atEnd } from './folder.ts'
import type { App, People, SignedIn } from './identity-people.ts'
import { CALLBACK, VERIFIER } from './oidc.ts'
import { freePort } from './server.ts'

/** `home` is the unpacked distribution: its data folder is emptied, and the realm imported at the first start. */
export async function prepareKeycloak(home: string, realm: object) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  rmSync(join(home, 'data'), { recursive: true, force: true })
  mkdirSync(join(home, 'data/import'), { recursive: true })
  writeFileSync(join(home, 'data/import/realm-svc.json'), JSON.stringify(realm))
  let child: ChildProcess | undefined
  let output = ''

  async function stop(): Promise<void> {
    const pid = child?.pid
    if (!child || pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // Its start script leaves the JVM in a process of its own: the group gets the signal.
    process.kill(-pid, 'SIGTERM')
    const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), 20_000)
    await ended
    clearTimeout(late)
    // The group's last one may still hold the port.
    while (await isUp()) await Bun.sleep(100)
  }
  const isUp = () =>
    fetch(`${url}/realms/svc/.well-known/openid-configuration`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.text().then(() => answer.ok),
      () => false,
    )
  async function start(): Promise<void> {
    const line = ['bin/kc.sh', 'start-dev', '--import-realm', `--http-port=${port}`, '--http-host=127.0.0.1']
    const { PATH = '', HOME = '', JAVA_HOME } = process.env
    const started = spawn('sh', line, {
      cwd: home,
      detached: true,
      env: {
        PATH,
        HOME,
        ...(JAVA_HOME ? { JAVA_HOME } : {}),
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
        JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: unknown) => {
        output = (output + String(chunk)).slice(-20_000)
      })
    const began = performance.now()
    while (!(await isUp())) {
      if (started.exitCode !== null) throw new Error(`Keycloak ended with ${started.exitCode}:\n${output}`)
      if (performance.now() - began > 400_000) throw new Error(`Keycloak was not ready in time:\n${output}`)
      await Bun.sleep(500)
    }
  }
  atEnd(() => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  })
  return { url, start, stop, ...peopleAt(url) }
}

type Visit = (url: string) => Promise<Response>
type Post = (url: string, form: Record<string, string>) => Promise<Response>
/** Sets an authenticator app up, or answers with the one that `app` has. */
async function withFactor(first: Response, visit: Visit, post: Post, app: App): Promise<Response> {
  const to = first.headers.get('location')
  const text = await (to === null ? first : await visit(to)).text()
  const action = /<form[^>]* action="([^"]+)"[^>]*>/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const secret = /name="totpSecret"[^>]* value="([^"]+)"/.exec(text)?.[1]
  if (secret === undefined) return post(action, { otp: totp(app.secret ?? '', 1) })
  app.secret = base32(secret)
  return post(action, { totp: totp(app.secret), totpSecret: secret, userLabel: 'Phone' })
}
/** Keycloak keeps the secret as text; apps are given its bytes in base 32. */
const base32 = (text: string): string =>
  (
    [...Buffer.from(text)]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{1,5}/g) ?? []
  )
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('')

/** Authorization code with PKCE through the sign-in page, and the token endpoint, as svc-mobile. */
function peopleAt(base: string): People {
  const endpoint = `${base}/realms/svc/protocol/openid-connect`

  async function tokens(form: Record<string, string>): Promise<SignedIn | undefined> {
    const body = new URLSearchParams({ client_id: 'svc-mobile', ...form }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(`${endpoint}/token`, { method: 'POST', headers, body })
    const told = (await answer.json()) as { access_token: string; refresh_token: string; error?: string }
    if (answer.ok) return { accessToken: told.access_token, refreshToken: told.refresh_token }
    if (told.error === 'invalid_grant') return undefined
    throw new Error(`no tokens: ${answer.status} ${JSON.stringify(told)}`)
  }

  return {
    refresh: (refreshToken) => tokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    async signIn(username, password, secondFactor) {
      const cookies = new Map<string, string>()
      const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          cookies.set(name, value)
        }
        return answer
      }
      const challenge = new Bun.CryptoHasher('sha256').update(VERIFIER).digest('base64url')
      const query = new URLSearchParams({
        client_id: 'svc-mobile',
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid profile email',
        state: 'abc',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(secondFactor && { acr_values: '2' }),
      })
      const page = await (await visit(`${endpoint}/auth?${query}`)).text()
      const action = /<form id="kc-form-login"[^>]* action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
      if (action === undefined) throw new Error(`no sign-in form: ${page.slice(0, 500)}`)
      const post = (to: string, form: Record<string, string>): Promise<Response> =>
        visit(to, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form).toString(),
        })
      let answer = await post(action, { username, password, credentialId: '' })
      if (secondFactor) answer = await withFactor(answer, visit, post, secondFactor)
      const to = answer.headers.get('location') ?? ''
      if (!to.startsWith(CALLBACK)) {
        // Shown again with the reason; anything else, such as a page that asks for more of the profile, is a fault.
        const text = await answer.text()
        if (/id="kc-form-login"/.test(text)) return undefined
        throw new Error(`neither in nor refused: ${answer.status} ${to} ${text.slice(0, 500)}`)
      }
      const code = new URL(to).searchParams.get('code') ?? ''
      return tokens({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER })
    },
  }
}
