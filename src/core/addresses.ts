import { BlockList, isIP } from 'node:net'

/** What is not the open internet: IANA's special-purpose registries, and the ways to write IPv4 in IPv6. */
const CLOSED = {
  ipv4: `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
  ipv6: `::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20
    5f00::/16 fc00::/7 fe80::/9 ff00::/8`,
}

// One list a family: a list of both takes every IPv4 address for one of ::ffff:0:0/96.
function listOf(family: keyof typeof CLOSED): BlockList {
  const list = new BlockList()
  for (const range of CLOSED[family].split(/\s+/)) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
let closed: Record<keyof typeof CLOSED, BlockList> | undefined

/** Whether an IP address is one that everybody on the internet can reach; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  closed ??= { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') }
  return version !== 0 && !closed[family].check(address, family)
}
