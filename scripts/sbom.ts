// What travels inside a binary, by bun.lock: as a bill of materials (CycloneDX 1.6), and as the texts of its licences.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
type Entry = {
  readonly name: string
  readonly version: string
  /** As npm writes it: sha512-… in base64. */
  readonly integrity: string
  readonly needs: readonly string[]
}
/** Packages by their place in the tree: `elysia`, or `a/b` where `a` has a `b` of its own. */
type Lock = ReadonlyMap<string, Entry>
export type Component = Entry & { readonly place: string; readonly licence: string }
type Names = Readonly<Record<string, string>>
type About = { dependencies?: Names; optionalDependencies?: Names; peerDependencies?: Names; optionalPeers?: string[] }

/** Reads bun.lock, which is JSON with commas behind the last members. */
function readLock(): Lock {
  const text = readFileSync(join(root, 'bun.lock'), 'utf8').replace(/,(\s*[}\]])/g, '$1')
  const { packages }: { packages: Record<string, [string, string, About, string]> } = JSON.parse(text)
  return new Map(
    Object.entries(packages).map(([place, [id, , about, integrity]]) => {
      const at = id.lastIndexOf('@')
      const peers = Object.keys(about.peerDependencies ?? {}).filter((peer) => !about.optionalPeers?.includes(peer))
      const needs = [...Object.keys({ ...about.dependencies, ...about.optionalDependencies }), ...peers]
      return [place, { name: id.slice(0, at), version: id.slice(at + 1), integrity, needs }]
    }),
  )
}

/** `a/@b/c` → a, @b/c */
const partsOf = (place: string): string[] => place.match(/(@[^/]+\/)?[^/]+/g) ?? []
/** The place of what a package means by a name: its own copy, else that of the one above it. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let above = partsOf(from); above.length > 0; above = above.slice(0, -1))
    if (lock.has([...above, name].join('/'))) return [...above, name].join('/')
  return lock.has(name) ? name : undefined
}

/** Packages that build the pages and are not in them. */
const TOOLS = ['vite', '@sveltejs/vite-plugin-svelte', '@tailwindcss/vite']
/** What is for development, and has code in the binary: what the pages import, and the runtime. */
function developed(): string[] {
  const sources = globSync('src/ui/**/*.{ts,svelte,css}', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const imported = Object.keys(manifest.devDependencies).filter((name) =>
    sources.some((text) => text.includes(`'${name}'`) || text.includes(`"${name}"`) || text.includes(`'${name}/`)),
  )
  return [...imported.filter((name) => !TOOLS.includes(name)), 'bun']
}
/** Compilers: their own dependencies are not in what they make. */
const COMPILERS = ['bun', 'svelte', 'tailwindcss']

const folderOf = (place: string): string => join(root, 'node_modules', partsOf(place).join('/node_modules/'))
function licenceOf(place: string): string {
  const file = join(folderOf(place), 'package.json')
  if (!existsSync(file)) return ''
  const { license }: { license?: string | { type: string } } = JSON.parse(readFileSync(file, 'utf8'))
  return typeof license === 'object' ? license.type : (license ?? '')
}

/** Everything inside a binary, of all platforms, by place. */
export function shipped(lock: Lock = readLock()): Component[] {
  const components = new Map<string, Component>()
  const queue = [...Object.keys(manifest.dependencies), ...developed()].map((name) => ({ from: '', name }))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const place = placeOf(lock, next.from, next.name)
    const entry = place === undefined ? undefined : lock.get(place)
    // types are gone once compiled
    if (place === undefined || entry === undefined || components.has(place) || entry.name.startsWith('@types/'))
      continue
    // an addon of another platform is not installed here, and has the licence of its package
    components.set(place, { ...entry, place, licence: licenceOf(place) || licenceOf(next.from) })
    if (!COMPILERS.includes(entry.name)) for (const name of entry.needs) queue.push({ from: place, name })
  }
  return [...components.values()].sort((a, b) => (a.place < b.place ? -1 : 1))
}

const purlOf = ({ name, version }: Entry): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
/** A bill of materials, CycloneDX 1.6. */
export function sbomOf(components: readonly Component[]) {
  const byRef = new Map(components.map((component) => [purlOf(component), component]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/loyer@${manifest.version}`,
        name: 'loyer',
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: [...byRef].map(([ref, { name, version, integrity, licence }]) => ({
      type: 'library',
      'bom-ref': ref,
      name,
      version,
      purl: ref,
      ...(licence === ''
        ? {}
        : { licenses: [/ (OR|AND) /.test(licence) ? { expression: licence } : { license: { id: licence } }] }),
      ...(integrity.startsWith('sha512-')
        ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
        : {}),
    })),
  }
}

const BUN = `The runtime is Bun (MIT). It holds JavaScriptCore and parts of WebKit (LGPL-2.1), whose sources are those of
https://github.com/oven-sh/WebKit; https://bun.com/docs/project/license names what else. SQLite, within better-sqlite3, is
in the public domain.
`
/** The texts of the licences, each once with the packages that it is of. */
export function licencesOf(components: readonly Component[]): string {
  const texts = Map.groupBy(components, ({ place, licence }) => {
    const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING}*', { cwd: folderOf(place) }).sort()
    const text = files.map((file) => readFileSync(join(folderOf(place), file), 'utf8').trim()).join('\n\n')
    return text || `Its package brings no text; it names its licence: ${licence}`
  })
  const heads = (of: readonly Component[]) =>
    of.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join('\n')
  const notes = `${BUN}\n${'='.repeat(80)}\n\n`
  return notes + [...texts].map(([text, of]) => `${heads(of)}\n\n${text}\n`).join(`\n${'='.repeat(80)}\n\n`)
}
