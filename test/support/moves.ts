// Two services on one machine, and the commands that move an organization between them.
import { join } from 'node:path'
import { launch, type Options, type Server, startServer } from './server.ts'

export type Said = { readonly code: number | null; readonly out: string }
export async function say(
  data: string,
  command: NonNullable<Options['command']>,
  args: readonly string[],
  more: Partial<Options> = {},
): Promise<Said> {
  const running = launch({ data, command, args, ...more })
  const { code } = await running.end()
  return { code, out: running.output() }
}

const PASSWORD = 'un mot de passe à soi'
/** A data folder with one organization and its owner. @returns the organization's id */
export async function settle(data: string, phone: string): Promise<string> {
  const names = ['--first-name', 'Awa', '--last-name', 'Ngo', '--password', PASSWORD]
  const { code, out } = await say(data, 'user create', ['--phone', phone, '--role', 'OWNER,ADMIN', ...names])
  const org = /^organization (\S+)$/m.exec(out)?.[1]
  if (code !== 0 || org === undefined) throw new Error(out)
  return org
}

/** The answer to a sign-in with a number and `PASSWORD`: its token, empty where it is refused or led elsewhere. */
export async function signIn(server: Server, phone: string): Promise<{ status: number; token: string }> {
  const answer = await fetch(`${server.base}/api/v1/sandbox/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: phone, password: PASSWORD }),
    redirect: 'manual',
  })
  const body = (await answer.json()) as { access_token?: string }
  return { status: answer.status, token: body.access_token ?? '' }
}

export const home = (name: string) => ({ name, addressLine: 'Rue 1', city: 'Douala' })
/** The names of all properties that a token sees, sorted. */
export async function homesOf(server: Server, token: string): Promise<string[]> {
  const names: string[] = []
  for (let path: string | undefined = '/api/v1/properties?limit=200'; path !== undefined; ) {
    const answer: Response = await fetch(server.base + path, { headers: { authorization: `Bearer ${token}` } })
    if (answer.status !== 200) throw new Error(`the list was answered ${answer.status}`)
    names.push(...((await answer.json()) as { name: string }[]).map(({ name }) => name))
    path = /^<http:\/\/[^/]+(\/[^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return names.sort()
}

/** What the state of a folder's organizations is, by `loyer doctor`. */
export const told = async (data: string): Promise<string> =>
  (await say(data, 'doctor', [], { env: { LC_ALL: 'C' } })).out

/** A service on a folder below `root`, with an organization of its own. */
export async function house(root: string, name: string, phone: string) {
  const data = join(root, name)
  const org = await settle(data, phone)
  return { data, org, phone, server: await startServer({ data, command: 'serve' }) }
}
