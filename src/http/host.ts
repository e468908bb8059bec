import { Elysia } from 'elysia'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

/** Names of this machine for itself, with any port. */
export const LOOPBACK_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i

/** Refuses what was sent to another host than PUBLIC_URL or this machine itself: 421. */
export function host({ config }: { config: Pick<Config, 'publicUrl'> }) {
  const publicHost = new URL(config.publicUrl).host.toLowerCase()
  const publicHosts = [publicHost, `${publicHost}:${config.publicUrl.startsWith('https:') ? 443 : 80}`]
  // Host headers that passed the check; only valid ones are kept, so there are few.
  const ours = new Set<string>()
  // The header itself counts too: from two, or from an invalid one, the server may have built any address.
  return new Elysia({ name: 'host' }).onRequest(({ request: { url, headers } }) => {
    const hostHeader = headers.get('host')
    if (hostHeader !== null && ours.has(hostHeader)) return
    const address = URL.parse(url)
    const host = (hostHeader ?? address?.host ?? '').toLowerCase()
    if (!address || !(publicHosts.includes(host) || LOOPBACK_HOST.test(host))) throw new AppError('misdirected_request')
    if (hostHeader !== null && ours.size < 100) ours.add(hostHeader)
  })
}
