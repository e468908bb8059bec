// A sign-in by password at the provider that Loyer brings, as a browser goes through it, beside the password's hash alone.
import { spawnSync } from 'node:child_process'
import { hashPassword, verifyPassword } from '../../src/adapters/identity/password.ts'
import { CALLBACK, PASSWORD, PHONE, type Realm, signInForTokens } from '../../test/support/oidc.ts'
import { freePort } from '../smoke/server.ts'
import { interleaved } from './load.ts'
import { BINARY, rested, start } from './servers.ts'

/** The whole sign-in of one account, on an empty folder, against its hash. */
export async function signedIn(data: string, rounds: number) {
  const port = String(await freePort())
  const base = `http://127.0.0.1:${port}`
  const env = { LOYER_DATA: data, PORT: port, PUBLIC_URL: base, OIDC_REDIRECT_URIS: CALLBACK, RATE_LIMITS: 'off' }
  const who = ['--phone', PHONE, '--role', 'OWNER', '--first-name', 'Ama', '--last-name', 'Ngo', '--password', PASSWORD]
  const made = spawnSync(BINARY, ['user', 'create', ...who], { env: { ...process.env, ...env }, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`no account: ${made.stderr}`)
  const { pid, stop } = await start([BINARY], { args: ['serve'], env })
  await rested(pid)
  const realm: Realm = {
    issuer: `${base}/realms/svc`,
    fetch: (request) => fetch(new Request(request, { redirect: 'manual' })),
  }
  const phc = await hashPassword(PASSWORD)
  const compared = await interleaved(
    () => signInForTokens(realm),
    () => verifyPassword(phc, PASSWORD),
    { each: 10, rounds, pid },
  )
  await stop()
  return compared
}
