// `npm run build [-- --target linux-arm64] [--outfile path]`: Loyer as one executable, for this machine or another.
// RELEASE_PUBLIC_KEY is the key that its `update` trusts.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { BunPlugin } from 'bun'
import { fonts } from '../src/adapters/pdf/fonts.gen.ts'
import { isReleaseKey } from '../src/core/ed25519.ts'
import { assets } from '../src/web/assets.gen.ts'
import { type Target, targets } from './targets.ts'

const root = join(import.meta.dirname, '..')

const host = (): string => {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const musl = os === 'linux' && /\/ld-musl-/.test(readFileSync('/proc/self/maps', 'latin1'))
  return `${os}-${process.arch}${musl ? '-musl' : ''}`
}

/** The folder whose node_modules has the target's addons; another machine's are fetched by the lockfile, hashes checked. */
const addonsOf = (name: string, target: Target): string => {
  const has = (folder: string) =>
    existsSync(join(folder, 'node_modules/@node-rs', `argon2-${target.argon2}/package.json`))
  if (has(root)) return root
  const folder = join(root, 'dist/targets', name)
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'bun.lock']) copyFileSync(join(root, file), join(folder, file))
  const [os = '', cpu = ''] = target.argon2.split('-')
  const libc = target.argon2.endsWith('musl') ? 'musl' : 'glibc'
  const options = [
    '--frozen-lockfile',
    '--production',
    '--ignore-scripts',
    `--os=${os}`,
    `--cpu=${cpu}`,
    `--libc=${libc}`,
  ]
  spawnSync(process.execPath, ['install', ...options], { cwd: folder, stdio: 'inherit' })
  if (!has(folder)) throw new Error(`The addons of ${name} could not be installed in ${folder}`)
  return folder
}

const MEDIA_TYPES = [
  'application/json',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
  'text/xml',
]
const ATTESTATION =
  /@simplewebauthn[\\/]server[\\/]esm[\\/](registration[\\/]verifications[\\/].*|metadata[\\/].*|services[\\/](metadataService|defaultRootCerts[\\/].*)|helpers[\\/](convertX509PublicKeyToCOSE|validateCertificatePath|isCertRevoked|getCertificateInfo|validateExtFIDOGenCEAAGUID|mapX509SignatureAlgToCOSEAlg))\.js$/

/** Both packages make their addon's path at run time, which a bundler cannot follow: name the one addon instead. */
const addons = (folder: string, target: Target): BunPlugin => ({
  name: 'addons',
  setup(build) {
    const sqlite = Bun.resolveSync(`better-sqlite3/${target.sqlite}`, folder)
    const argon2 = Bun.resolveSync(`@node-rs/argon2-${target.argon2}`, folder)
    build.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: sqlite }))
    // code that Loyer never runs, 2 MB with its bytecode: WOFF2 fonts, Elysia's guesses at files, the reference page that /docs replaces
    build.onLoad({ filter: /[\\/]brotli[\\/]decompress\.js$/ }, () => ({
      contents: 'module.exports = () => undefined',
      loader: 'js',
    }))
    build.onLoad({ filter: /[\\/]file-type[\\/]source[\\/]index\.js$/ }, () => ({
      contents: 'export const fileTypeFromBlob = undefined',
      loader: 'js',
    }))
    build.onLoad({ filter: /@scalar[\\/]themes[\\/].*\.js$/ }, () => ({
      contents: 'export const elysiajsTheme = ""',
      loader: 'js',
    }))
    // only the media types of the sign-in provider's pages and answers
    build.onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, ({ path }) => {
      const all: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'))
      return {
        contents: JSON.stringify(Object.fromEntries(MEDIA_TYPES.map((type) => [type, all[type]]))),
        loader: 'json',
      }
    })
    // passkeys are taken without attestation: its formats, their certificates and roots would be another 1 MB
    build.onLoad({ filter: ATTESTATION }, ({ path }) => ({
      contents: [...readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => false`)
        .join('\n'),
      loader: 'js',
    }))
    // only the reader of signatures is used of the package of curves
    build.onResolve({ filter: /^@peculiar\/asn1-ecc$/ }, ({ importer }) => ({
      path: Bun.resolveSync('@peculiar/asn1-ecc', dirname(importer)).replace(
        /build[\\/].*$/,
        'build/es2015/ec_signature_value.js',
      ),
    }))
    // one letter beyond ASCII, here in the author's name, doubles the size of the whole program
    build.onLoad({ filter: /otpauth\.bare\.esm\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').normalize('NFD').replace(/\p{M}/gu, ''),
      loader: 'js',
    }))
    // an addon itself has no named exports, nor has `module.exports = require(addon)`
    build.onLoad({ filter: /@node-rs[\\/]argon2[\\/]index\.js$/ }, () => ({
      contents: `Object.assign(exports, require(${JSON.stringify(argon2)}))`,
      loader: 'js',
    }))
  },
})

/** Static files and fonts as files inside the binary: as text in a module each byte would be stored more than twice. */
const embedded = (folder: string): BunPlugin => ({
  name: 'embedded files',
  async setup(build) {
    // All are written before the build begins: it reads a folder once.
    const keep = (name: string, base64: string): string => {
      const file = join(folder, name)
      writeFileSync(file, Buffer.from(base64, 'base64'))
      return JSON.stringify(file)
    }
    const statics = Object.entries(assets).map(([name, { br, ...rest }]) => ({
      entry: `${JSON.stringify(name)}: { ...${JSON.stringify({ ...rest, br: '' })}, file: `,
      file: keep(`${rest.hash}.br`, br),
    }))
    const { default: block } = await import(join(dirname(Bun.resolveSync('any-ascii', root)), 'block.js'))
    const blocks = Object.fromEntries(
      Array.from({ length: 0x1100 }, (_, n) => [n, block(n)] as const).filter(([, letters]) => letters),
    )
    const letters = keep('letters.gz', gzipSync(JSON.stringify(blocks), { level: 9 }).toString('base64'))
    const cuts = Object.entries(fonts).map(([name, packed]) => ({ name, file: keep(`${name}.gz`, packed) }))
    build.onLoad({ filter: /[\\/]src[\\/]web[\\/]assets\.gen\.ts$/ }, () => {
      const imports = statics.map(({ file }, i) => `import f${i} from ${file} with { type: 'file' }`)
      const entries = statics.map(({ entry }, i) => `${entry}f${i} }`)
      const contents = `${imports.join('\n')}\nexport const assets = {\n${entries.join(',\n')}\n}\n`
      return { contents, loader: 'js' }
    })
    // the letters of all scripts in ASCII would be 1 MB of code; few papers need them, and these read them once
    build.onLoad({ filter: /[\\/]any-ascii[\\/]block\.js$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import file from ${letters} with { type: 'file' }
let blocks
export default (n) => (blocks ??= JSON.parse(gunzipSync(readFileSync(file))))[n] ?? ''
`,
      loader: 'js',
    }))
    build.onLoad({ filter: /[\\/]pdf[\\/]fonts\.gen\.ts$/ }, () => {
      const imports = cuts.map(({ name, file }) => `import ${name} from ${file} with { type: 'file' }`)
      const entries = cuts.map(({ name }) => `${name}: readFileSync(${name}, 'base64')`)
      const contents = `import { readFileSync } from 'node:fs'\n${imports.join('\n')}\nexport const fonts = { ${entries.join(', ')} }\n`
      return { contents, loader: 'js' }
    })
  },
})

