import { BlockList, isIP } from 'node:net'

/** Addresses outside the public internet: IANA's special-purpose registries, and the ways to embed IPv4 in IPv6. */
const CLOSED = {
  ipv4: `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
  ipv6: `::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20
    5f00::/16 fc00::/7 fe80::/9 ff00::/8`,
}

// One list per family: a combined list would match every IPv4 address with ::ffff:0:0/96.
function listOf(family: keyof typeof CLOSED): BlockList {
  const list = new BlockList()
  for (const range of CLOSED[family].split(/\s+/)) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
let closed: Record<keyof typeof CLOSED, BlockList> | undefined

/** Whether an IP address belongs to the public internet; false for text that is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  closed ??= { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') }
  return version !== 0 && !closed[family].check(address, family)
}

/** Where requests to addresses that users choose may lead; LOOPBACK: the internet, and this machine by its own names. */
export type Reach = 'PUBLIC' | 'LOOPBACK' | 'ANY'

/** Whether a host name is a loopback host. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

/** Whether a host name is one that only a home or an office knows, such as `loyer.local`. */
const isInside = (hostname: string): boolean =>
  !hostname.includes('.') || /\.(?:local|lan|home|internal|localhost|home\.arpa)$/.test(hostname)
/** Whether somebody elsewhere can open the links of an origin without a warning: over https, at a public host. */
export function isOpenToAll(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'https:' && (isIP(host) === 0 ? !isInside(host) : isPublicAddress(host))
}

/** Whether an IP address is this machine's own: from there come its programs, and everybody behind a proxy on it. */
export const isLoopbackAddress = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/i.test(address)

/** A host name by its labels (an underscore too, as container networks have), or an address. */
const HOSTNAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.(?=.)|\.?$))+$|^\[[\da-f:.]+\]$/

/** An http(s) address that a request can go to, written out and without a user; undefined for any other text. */
export function webAddress(value: string): URL | undefined {
  const url = /^https?:\/\/[^\s\\/][^\s\\]*$/i.test(value) ? URL.parse(value) : null
  if (url?.username !== '' || url.password !== '' || url.port === '0') return undefined
  return HOSTNAME.test(url.hostname) ? url : undefined
}

/** An http(s) origin as browsers write it (lower case, no default port); undefined for a URL with anything more. */
export function originOf(value: string): string | undefined {
  const url = webAddress(value)
  return url?.href === `${url?.origin}/` ? url?.origin : undefined
}

/** Whether a text is an IP address of this or any network, without the name of an interface (`%eth0`). */
export const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

/** An address or a CIDR range; undefined for any other text. */
export function parseRange(entry: string) {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  const prefix = bits === undefined ? most : /^(?:0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : -1
  if (!isAddress(address) || rest.length > 0 || prefix < 0 || prefix > most) return undefined
  return { address, prefix, family: version === 6 ? ('ipv6' as const) : ('ipv4' as const) }
}

/** Why `uri` must not be a redirect URI (RFC 8252 section 7, RFC 9700 section 4.1), or undefined. */
export function redirectProblem(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url || /[\s#*]/.test(uri)) return 'is no redirect URI'
  if (/^https?:$/.test(url.protocol) && !webAddress(uri)) return 'is no redirect URI'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:')
    return isLoopbackHost(url.hostname) ? undefined : 'must be https; http is for this machine only'
  // A private scheme contains a domain name, so `javascript:` and its like can never be one.
  return url.protocol.includes('.') ? undefined : 'must be https, or a scheme such as com.example.app:'
}
