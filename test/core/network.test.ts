// Whose budget a request draws on: one subscriber, however many addresses they have or ways to write one.
import { expect, test } from 'bun:test'
import { networkOf } from '../../src/core/network.ts'

const rows: [address: string, network: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.8', '203.0.113.8'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:0:0:0:1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::2', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::2', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
]
test.each(rows)('%s is of %s', (address, network) => expect(networkOf(address)).toBe(network))