const { values } = parseArgs({
  options: { target: { type: 'string' }, outfile: { type: 'string' }, entry: { type: 'string' } },
})
const name = values.target ?? host()
const target = targets[name]
if (target === undefined) {
  process.stderr.write(`Unknown target ${name}; known: ${Object.keys(targets).join(', ')}\n`)
  process.exit(2)
}
const { RELEASE_PUBLIC_KEY: releaseKey = '' } = process.env
if (releaseKey !== '' && !isReleaseKey(releaseKey)) {
  process.stderr.write('RELEASE_PUBLIC_KEY: must be a whole public key as minisign prints it, which begins with RW\n')
  process.exit(2)
}
const isHost = name === host()
const suffix = name.startsWith('windows') ? '.exe' : ''
const outfile = resolve(root, values.outfile ?? `dist/loyer${isHost ? '' : `-${name}`}${suffix}`)
const folder = addonsOf(name, target)
mkdirSync(dirname(outfile), { recursive: true })
// the file's name becomes part of import.meta.url inside it, so only the folder is temporary
const temporary = mkdtempSync(join(dirname(outfile), '.build-'))

const result = await Bun.build({
  entrypoints: [resolve(root, values.entry ?? 'src/main.ts'), ...globSync(join(root, 'src/adapters/*/worker.ts'))],
  root: join(root, 'src'),
  target: 'bun',
  // bytecode in another format would freeze import.meta.url to this machine's path
  format: 'esm',
  // names stay: Elysia reads parameters ("query", "headers") from the text of handlers, oidc-provider from class names
  minify: { whitespace: true, syntax: true, identifiers: false, keepNames: true },
  bytecode: true,
  // a start then reads only what it runs, and threads share their code with the program
  splitting: true,
  // names of functions stay in the traces of the log; a map of lines would be 5 MB
  sourcemap: 'none',
  define: {
    'process.env.NODE_ENV': '"production"',
    // what `loyer update` trusts is never read where the binary runs
    'process.env.RELEASE_PUBLIC_KEY': JSON.stringify(releaseKey),
  },
  compile: {
    outfile: join(temporary, basename(outfile)),
    // settings come from the environment alone: a stray bunfig.toml in the working folder could run code
    autoloadDotenv: false,
    autoloadBunfig: false,
    ...(isHost ? {} : { target: target.bun }),
  },
  // Bun decodes pictures itself; this is for runtimes that do not
  external: ['@napi-rs/image'],
  plugins: [addons(folder, target), embedded(temporary)],
})
for (const log of result.logs) process.stderr.write(`${log}\n`)
// a broken build leaves the last good binary in place
renameSync(join(temporary, basename(outfile)), outfile)
rmSync(temporary, { recursive: true })
const size = (statSync(outfile).size / 2 ** 20).toFixed(1)
const trusts = releaseKey === '' ? 'without a key of releases' : `updates signed by ${releaseKey}`
process.stdout.write(`${relative(process.cwd(), outfile)}  ${size} MiB  ${name}  ${trusts}\n`)
