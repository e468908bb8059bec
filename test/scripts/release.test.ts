// What a release says of itself: everything in the binary by name, version, hash and licence, and nothing that builds it.
import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { licencesOf, sbomOf, shipped } from '../../scripts/sbom.ts'
import { publicKeyOf, signFiles } from '../../scripts/sign.ts'
import { update } from '../../src/commands/update.ts'
import { commandLine } from '../support/backups.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

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

for (const password of [undefined, 'a word of a few letters'])
  test.skipIf(Bun.which('minisign') === null)(
    `signed by a key of minisign ${password ? 'with' : 'without'} a password: taken by minisign and by an update (not here: no minisign)`,
    async () => {
      const folder = temporaryFolder('release')
      const [file, pub] = [join(folder, 'loyer.key'), join(folder, 'loyer.pub')]
      const made = spawnSync('minisign', ['-G', ...(password ? [] : ['-W']), '-s', file, '-p', pub], {
        input: password ? `${password}\n${password}\n` : '',
      })
      expect(made.status).toBe(0)
      const names = ['loyer-0.2.0-linux-x64', 'loyer-0.2.0-windows-x64.exe', 'SHA256SUMS']
      const files = names.map((name) => join(folder, name))
      for (const path of files) writeFileSync(path, `${path}\n`)
      const key = publicKeyOf({ file, password })
      signFiles({ file, password }, files)
      const verified = (path: string) => spawnSync('minisign', ['-V', '-P', key, '-m', path]).status
      expect(files.map(verified)).toEqual([0, 0, 0])
      const [first = '', , sums = ''] = files
      const checked = (path: string) => async () =>
        update(commandLine('/nowhere', [path], { check: true }, { UPDATE_KEY: key }))
      expect(await checked(first)()).toEndWith('is what was signed: loyer-0.2.0-linux-x64')
      expect(checked(sums)).toThrow(/its signature names no release/)
      writeFileSync(first, 'another')
      expect(verified(first)).not.toBe(0)
      expect(checked(first)).toThrow(/its contents are not those that were signed/)
      if (password === undefined) return
      writeFileSync(join(folder, 'new'), '')
      expect(() => signFiles({ file, password: 'another word' }, [join(folder, 'new')])).toThrow(/could not use/)
      expect(existsSync(join(folder, 'new.minisig'))).toBe(false)
    },
  )

test('a key that is not there is named before anything is built', () => {
  expect(() => publicKeyOf({ file: '/nowhere/loyer.key', password: '' })).toThrow(/minisign/)
})
