// `npm run release [-- --target linux-x64 …]`: binaries of every target in dist/release, with SHA256SUMS, an SBOM
// (CycloneDX) and the licences of what they hold. RELEASE_KEY names a secret key of minisign: the binaries then have its
// public key built in, and every file is signed. Exits with 1 if a target could not be built, and names it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { licencesOf, sbomOf, shipped } from './sbom.ts'
import { publicKeyOf, signFiles } from './sign.ts'
import { targets } from './targets.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/release')
const { values } = parseArgs({ options: { target: { type: 'string', multiple: true } } })
const names = values.target ?? Object.keys(targets)
const tell = (line: string): void => void process.stdout.write(`${line}\n`)
// The builds below get neither the key nor its password.
const { RELEASE_KEY: file, RELEASE_KEY_PASSWORD: password, ...others } = process.env
const key = file ? { file, password } : undefined
// A wrong key or password ends here, not after seven builds.
const own = key && publicKeyOf(key)
// A release that hands over to another key has that one built in, and is signed by the old one.
const env = { RELEASE_PUBLIC_KEY: own ?? '', ...others }

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const files: string[] = []
const missing: string[] = []
for (const name of names) {
  const file = `loyer-${manifest.version}-${name}${name.startsWith('windows') ? '.exe' : ''}`
  const line = [join(root, 'scripts/build.ts'), '--target', name, '--outfile', join(folder, file)]
  const { status } = spawnSync(process.execPath, line, { cwd: root, env, stdio: 'inherit' })
  if (status === 0) files.push(file)
  else missing.push(name)
}

const components = shipped()
writeFileSync(join(folder, 'loyer.cdx.json'), `${JSON.stringify(sbomOf(components), null, 2)}\n`)
writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licencesOf(components))
const all = [...files, 'loyer.cdx.json', 'THIRD-PARTY-LICENCES.txt']
const sum = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex')
writeFileSync(join(folder, 'SHA256SUMS'), all.map((file) => `${sum(file)}  ${file}\n`).join(''))
if (key)
  signFiles(
    key,
    [...all, 'SHA256SUMS'].map((name) => join(folder, name)),
  )
tell(own ? `signed by ${own}` : 'not signed: RELEASE_KEY names no secret key')
tell(`dist/release  ${files.length} of ${names.length} binaries, ${components.length} components`)
if (missing.length > 0) {
  tell(
    `Not built: ${missing.join(', ')}. The message above each says why, most often that Bun's runtime for it could not be fetched.`,
  )
  process.exit(1)
}
