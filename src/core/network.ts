const MAPPED = /^::ffff:(?=\d+\.)/i

/** The network that limits count an address under: an IPv6 subscriber has a whole /64, an IPv4 one the address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || MAPPED.test(address)) return address.replace(MAPPED, '')
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  // Normalize the group, which may be written 0db8, DB8 or db8.
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The site of an address: an IPv6 customer's /48, an IPv4 provider's /16. */
export function siteOf(address: string): string {
  const network = networkOf(address)
  if (network.endsWith('::/64')) return `${network.split(':').slice(0, 3).join(':')}::/48`
  return `${network.split('.').slice(0, 2).join('.')}.0.0/16`
}
