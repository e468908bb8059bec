// The image's data folder holds keys and identity papers, and a new volume takes its owner and mode from the image.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const dockerfile = readFileSync(join(import.meta.dirname, '../../scripts/deploy/Dockerfile'), 'utf8')
const copies = [...dockerfile.matchAll(/^COPY --from=build (?:--chown=(\d+):\1 )?(\S+) (\S+)$/gm)]

test('the folder of the volume is the service’s alone: COPY keeps the mode of what a folder holds, not its own', () => {
  const volume = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1]
  const made = /install -d -m 700 (?:-\S+ \S+ )*(\S+)$/m.exec(dockerfile)?.[1]
  const [, owner, from, to] = copies.find(([, , from]) => made?.startsWith(from ?? '-')) ?? []
  expect(made).not.toBe(from)
  expect([owner, join(to ?? '', (made ?? '').slice((from ?? '').length))]).toEqual(['65532', volume ?? ''])
})
