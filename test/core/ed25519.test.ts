// Public keys of Ed25519: which bytes are one that signatures can be checked with.

import { expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { isPublicKey } from '../../src/core/ed25519.ts'

const bytesOf = (hex: string): Buffer => Buffer.from(hex.padEnd(64, '0'), 'hex')

test('every key that is made is one', () => {
  for (let i = 0; i < 50; i++) {
    const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    expect([x, isPublicKey(Buffer.from(x, 'base64url'))]).toEqual([x, true])
  }
})

test.each([
  ['zeros, of order 4', ''],
  ['the neutral point', '01'],
  ['of order 2', 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
  ['of order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
  ['also of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
  ['no point of the curve', '02'],
  ['beyond the field', `${'f'.repeat(62)}7f`],
])('%s: none', (_what, hex) => expect(isPublicKey(bytesOf(hex))).toBe(false))

test('bytes that are too few or too many: none', () => {
  for (const length of [0, 31, 33]) expect(isPublicKey(new Uint8Array(length).fill(9))).toBe(false)
})
