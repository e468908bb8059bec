import { BlockList, isIP } from 'node:net'
import { parseRange } from '../core/addresses.ts'

const lists = new WeakMap<readonly string[], BlockList>()

/** Whether an address is one of the operator's proxies, given as addresses or CIDR ranges. */
export function isTrusted(address: string, proxies: readonly string[]): boolean {
  let list = lists.get(proxies)
  if (!list) {
    list = new BlockList()
    for (const entry of proxies) {
      const range = parseRange(entry)
      if (range) list.addSubnet(range.address, range.prefix, range.family)
    }
    lists.set(proxies, list)
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
