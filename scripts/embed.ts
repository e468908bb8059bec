// Writes src/web/assets.gen.ts, the static files and the handbook's pages that the service serves, and
// src/adapters/pdf/fonts.gen.ts, the fonts of its papers: packed so that they travel inside the binary.
// Writes src/client/api.gen.ts too, the types of the API's clients, unless called with `--without-types`: running the
// service needs none, and they come from packages for development only.
// Does nothing while no input has changed; `npm start`, `npm test` and `npm run check` all run it first.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzipSync, constants as zlib } from 'node:zlib'
import { handbookPages } from './handbook.ts'

const web = join(import.meta.dirname, '../src/web')
const inter = dirname(fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/package.json')))
const swagger = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Served name → file. What lies under src/web/static is served under its own path. */
const inputs = (): Map<string, string> => {
  const files = new Map<string, string>()
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'swagger-ui-bundle.js.LICENSE.txt']) {
    files.set(`docs/${name}`, join(swagger, name))
  }
  files.set('docs/swagger-ui.LICENSE.txt', join(swagger, 'LICENSE'))
  files.set('docs/inter.LICENSE.txt', join(inter, 'LICENSE_FONT'))
  const trees = { '': join(web, 'static'), 'ui/': join(import.meta.dirname, '../dist/ui') }
  for (const [prefix, folder] of Object.entries(trees)) {
    for (const entry of globSync('**/*.*', { cwd: folder }))
      files.set(prefix + entry.replaceAll('\\', '/'), join(folder, entry))
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data)

/** The maps are not served: without this line a browser's developer tools would ask for them. */
const withoutSourceMap = (text: string) => text.replace(/\n?\/[/*]# sourceMappingURL=\S+?(?:\*\/)?\s*$/, '\n')

const read = (file: string): Uint8Array => {
  const bytes = readFileSync(file)
  return /\.(js|css)$/.test(file) ? new TextEncoder().encode(withoutSourceMap(bytes.toString('utf8'))) : bytes
}

const entry = async (name: string, bytes: Uint8Array): Promise<string> => {
  const type = types[extname(name)]
  if (type === undefined) throw new Error(`${name}: scripts/embed.ts knows no content type for this file`)
  // 11 would save a tenth of the size and take 25 times as long, at everyone's first start
  const br = await promisify(brotliCompress)(bytes, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  const fields = { type, hash: hashOf(bytes), size: bytes.length, br: br.toString('base64') }
  return `  ${JSON.stringify(name)}: ${JSON.stringify(fields)},`
}

/** Writes a module if its inputs have changed since it was last written. */
const emit = async (output: string, inputs: Map<string, Uint8Array>, body: () => Promise<string>): Promise<void> => {
  const fingerprint = sha256(readFileSync(import.meta.filename))
  for (const [name, bytes] of inputs) fingerprint.update(`${name}\0${bytes.length}\0`).update(bytes)
  const head = `// Written by scripts/embed.ts from inputs ${fingerprint.digest('hex')}\n`
  try {
    // the last character tells a whole file from one that a full disk cut off
    const text = readFileSync(output, 'utf8')
    if (text.startsWith(head) && text.endsWith('}\n')) return
  } catch {
    // not there yet
  }
  const text = `${head}${await body()}`
  const temporary = `${output}.${process.pid}.tmp`
  writeFileSync(temporary, text)
  renameSync(temporary, output)
  const name = relative(join(import.meta.dirname, '..'), output)
  process.stdout.write(`${name}  ${inputs.size} files  ${(text.length / 1024).toFixed(0)} KiB\n`)
}

const assets = new Map([...inputs()].map(([name, file]) => [name, read(file)]))
const hashOf = (bytes: Uint8Array): string => sha256(bytes).digest('hex').slice(0, 16)
const stylesheet = `/docs/handbook.${hashOf(assets.get('docs/handbook.css') ?? new Uint8Array())}.css`
for (const [name, page] of handbookPages(join(web, 'handbook'), stylesheet)) assets.set(name, page)
await emit(join(web, 'assets.gen.ts'), assets, async () => {
  const entries = await Promise.all([...assets].map(([name, bytes]) => entry(name, bytes)))
  return `export type Asset = { type: string; hash: string; br: string; size: number; file?: string }
export const assets: Record<string, Asset> = {
${entries.join('\n')}
}
`
})

/**
 * A font without its table of substitutions. Inter's contextual ones (arrows, the x between digits) take half of the
 * time of every paper and show in none; kerning and the placing of accents are elsewhere.
 */
const withoutSubstitutions = (font: Buffer): Buffer => {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => font.subarray(12 + 16 * i, 28 + 16 * i)).filter(
    (entry) => entry.toString('latin1', 0, 4) !== 'GSUB',
  )
  const head = Buffer.alloc(12 + 16 * tables.length)
  font.copy(head, 0, 0, 4)
  head.writeUInt16BE(tables.length, 4)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [i, entry] of tables.entries()) {
    const length = entry.readUInt32BE(12)
    const padded = Buffer.alloc((length + 3) & ~3)
    font.copy(padded, 0, entry.readUInt32BE(8), entry.readUInt32BE(8) + length)
    entry.copy(head, 12 + 16 * i)
    head.writeUInt32BE(offset, 12 + 16 * i + 8)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}
const fonts = new Map(
  Object.entries({ regular: '400Regular', bold: '600SemiBold' }).map(([name, cut]) => [
    name,
    readFileSync(join(inter, cut, `Inter_${cut}.ttf`)),
  ]),
)
await emit(join(import.meta.dirname, '../src/adapters/pdf/fonts.gen.ts'), fonts, async () => {
  const entries = [...fonts].map(
    ([name, bytes]) =>
      `  ${name}: ${JSON.stringify(gzipSync(withoutSubstitutions(Buffer.from(bytes))).toString('base64'))},`,
  )
  return `/** Inter (SIL OFL 1.1, The Inter Project Authors): gzip, base64. */
export const fonts = {
${entries.join('\n')}
}
`
})

if (!process.argv.includes('--without-types')) {
  const top = join(import.meta.dirname, '..')
  const program = globSync(['src/**/*.ts', 'db/**/*.{ts,sql}', 'package.json'], { cwd: top }).filter(
    (name) => !/\.gen\.ts$|^src.(client|web|ui).|^db.migrations./.test(name),
  )
  const sources = new Map(program.sort().map((name) => [name.replaceAll('\\', '/'), read(join(top, name))]))
  await emit(join(top, 'src/client/api.gen.ts'), sources, async () => {
    const { default: types, astToString } = await import('openapi-typescript')
    const [{ openApiDocument }, { loadConfig }] = await Promise.all([
      import('../src/openapi.ts'),
      import('../src/config.ts'),
    ])
    return `${astToString(await types(JSON.stringify(await openApiDocument(loadConfig({}))))).trimEnd()}\n`
  })
}
