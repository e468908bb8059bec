// Two nodes of one service, each started as the way under test starts it.
import assert from 'node:assert/strict'
import { sqld, startCluster } from '../../test/support/cluster.ts'
import { launch } from '../../test/support/server.ts'
import type { Way } from './server.ts'

const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }
const POST = 'POST /api/v1/properties'
/** Whether this machine has, or can fetch, a libSQL server. */
export const hasPrimary = sqld !== undefined

/** What one saves the other shows and goes on from; the one that ended catches up at its next start. */
export async function twoNodes({ command, env }: Way): Promise<void> {
  // The program that tests start comes first in the line: this one takes its place.
  const shell = `shift 2; exec ${command.map((word) => `'${word}'`).join(' ')} "$@"`
  const cluster = await startCluster()
  const args = ['--phone', '+237670000001', '--role', 'OWNER', '--first-name', 'Awa', '--last-name', 'Ngo']
  const account = launch({
    data: cluster.dataOf('a'),
    command: 'user create',
    args,
    shell,
    env: { ...env, ...cluster.env },
  })
  assert.equal((await account.end()).code, 0, account.output())
  const [a, b] = [await cluster.node('a', { shell, env }), await cluster.node('b', { shell, env })]
  const token = await a.token('OWNER')
  const one = await a.call(token, POST, VILLA)
  assert.equal((await b.call(token, `GET /api/v1/properties/${one.body.id}`)).status, 200)
  assert.equal((await a.end('SIGTERM')).code, 0, a.output())
  const two = await b.call(token, POST, VILLA)
  assert.equal(two.status, 201)
  const restarted = await cluster.node('a', { shell, env })
  assert.equal((await restarted.call(token, `GET /api/v1/properties/${two.body.id}`)).status, 200)
  for (const node of [restarted, b]) assert.equal((await node.end('SIGTERM')).code, 0, node.output())
}
