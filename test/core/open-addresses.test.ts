// Whose links open for a tenant: of a public host, over https.
import { expect, test } from 'bun:test'
import { isOpenToAll } from '../../src/core/addresses.ts'

test.each([
  ['https://loyer.example.cm', true],
  ['https://8.8.8.8:8443', true],
  ['http://loyer.example.cm', false],
  ['http://localhost:3000', false],
  ['https://localhost', false],
  ['https://192.168.1.20', false],
  ['https://[fd00::1]', false],
  ['https://loyer.local', false],
  ['https://bureau', false],
])('%s: %p', (origin, open) => expect(isOpenToAll(origin)).toBe(open))
