import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isLoopbackHost, isPublicAddress, type Reach } from '../../core/addresses.ts'
import type { Outbound, OutboundFailure } from './port.ts'

type Options = {
  readonly reach: Reach
  /** Timeout until the response's head has arrived, ms. */
  readonly timeoutMs?: number
  readonly lookup?: typeof systemLookup
}

/** DNS timeout for a user who registers an address. */
const LOOKUP_MS = 3000

/** Cancels a request for a reason of our own. */
class Refused extends Error {
  readonly failure: OutboundFailure
  constructor(failure: OutboundFailure) {
    super(failure)
    this.failure = failure
  }
}

function failureOf(e: unknown): OutboundFailure {
  if (e instanceof Refused) return e.failure
  const code = String((e as { code?: unknown }).code ?? '')
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|DNS_)/.test(code)) return 'DNS'
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code) ? 'TLS' : 'CONNECTION'
}

/**
 * Uses node:http, whose `lookup` supplies the very address that is connected to: resolving a name once for the check
 * and again for the request would allow DNS rebinding.
 */
export function createOutbound({ reach, timeoutMs = 5000, lookup = systemLookup }: Options): Outbound {
  /** Another name that leads to this machine stays closed: its owner is not who sits here. */
  const isOpen = (host: string, address: string): boolean =>
    reach === 'ANY' ||
    isPublicAddress(address) ||
    (reach === 'LOOPBACK' && isLoopbackHost(host) && isLoopbackAddress(address))
  const guarded: LookupFunction = (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, resolved) => {
      const addresses = (resolved ?? []) as LookupAddress[]
      const [first] = addresses
      if (error || !first) return done(error ?? new Refused('DNS'), '')
      if (!addresses.every(({ address }) => isOpen(hostname, address))) return done(new Refused('PRIVATE_ADDRESS'), '')
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })

  return {
    leadsInside: (url) => {
      const { hostname } = new URL(url)
      const host = hostname.replace(/^\[|\]$/g, '')
      if (reach === 'ANY') return Promise.resolve(false)
      if (isIP(host) !== 0) return Promise.resolve(!isOpen(hostname, host))
      return new Promise((resolve) => {
        // A name that does not resolve yet is accepted: each call resolves and checks it again.
        const timer = setTimeout(() => resolve(false), LOOKUP_MS)
        lookup(host, { all: true }, (_error, resolved) => {
          clearTimeout(timer)
          resolve((resolved ?? []).some(({ address }) => !isOpen(host, address)))
        })
      })
    },
    post: async (url, headers, body) => {
      const target = new URL(url)
      // Loaded on first use: most installations call no webhooks.
      const client = target.protocol === 'https:' ? await import('node:https') : await import('node:http')
      return new Promise((resolve) => {
        const host = target.hostname.replace(/^\[|\]$/g, '')
        if (isIP(host) !== 0 && !isOpen(target.hostname, host)) return resolve({ failure: 'PRIVATE_ADDRESS' })
        const request = client.request(
          target,
          // A kept-alive connection would skip the lookup.
          { method: 'POST', headers, lookup: guarded, agent: false },
          (response) => {
            clearTimeout(timer)
            resolve({ status: response.statusCode ?? 0 })
            response.on('error', () => {})
            response.destroy()
          },
        )
        const timer = setTimeout(() => request.destroy(new Refused('TIMEOUT')), timeoutMs)
        request.on('error', (e) => {
          clearTimeout(timer)
          resolve({ failure: failureOf(e) })
        })
        request.end(body)
      })
    },
  }
}
