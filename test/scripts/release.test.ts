// What a release says of itself: everything in the binary by name, version, hash and licence, and nothing that builds it.
import { expect, test } from 'bun:test'
import manifest from '../../package.json' with { type: 'json' }
import { licencesOf, sbomOf, shipped } from '../../scripts/sbom.ts'

const components = shipped()
const names = components.map(({ name }) => name)

test('all that the service depends on is listed, with the runtime and what the pages are made of', () => {
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(manifest.dependencies), 'bun', 'svelte', 'openapi-fetch']),
  )
  // what those depend on in their turn, once for each version
  expect(names).toEqual(expect.arrayContaining(['koa', 'fontkit', '@node-rs/argon2-linux-x64-gnu']))
  expect(new Set(components.map(({ place }) => place)).size).toBe(components.length)
})

test.each(['vite', 'typescript', 'playwright-core', '@biomejs/biome', 'svelte-check', 'knip', 'esbuild', 'axe-core'])(
  '%s, which builds or tests, is not in it',
  (name) => expect(names).not.toContain(name),
)

test('each has a version, a hash and a licence that may be passed on', () => {
  const may = /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|MIT AND OFL-1\.1|MIT OR CC0-1\.0)\)?$/
  for (const { name, version, integrity, licence } of components)
    expect([name, version, integrity, licence]).toEqual([
      name,
      expect.stringMatching(/^\d+\.\d+\.\d+/),
      expect.stringMatching(/^sha512-[\w+/]{86}==$/),
      expect.stringMatching(may),
    ])
})

test('the bill of materials is CycloneDX: every reference once, hashes in hex', () => {
  const { bomFormat, specVersion, components: listed, metadata } = sbomOf(components)
  expect([bomFormat, specVersion, metadata.component.name]).toEqual(['CycloneDX', '1.6', 'loyer'])
  expect(new Set(listed.map((one) => one['bom-ref'])).size).toBe(listed.length)
  for (const { purl, hashes } of listed)
    expect([purl, hashes?.[0]?.content]).toEqual([
      expect.stringMatching(/^pkg:npm\/(%40[^@/]+\/)?[^@/]+@\d/),
      expect.stringMatching(/^[\da-f]{128}$/),
    ])
})

test('the licences stand there in full, each with what it is of', () => {
  const text = licencesOf(components)
  for (const { name, version } of components)
    expect([name, text.includes(`${name} ${version} (`)]).toEqual([name, true])
  for (const words of ['Permission is hereby granted', 'Apache License', 'SIL OPEN FONT LICENSE', 'LGPL-2.1'])
    expect([words, text.includes(words)]).toEqual([words, true])
})
